/* SPDX-License-Identifier: GPL-2.0-or-later */
/* signrank: exact signed-rank test with zeros and ties, Walsh averages and their interval. */
#include "stats/signrank.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "base/arena.h"
#include "stats/distribution.h"
#include "stats/nulldist.h"
#include "stats/pairsum.h"
#include "stats/sorted.h"
#include "stats/subset.h"

static double signrank_normal_p(const int64_t *ranks, size_t nr, double w_plus)
{
	double mean = 0.0;
	double variance = 0.0;
	double distance;

	for (size_t i = 0; i < nr; i++) {
		double rank = 0.5 * (double)ranks[i];

		mean += rank / 2.0;
		variance += rank * rank / 4.0;
	}
	distance = fmax(0.0, fabs(w_plus - mean) - 0.5);
	return fmin(1.0, normal_two_sided(distance / sqrt(variance)));
}

static void signrank_test(struct signrank *signrank)
{
	CLEANUP(free) double *sizes = xcalloc(signrank->n, sizeof(*sizes));
	CLEANUP(free) int64_t *ranks = xcalloc(signrank->n, sizeof(*ranks));
	size_t nr = 0;
	size_t nr_negative = 0;
	int64_t sum = 0;

	/* In ascending order: the negative differences come first. */
	for (size_t i = 0; i < signrank->n; i++) {
		nr_negative += signrank->differences[i] < 0.0;
		if (signrank->differences[i] != 0.0)
			sizes[nr++] = fabs(signrank->differences[i]);
	}
	midranks_doubled(sizes, nr, ranks);
	for (size_t i = nr_negative; i < nr; i++)
		sum += ranks[i];

	signrank->nr_nonzero = nr;
	signrank->w_plus = 0.5 * (double)sum;
	if (nr == 0)
		signrank->p = 1.0;
	else if (nr > SIGNRANK_MAX_EXACT)
		signrank->p = signrank_normal_p(ranks, nr, signrank->w_plus);
	else
		signrank->p = sign_sum_p(ranks, nr, sum);
}

void signrank_init(struct signrank *signrank, const double *differences, size_t n)
{
	assert(n > 0);
	*signrank = (struct signrank){ .differences = sorted_copy(differences, n), .n = n };
	signrank_test(signrank);
}

void signrank_release(struct signrank *signrank)
{
	free(signrank->differences);
	*signrank = (struct signrank){ .differences = NULL };
}

static struct pairsum walsh_sums(const struct signrank *signrank)
{
	return (struct pairsum){
		.rows = signrank->differences,
		.nr_rows = signrank->n,
		.cols = signrank->differences,
		.nr_cols = signrank->n,
		.upper_triangle = true,
	};
}

double signrank_shift(const struct signrank *signrank)
{
	struct pairsum sums = walsh_sums(signrank);

	return 0.5 * pairsum_median(&sums);
}

struct interval signrank_interval(const struct signrank *signrank, const struct nulldist *null,
				  double alpha)
{
	struct pairsum sums = walsh_sums(signrank);
	long c = nulldist_critical(null, alpha);

	assert(null->n == signrank->n && null->m == 0);
	if (c < 0)
		return INTERVAL_UNBOUNDED;
	return (struct interval){
		.lo = 0.5 * pairsum_select(&sums, (size_t)c + 1),
		.hi = 0.5 * pairsum_select(&sums, null->maximum - (size_t)c),
	};
}
