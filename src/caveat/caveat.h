/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CAVEAT_CAVEAT_H
#define REGIO_CAVEAT_CAVEAT_H

/*
 * A caveat looks at one finished result and, where something casts doubt on it, attaches a note
 * with what was seen. One caveat = one file caveat_x.c + one row in caveat.c + the words of its
 * note in model/note.c. Each judges by what the result itself holds: counters, environment, what
 * monitors saw. What is not there is not known and casts no doubt. Nothing is read from the
 * machine, so an imported or a simulated result is judged by the same rows.
 *
 * A result without jobs is of a machine that was watched while nothing was measured.
 */

#include <stdbool.h>
#include <stddef.h>

#include "model/note.h"

struct result;

struct caveat {
	enum note_id id;
	/* The numbers are not those of the device, or something else changes them meanwhile: a
	 * machine that shows it is not fit to measure. Otherwise something to know about. */
	bool is_disqualifying;
	void (*check)(const struct result *result, struct note_list *notes);
};

/* Ends with NULL. */
const struct caveat *const *caveat_table(void);

/* NULL: that note comes from somewhere else. */
const struct caveat *caveat_find(enum note_id id);

/* Asks all of them. */
void caveats_attach(struct result *result);

/*
 * About several runs of one job in the order in which they were measured: do they depend on each
 * other? what names them ("read.iops of A").
 */
void caveat_check_series(const char *what, const double *values, size_t nr,
			 struct note_list *notes);

#endif
