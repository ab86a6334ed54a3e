/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Selection among pairwise sums against sorting all of them. */
#include "stats/pairsum.h"

#include <stdlib.h>

#include "test.h"

#include "base/rng.h"
#include "golden.h"
#include "stats/sorted.h"

/* All sums in ascending order, owned by the caller. */
static double *all_sums(const struct pairsum *pairsum)
{
	double *sums = calloc(pairsum_count(pairsum), sizeof(*sums));
	size_t nr = 0;

	assert_non_null(sums);
	for (size_t i = 0; i < pairsum->nr_rows; i++) {
		for (size_t j = pairsum->upper_triangle ? i : 0; j < pairsum->nr_cols; j++)
			sums[nr++] = pairsum->rows[i] + pairsum->cols[j];
	}
	assert_int_equal(nr, pairsum_count(pairsum));
	sort_doubles(sums, nr);
	return sums;
}

static void check_every_rank(const struct pairsum *pairsum)
{
	double *sums = all_sums(pairsum);
	size_t nr = pairsum_count(pairsum);

	for (size_t k = 1; k <= nr; k++)
		assert_true(pairsum_select(pairsum, k) == sums[k - 1]);
	assert_true(pairsum_median(pairsum) == sorted_median(sums, nr));
	free(sums);
}

/* nr_levels 0: continuous values; else that many different ones, so plenty of ties. */
static void random_ascending(struct rng *rng, double *values, size_t nr, uint64_t nr_levels)
{
	for (size_t i = 0; i < nr; i++)
		values[i] = nr_levels ? (double)rng_below(rng, nr_levels) : rng_double(rng);
	sort_doubles(values, nr);
}

static void test_random_inputs(void **state)
{
	static const uint64_t levels[] = { 0, 0, 1, 2, 5, 20 };
	double rows[40], cols[40];
	struct rng rng;

	(void)state;
	rng_init(&rng, 1);
	for (size_t round = 0; round < 120; round++) {
		struct pairsum pairsum = {
			.rows = rows,
			.nr_rows = 1 + rng_below(&rng, 40),
			.cols = cols,
			.nr_cols = 1 + rng_below(&rng, 40),
		};

		random_ascending(&rng, rows, pairsum.nr_rows, levels[round % 6]);
		random_ascending(&rng, cols, pairsum.nr_cols, levels[round % 6]);
		check_every_rank(&pairsum);

		pairsum.cols = rows;
		pairsum.nr_cols = pairsum.nr_rows;
		pairsum.upper_triangle = true;
		check_every_rank(&pairsum);
	}
}

static void test_far_outliers_and_negative_values(void **state)
{
	static const double rows[] = { -1e12, -3.0, -2.5, 0.0, 1e-9, 4.0, 1e15 };
	static const double cols[] = { -7.0, -7.0, -1e-3, 2.0, 1e9 };
	struct pairsum pairsum = { .rows = rows, .nr_rows = 7, .cols = cols, .nr_cols = 5 };

	(void)state;
	check_every_rank(&pairsum);
}

static void test_a_million_sums(void **state)
{
	static double rows[1000], cols[1000];
	struct pairsum pairsum = { .rows = rows, .nr_rows = 1000, .cols = cols, .nr_cols = 1000 };
	struct rng rng;
	double *sums;

	(void)state;
	rng_init(&rng, 2);
	random_ascending(&rng, rows, 1000, 0);
	random_ascending(&rng, cols, 1000, 0);
	sums = all_sums(&pairsum);
	for (size_t k = 1; k <= 1000000; k += 9973)
		assert_true(pairsum_select(&pairsum, k) == sums[k - 1]);
	free(sums);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_inputs),
		cmocka_unit_test(test_far_outliers_and_negative_values),
		cmocka_unit_test(test_a_million_sums),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
