/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_GIVEN_H
#define REGIO_MODEL_GIVEN_H

/*
 * Numbers that another program counted and printed: what an imported result has in place of
 * counters and exact sums. They carry the names of measured metrics ("read.clat_ns.mean"), the
 * units of these, and the line of the source file they were read from. What was not printed, or
 * cannot be true, has no entry.
 */

#include <limits.h>
#include <stddef.h>

#include "base/cleanup.h"

struct given_metric {
	char *name; /* owned */
	double value;
	unsigned line; /* of the result's source_file; 0 = computed from other given numbers */
	/* Of a summary such as "187.64 ± 5%", where value is the mean of several runs: */
	double stddev_percent; /* NAN = no summary, or not printed */
	unsigned nr_runs;      /* 0 = one run; GIVEN_RUNS_UNKNOWN = several */
	/* Of a comparison table that was posted: */
	double change;	   /* against its first column, in per cent or points; NAN = none */
	char *source_name; /* owned; the name as printed where that is another one, or NULL */
};

#define GIVEN_RUNS_UNKNOWN UINT_MAX

struct given_list {
	struct given_metric *items;
	size_t nr;
};

/*
 * The entry of that name with that value; a later value replaces an earlier one, as the last of
 * several reports of one run counts. The pointer is valid until the next call.
 */
struct given_metric *given_set(struct given_list *list, const char *name, double value,
			       unsigned line);
/* The same without looking for an entry of that name: for lists that repeat no name. */
struct given_metric *given_append(struct given_list *list, const char *name, double value,
				  unsigned line);

/* NULL if there is none of that name. */
const struct given_metric *given_find(const struct given_list *list, const char *name);
/* False if there is none. */
int given_remove(struct given_list *list, const char *name);

void given_list_release(struct given_list *list);
CLEANUP_DEFINE(given_list, struct given_list, given_list_release)

#endif
