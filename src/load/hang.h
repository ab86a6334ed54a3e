/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_HANG_H
#define REGIO_LOAD_HANG_H

/*
 * When to stop waiting for workers whose I/O does not come back: after a second signal at once,
 * otherwise when the run should be over and nothing has been completed for HANG_NS, as in fio.
 */

#include <stdbool.h>
#include <stdint.h>

#include "load/sample.h"

#define HANG_NS UINT64_C(300000000000)
#define HANG_URGENT_NS UINT64_C(1000000000) /* for those that do come back */

struct hang {
	struct sample_counts counts; /* when something was completed last */
	uint64_t progress_ns;	     /* that time; 0 = not looked yet */
	uint64_t urgent_ns;	     /* of the second signal; 0 = none */
};

/* counts of all workers; is_due: they were told to stop or their time is over. */
bool hang_give_up(struct hang *hang, const struct sample_counts *counts, bool is_due,
		  bool is_urgent, uint64_t now_ns);

#endif
