/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_LEVELS_H
#define REGIO_STATS_LEVELS_H

#include <stddef.h>

#define LEVELS_MIN_PAIRS 5
#define LEVELS_MAX_PAIRS 60

/*
 * Nominal two-sided levels per look of a sequential rank test that looks after every pair from
 * the fifth on, flat over the looks as in Pocock 1977. Under "no difference" the sequence of rank
 * statistics is free of the noise's distribution, so these hold for any continuous noise.
 */
struct levels {
	size_t max_pairs; /* of the table row: at least the budget asked for */
	double alpha;	  /* overall; at most the one asked for */
	double ranksum_alarm;
	double ranksum_equivalence;
	double signrank_alarm;
	double signrank_equivalence;
};

/*
 * The row for a budget of max_pairs (1..LEVELS_MAX_PAIRS) and the largest tabulated alpha that
 * does not exceed `alpha`; NULL if there is none.
 */
const struct levels *levels_find(size_t max_pairs, double alpha);

#endif
