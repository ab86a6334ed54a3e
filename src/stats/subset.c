/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subset: counts subsets of ranks by their sum, for exact tests with ties. */
#include "stats/subset.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static int rank_compare(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left;
	int64_t b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* Twice the smaller tail at `at`, both tails counting `at` itself. */
static double two_sided(const double *counts, size_t nr, size_t at)
{
	double lower = 0.0;
	double upper = 0.0;

	for (size_t i = 0; i < nr; i++) {
		lower += i <= at ? counts[i] : 0.0;
		upper += i >= at ? counts[i] : 0.0;
	}
	return fmin(1.0, 2.0 * fmin(lower, upper) / (lower + upper - counts[at]));
}

/*
 * Ascending ranks in the smallest numbers with the same differences: less the smallest rank,
 * over the greatest common divisor. *sum of nr_chosen ranks is changed alike.
 */
static void ranks_reduce(int64_t *ranks, size_t nr, size_t nr_chosen, int64_t *sum)
{
	int64_t smallest;
	int64_t divisor = 0;

	qsort(ranks, nr, sizeof(*ranks), rank_compare);
	smallest = ranks[0];
	*sum -= (int64_t)nr_chosen * smallest;
	for (size_t i = 0; i < nr; i++) {
		int64_t rest = ranks[i] -= smallest;

		while (rest) {
			int64_t next = divisor % rest;

			divisor = rest;
			rest = next;
		}
	}
	if (divisor <= 1)
		return;
	*sum /= divisor;
	for (size_t i = 0; i < nr; i++)
		ranks[i] /= divisor;
}

/*
 * Row k of the table counts the choices of k of the ranks seen so far, by their sum less the sum
 * of the k smallest ranks. With the ranks ascending, both ends of a row are known at every step,
 * and rows that cannot become nr_chosen any more are skipped.
 */
struct subset_table {
	const int64_t *ranks; /* ascending */
	size_t nr;
	size_t nr_chosen;
	size_t row_len;
	int64_t *prefix; /* prefix[k] = sum of the k smallest */
	double *counts;
};

/* Adds the choices that include rank number `seen` to row k + 1. */
static void table_include(struct subset_table *table, size_t seen, size_t k)
{
	const double *from = &table->counts[k * table->row_len];
	double *into = &table->counts[(k + 1) * table->row_len];
	size_t offset = (size_t)(table->ranks[seen] - table->ranks[k]);
	size_t widest = (size_t)(table->prefix[seen] - table->prefix[seen - k] - table->prefix[k]);

	for (size_t i = 0; i <= widest; i++)
		into[offset + i] += from[i];
}

static void table_fill(struct subset_table *table)
{
	table->counts[0] = 1.0;
	for (size_t seen = 0; seen < table->nr; seen++) {
		size_t left = table->nr - seen - 1;
		size_t k_end = seen + 1 < table->nr_chosen ? seen + 1 : table->nr_chosen;
		size_t k_first = table->nr_chosen > left + 1 ? table->nr_chosen - left - 1 : 0;

		for (size_t k = k_end; k-- > k_first;)
			table_include(table, seen, k);
	}
}

double subset_sum_p(const int64_t *ranks, size_t nr, size_t nr_chosen, int64_t sum)
{
	CLEANUP(free) int64_t *reduced = xcalloc(nr, sizeof(*reduced));
	CLEANUP(free) int64_t *prefix = xcalloc(nr + 1, sizeof(*prefix));
	CLEANUP(free) double *counts = NULL;
	struct subset_table table = {
		.ranks = reduced,
		.nr = nr,
		.nr_chosen = nr_chosen,
		.prefix = prefix,
	};

	assert(nr_chosen >= 1 && nr_chosen <= nr);
	memcpy(reduced, ranks, nr * sizeof(*reduced));
	ranks_reduce(reduced, nr, nr_chosen, &sum);
	for (size_t i = 0; i < nr; i++)
		prefix[i + 1] = prefix[i] + reduced[i];
	/* The widest sum minus the narrowest one; row k < nr_chosen never needs more. */
	table.row_len = (size_t)(prefix[nr] - prefix[nr - nr_chosen]) + 1;
	counts = xcalloc((nr_chosen + 1) * table.row_len, sizeof(*counts));
	table.counts = counts;
	table_fill(&table);
	return two_sided(&counts[nr_chosen * table.row_len], table.row_len,
			 (size_t)(sum - prefix[nr_chosen]));
}

double sign_sum_p(const int64_t *ranks, size_t nr, int64_t sum)
{
	CLEANUP(free) double *counts = NULL;
	size_t total = 0;
	size_t reached = 0;

	for (size_t i = 0; i < nr; i++)
		total += (size_t)ranks[i];
	counts = xcalloc(total + 1, sizeof(*counts));
	counts[0] = 1.0;
	for (size_t i = 0; i < nr; i++) {
		size_t rank = (size_t)ranks[i];

		reached += rank;
		for (size_t w = reached; w >= rank; w--)
			counts[w] += counts[w - rank];
	}
	return two_sided(counts, total + 1, (size_t)sum);
}
