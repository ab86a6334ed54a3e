/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ranksum: Mann-Whitney test, Hodges-Lehmann shift with interval, Brunner-Munzel test. */
#include "stats/ranksum.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>

#include "base/arena.h"
#include "stats/distribution.h"
#include "stats/nulldist.h"
#include "stats/pairsum.h"
#include "stats/sorted.h"
#include "stats/subset.h"

/*
 * Twice the number of values of `other` below value, equal ones counting half, so a whole number.
 * Both arrays ascend: *cursor, 0 at first, carries the place from one value to the next.
 */
static int64_t placement_doubled(double value, const double *other, size_t nr, size_t *cursor)
{
	size_t end;

	while (*cursor < nr && other[*cursor] < value)
		(*cursor)++;
	end = *cursor;
	while (end < nr && other[end] == value)
		end++;
	return (int64_t)(*cursor + end);
}

/* Sum of t^3 - t over the groups of equal values in a and b together. */
static double tie_sum(const double *a, size_t n, const double *b, size_t m)
{
	double sum = 0.0;
	size_t i = 0;
	size_t j = 0;

	while (i < n || j < m) {
		double value = j >= m || (i < n && a[i] < b[j]) ? a[i] : b[j];
		double nr_tied = 0.0;

		for (; i < n && a[i] == value; i++)
			nr_tied += 1.0;
		for (; j < m && b[j] == value; j++)
			nr_tied += 1.0;
		sum += nr_tied * nr_tied * nr_tied - nr_tied;
	}
	return sum;
}

void ranksum_init(struct ranksum *ranksum, const double *a, size_t n, const double *b, size_t m)
{
	int64_t u_doubled = 0;
	size_t cursor = 0;

	assert(n > 0 && m > 0);
	*ranksum = (struct ranksum){
		.a = sorted_copy(a, n),
		.b = sorted_copy(b, m),
		.n = n,
		.m = m,
	};
	for (size_t j = 0; j < m; j++)
		u_doubled += placement_doubled(ranksum->b[j], ranksum->a, n, &cursor);
	ranksum->u = 0.5 * (double)u_doubled;
	ranksum->tie_sum = tie_sum(ranksum->a, n, ranksum->b, m);
}

void ranksum_release(struct ranksum *ranksum)
{
	free(ranksum->a);
	free(ranksum->b);
	*ranksum = (struct ranksum){ .a = NULL };
}

double ranksum_normal_p(const struct ranksum *ranksum)
{
	double n = (double)ranksum->n;
	double m = (double)ranksum->m;
	double total = n + m;
	double variance = n * m / 12.0 * (total + 1.0 - ranksum->tie_sum / (total * (total - 1.0)));
	double distance = fabs(ranksum->u - n * m / 2.0) - 0.5;

	if (variance <= 0.0 || distance <= 0.0)
		return 1.0;
	return normal_two_sided(distance / sqrt(variance));
}

/* Permutation distribution of the rank sum of the smaller sample, given the ties. */
static double ranksum_tied_p(const struct ranksum *ranksum)
{
	size_t total = ranksum->n + ranksum->m;
	size_t nr_small = ranksum->n < ranksum->m ? ranksum->n : ranksum->m;
	size_t first_small = ranksum->n < ranksum->m ? 0 : ranksum->n;
	CLEANUP(free) double *values = xcalloc(total, sizeof(*values));
	CLEANUP(free) int64_t *ranks = xcalloc(total, sizeof(*ranks));
	int64_t sum = 0;

	for (size_t i = 0; i < ranksum->n; i++)
		values[i] = ranksum->a[i];
	for (size_t j = 0; j < ranksum->m; j++)
		values[ranksum->n + j] = ranksum->b[j];
	midranks_doubled(values, total, ranks);
	for (size_t i = 0; i < nr_small; i++)
		sum += ranks[first_small + i];
	return subset_sum_p(ranks, total, nr_small, sum);
}

double ranksum_p(const struct ranksum *ranksum, const struct nulldist *null)
{
	assert(null->n == ranksum->n && null->m == ranksum->m);
	if (!null->cdf)
		return ranksum_normal_p(ranksum);
	if (ranksum->tie_sum > 0.0)
		return ranksum_tied_p(ranksum);
	return nulldist_p(null, ranksum->u);
}

/* -a in ascending order, so that the sums with b are the differences b - a. */
static double *negated(const struct ranksum *ranksum)
{
	double *values = xcalloc(ranksum->n, sizeof(*values));

	for (size_t i = 0; i < ranksum->n; i++)
		values[i] = -ranksum->a[ranksum->n - 1 - i];
	return values;
}

/* Of which minus_a are the rows. */
static struct pairsum differences_of(const struct ranksum *ranksum, const double *minus_a)
{
	return (struct pairsum){
		.rows = minus_a,
		.nr_rows = ranksum->n,
		.cols = ranksum->b,
		.nr_cols = ranksum->m,
	};
}

double ranksum_shift(const struct ranksum *ranksum)
{
	CLEANUP(free) double *minus_a = negated(ranksum);
	struct pairsum differences = differences_of(ranksum, minus_a);

	return pairsum_median(&differences);
}

struct interval ranksum_interval(const struct ranksum *ranksum, const struct nulldist *null,
				 double alpha)
{
	CLEANUP(free) double *minus_a = negated(ranksum);
	struct pairsum differences = differences_of(ranksum, minus_a);
	long c = nulldist_critical(null, alpha);

	if (c < 0)
		return INTERVAL_UNBOUNDED;
	return (struct interval){
		.lo = pairsum_select(&differences, (size_t)c + 1),
		.hi = pairsum_select(&differences, null->maximum - (size_t)c),
	};
}

/*
 * Sample variance of the placements of `values` among `other`, from whole numbers, so that a
 * variance of exactly 0 is recognised.
 */
static double placement_variance(const double *values, size_t nr, const double *other,
				 size_t nr_other)
{
	CLEANUP(free) int64_t *placements = xcalloc(nr, sizeof(*placements));
	double n = (double)nr;
	double sum_sq = 0.0;
	int64_t sum = 0;
	size_t cursor = 0;

	for (size_t i = 0; i < nr; i++) {
		placements[i] = placement_doubled(values[i], other, nr_other, &cursor);
		sum += placements[i];
	}
	for (size_t i = 0; i < nr; i++) {
		double deviation = (double)((int64_t)nr * placements[i] - sum) / (2.0 * n);

		sum_sq += deviation * deviation;
	}
	return sum_sq / (n - 1.0);
}

/*
 * Brunner & Munzel 2000, equations 4.1 to 4.7. A rank among both samples less the rank within the
 * own one is the placement among the other, hence no ranks are needed.
 */
struct brunner_munzel ranksum_brunner_munzel(const struct ranksum *ranksum)
{
	struct brunner_munzel result = { .w = NAN, .df = NAN, .p = 1.0 };
	double n = (double)ranksum->n;
	double m = (double)ranksum->m;
	double share_a, share_b, mean_rank_difference;

	if (ranksum->n < 2 || ranksum->m < 2)
		return result;
	share_a = n * placement_variance(ranksum->a, ranksum->n, ranksum->b, ranksum->m);
	share_b = m * placement_variance(ranksum->b, ranksum->m, ranksum->a, ranksum->n);
	if (share_a == 0.0 && share_b == 0.0) {
		bool is_separate = ranksum->u == 0.0 || ranksum->u == n * m;

		result.p = is_separate ? 0.0 : 1.0;
		return result;
	}
	mean_rank_difference = ranksum->u * (1.0 / m + 1.0 / n) - m + (m - n) / 2.0;
	result.w = n * m * mean_rank_difference / ((n + m) * sqrt(share_a + share_b));
	result.df = (share_a + share_b) * (share_a + share_b) /
		    (share_a * share_a / (n - 1.0) + share_b * share_b / (m - 1.0));
	result.p = student_t_two_sided(result.w, result.df);
	return result;
}
