/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_NULLDIST_H
#define REGIO_STATS_NULLDIST_H

#include <stddef.h>

#include "base/cleanup.h"

/*
 * Distribution of a rank statistic under "no difference" and without ties: Mann-Whitney's U or
 * Wilcoxon's W. Both are symmetric about `mean`, so half the table is kept. It depends on the
 * sample sizes only: build one and use it for every metric with these sizes.
 */
struct nulldist {
	size_t n; /* sample sizes it holds for; m = 0: signed ranks of n pairs */
	size_t m;
	double *cdf; /* cdf[u] = P(U <= u), u <= mean; owned; NULL: normal approximation */
	size_t nr_cdf;
	size_t maximum; /* largest value of the statistic */
	double mean;
	double stddev;
};

/* Exact up to this product of the sample sizes, normal above. */
#define RANKSUM_MAX_EXACT 3600

/* Exact up to this number of pairs, normal above. */
#define SIGNRANK_MAX_EXACT 200

void nulldist_init_ranksum(struct nulldist *null, size_t n, size_t m);
void nulldist_init_signrank(struct nulldist *null, size_t n);
void nulldist_release(struct nulldist *null);
CLEANUP_DEFINE(nulldist, struct nulldist, nulldist_release)

/* min(1, 2 P(U <= min(u, maximum - u))). */
double nulldist_p(const struct nulldist *null, double u);

/*
 * Largest c with 2 P(U <= c) <= alpha, or -1: the interval between the ordered differences
 * number c + 1 and maximum - c has a level of at least 1 - alpha.
 */
long nulldist_critical(const struct nulldist *null, double alpha);

#endif
