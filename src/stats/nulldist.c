/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nulldist: null distributions of rank statistics, counted by additions of doubles only. */
#include "stats/nulldist.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>

#include "base/arena.h"
#include "stats/distribution.h"

static size_t size_min(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Turns counts into cumulative shares of `total`. */
static void counts_accumulate(double *counts, size_t nr, double total)
{
	double sum = 0.0;

	for (size_t i = 0; i < nr; i++) {
		sum += counts[i];
		counts[i] = sum / total;
	}
}

static double binomial(size_t n, size_t k)
{
	double value = 1.0;

	for (size_t i = 1; i <= k; i++)
		value = value * (double)(n - k + i) / (double)i;
	return value;
}

/*
 * U = u is reached by as many orders as u has partitions into at most n parts of at most m each
 * (Mann & Whitney 1947). Such a partition has fewer than i parts, or exactly i, and then taking
 * one off each leaves at most i parts of at most j - 1:
 *	f(i, j, u) = f(i - 1, j, u) + f(i, j - 1, u - i)
 * Row i of the table holds f(i, j, .) for the j reached so far. Returns row n, owned by the caller.
 */
static double *ranksum_counts(size_t n, size_t m, size_t nr)
{
	CLEANUP(free) double *table = xcalloc((n + 1) * nr, sizeof(*table));
	double *counts = xcalloc(nr, sizeof(*counts));

	for (size_t i = 0; i <= n; i++)
		table[i * nr] = 1.0;
	for (size_t j = 1; j <= m; j++) {
		for (size_t i = 1; i <= n; i++) {
			const double *fewer = &table[(i - 1) * nr];
			double *row = &table[i * nr];

			/* Downwards, so that row[u - i] still belongs to j - 1. */
			for (size_t u = size_min(i * j, nr - 1); u >= i; u--)
				row[u] = fewer[u] + row[u - i];
			for (size_t u = 1; u < size_min(i, nr); u++)
				row[u] = fewer[u];
		}
	}
	for (size_t u = 0; u < nr; u++)
		counts[u] = table[n * nr + u];
	return counts;
}

void nulldist_init_ranksum(struct nulldist *null, size_t n, size_t m)
{
	double product = (double)n * (double)m;

	*null = (struct nulldist){
		.n = n,
		.m = m,
		.maximum = n * m,
		.mean = product / 2.0,
		.stddev = sqrt(product * (double)(n + m + 1) / 12.0),
	};
	if (n * m > RANKSUM_MAX_EXACT)
		return;
	null->nr_cdf = n * m / 2 + 1;
	null->cdf = n < m ? ranksum_counts(n, m, null->nr_cdf) : ranksum_counts(m, n, null->nr_cdf);
	counts_accumulate(null->cdf, null->nr_cdf, binomial(n + m, size_min(n, m)));
}

/* W = w is reached by as many choices of signs as w is a sum of different ranks (Wilcoxon 1945). */
void nulldist_init_signrank(struct nulldist *null, size_t n)
{
	size_t maximum = n * (n + 1) / 2;

	*null = (struct nulldist){
		.n = n,
		.maximum = maximum,
		.mean = (double)maximum / 2.0,
		.stddev = sqrt((double)maximum * (double)(2 * n + 1) / 12.0),
	};
	if (n > SIGNRANK_MAX_EXACT)
		return;
	null->nr_cdf = maximum / 2 + 1;
	null->cdf = xcalloc(null->nr_cdf, sizeof(*null->cdf));
	null->cdf[0] = 1.0;
	for (size_t rank = 1; rank <= n; rank++) {
		for (size_t w = null->nr_cdf - 1; w >= rank; w--)
			null->cdf[w] += null->cdf[w - rank];
	}
	counts_accumulate(null->cdf, null->nr_cdf, ldexp(1.0, (int)n));
}

void nulldist_release(struct nulldist *null)
{
	free(null->cdf);
	*null = (struct nulldist){ .cdf = NULL };
}

double nulldist_p(const struct nulldist *null, double u)
{
	double lower = fmin(u, (double)null->maximum - u);

	assert(lower >= 0.0);
	if (null->cdf)
		return fmin(1.0, 2.0 * null->cdf[(size_t)lower]);
	/* Half a step for continuity. */
	return fmin(1.0, normal_two_sided(fmax(0.0, null->mean - lower - 0.5) / null->stddev));
}

long nulldist_critical(const struct nulldist *null, double alpha)
{
	long c = -1;

	if (!null->cdf) {
		double z = normal_quantile(1.0 - alpha / 2.0);

		return (long)fmax(-1.0, floor(null->mean - 0.5 - z * null->stddev));
	}
	while ((size_t)(c + 1) < null->nr_cdf && 2.0 * null->cdf[c + 1] <= alpha)
		c++;
	return c;
}
