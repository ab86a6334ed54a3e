/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_RUNS_NEEDED_H
#define REGIO_ANALYSIS_RUNS_NEEDED_H

#include <stdbool.h>
#include <stddef.h>

struct metric_row;

/* How many runs a side would give a verdict about a row that has none. */
struct runs_needed {
	size_t nr; /* with about 80 % power; at least EFFECT_MIN_RUNS */
	/* The same if the effect is the largest that its interval leaves open. */
	size_t nr_least;
	bool is_spread_known;
	double spread; /* relative standard deviation of one run, where it is known */
	/* Where it is not: the largest spread with which EFFECT_MIN_RUNS runs are enough. */
	double max_spread;
	bool is_out_of_reach; /* more than anybody would run */
};

/* False if the row has a verdict, or is compared neither as a ratio nor at all. */
bool runs_needed_for(const struct metric_row *row, struct runs_needed *ret);

#define RUNS_NEEDED_LEN 320
/* "a verdict needs at least 5 runs a side; .." */
void runs_needed_text(const struct runs_needed *needed, const struct metric_row *row,
		      char ret_text[RUNS_NEEDED_LEN]);

#endif
