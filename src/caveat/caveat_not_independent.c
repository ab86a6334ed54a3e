/* SPDX-License-Identifier: GPL-2.0-or-later */
/* not_independent: of several runs of one job, each depends on the one before. */
#include "caveat/caveat.h"
#include "stats/drift.h"

/* 1 %, one-sided: drift_found() has 5 %, which is right for a rule that may look twice, but would
 * have one comparison in ten complain about one of its sides. */
#define CRITICAL_Z -2.326

void caveat_check_series(const char *what, const double *values, size_t nr, struct note_list *notes)
{
	if (drift_z(values, nr) <= CRITICAL_Z)
		note_add(
			notes, NOTE_NOT_INDEPENDENT,
			"%zu runs depend on their order in %s (rank von Neumann ratio %.2f, near 2 "
			"if they do not)",
			nr, what, drift_ratio(values, nr));
}
