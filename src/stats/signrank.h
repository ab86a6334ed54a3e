/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_SIGNRANK_H
#define REGIO_STATS_SIGNRANK_H

#include <stddef.h>

#include "base/cleanup.h"
#include "stats/interval.h"

struct nulldist;

/*
 * Paired differences tested by signed ranks (Wilcoxon 1945). If a fair coin decided the order of
 * every pair, the test is exact whatever the drift of the machine.
 */
struct signrank {
	double *differences; /* owned, ascending */
	size_t n;
	size_t nr_nonzero; /* zeros take no part in the test, but in the interval */
	double w_plus;	   /* sum of the midranks of |d| over d > 0 */
	double p;	   /* two-sided */
};

/* n > 0, all differences finite. Exact up to SIGNRANK_MAX_EXACT pairs, then normal. */
void signrank_init(struct signrank *signrank, const double *differences, size_t n);
void signrank_release(struct signrank *signrank);
CLEANUP_DEFINE(signrank, struct signrank, signrank_release)

/* Median of the Walsh averages (d_i + d_j) / 2, i <= j (Hodges & Lehmann 1963). */
double signrank_shift(const struct signrank *signrank);

/* Tukey's interval of that shift, level 1 - alpha (Hollander & Wolfe 1999, 3.3). `null` is the
 * distribution for n pairs. */
struct interval signrank_interval(const struct signrank *signrank, const struct nulldist *null,
				  double alpha);

#endif
