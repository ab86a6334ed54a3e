/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_WARNING_H
#define REGIO_JOB_WARNING_H

/*
 * What the parser wants to tell without refusing the job. A trap is told once, at its first place,
 * with the number of the others: a file that walks into it on every line gets one line about it.
 */

#include "base/vec.h"
#include "model/job.h"
#include "model/trap.h"

struct arena;
struct place;

/* Warnings in the order they arose; repetitions of a recent one are dropped. */
struct warning_list {
	struct VEC_BODY(struct job_warning) told;
	/* Of each trap: 1 + index of its warning, and where it was seen last. */
	size_t positions[TRAP_NR_IDS];
	const char *last_sources[TRAP_NR_IDS];
	unsigned last_lines[TRAP_NR_IDS];
};

void warning_list_release(struct warning_list *list);

__attribute__((format(printf, 4, 5))) void warning_add(struct warning_list *list,
						       struct arena *arena,
						       const struct place *place,
						       const char *format, ...);

/* text: what was done here in place of what fio does. */
void warning_add_trap(struct warning_list *list, struct arena *arena, const struct place *place,
		      enum trap_id trap, const char *text);

#endif
