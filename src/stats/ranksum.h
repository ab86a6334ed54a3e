/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_RANKSUM_H
#define REGIO_STATS_RANKSUM_H

#include <stddef.h>

#include "base/cleanup.h"
#include "stats/interval.h"

struct nulldist;

/*
 * Two independent samples compared by ranks (Mann & Whitney 1947). All effects are shifts b - a
 * of the values as given: pass logarithms to get the logarithm of a ratio.
 */
struct ranksum {
	double *a;	/* owned, ascending */
	double *b;	/* owned, ascending */
	size_t n;	/* of a */
	size_t m;	/* of b */
	double u;	/* number of pairs with b > a, plus half of those with b = a */
	double tie_sum; /* sum of t^3 - t over groups of t equal values of both samples */
};

/* n > 0, m > 0, all values finite. */
void ranksum_init(struct ranksum *ranksum, const double *a, size_t n, const double *b, size_t m);
void ranksum_release(struct ranksum *ranksum);
CLEANUP_DEFINE(ranksum, struct ranksum, ranksum_release)

/*
 * Two-sided p. Exact, with ties too, unless n * m exceeds RANKSUM_MAX_EXACT; then normal. `null`
 * is the distribution for n and m.
 */
double ranksum_p(const struct ranksum *ranksum, const struct nulldist *null);

/* Normal approximation with tie and continuity correction, for any size. */
double ranksum_normal_p(const struct ranksum *ranksum);

/* Median of all differences b - a (Hodges & Lehmann 1963). */
double ranksum_shift(const struct ranksum *ranksum);

/* Interval of that shift with level 1 - alpha (Moses' method, Hollander & Wolfe 1999, 4.3). */
struct interval ranksum_interval(const struct ranksum *ranksum, const struct nulldist *null,
				 double alpha);

/* Brunner & Munzel 2000: are a and b as often larger, whatever their variances. */
struct brunner_munzel {
	double w;  /* positive if b tends to be larger; NAN where no variance is left */
	double df; /* Satterthwaite; NAN likewise */
	double p;  /* then 0 for complete separation, 1 if all values are equal */
};

/* A sample of one value has no variance: p = 1. */
struct brunner_munzel ranksum_brunner_munzel(const struct ranksum *ranksum);

#endif
