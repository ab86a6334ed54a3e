/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_SETTLE_H
#define REGIO_LOAD_SETTLE_H

/*
 * steadystate=: looks at what a job or a group of jobs does, once an interval, and says when it
 * has settled. The counts come from whoever watches the workers.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/sample.h"
#include "model/steady.h"

struct job;

/* All that is told of an interval. */
struct settle_counts {
	struct sample_counts done;
	uint64_t lat_sum_ns; /* of all I/Os so far */
};

struct settle {
	struct steady_result result;
	const struct job *job;
	size_t capacity;	     /* samples of a whole window */
	uint64_t begin_ns, due_ns;   /* of the current interval; 0 = not begun */
	struct settle_counts counts; /* at its begin */
};

/* True if the job is to be ended when it has settled. */
bool settle_is_wanted(const struct job *job);
/* True if it reports the group of its jobs as one, so that they settle together. */
bool settle_is_shared(const struct job *a, const struct job *b);

/* True if they are judged alike. */
bool settle_is_alike(const struct job *a, const struct job *b);

struct settle *settle_create(const struct job *job);
/* Accepts NULL. */
void settle_free(struct settle *settle);

/* Takes a sample if an interval has ended. True, once, if the rule is met now. epoch_ns: when the
 * last of the jobs began to be measured. */
bool settle_look(struct settle *settle, uint64_t epoch_ns, uint64_t now_ns,
		 const struct settle_counts *counts);

/* Copy for a result. */
struct steady_result *settle_report(const struct settle *settle);

#endif
