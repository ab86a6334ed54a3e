/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Null distributions against the golden file and against libRmath. */
#include "stats/nulldist.h"

#include <stdlib.h>

#include "test.h"

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

#include "golden.h"

static void test_ranksum_matches_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "mw_null"), i, row)
	{
		CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };
		double n = golden_number(row, "n");
		double m = golden_number(row, "m");
		double u = golden_number(row, "u");

		nulldist_init_ranksum(&null, (size_t)n, (size_t)m);
		assert_golden(nulldist_p(&null, u), row, "p_two_sided");
		assert_golden(nulldist_p(&null, n * m - u), row, "p_two_sided");
	}
	assert_true(i > 0);
	json_decref(root);
}

static void test_ranksum_critical_matches_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "mw_crit"), i, row)
	{
		CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };

		nulldist_init_ranksum(&null, golden_size(row, "n"), golden_size(row, "m"));
		assert_int_equal(nulldist_critical(&null, golden_number(row, "alpha")),
				 (long)golden_number(row, "c"));
	}
	assert_true(i > 0);
	json_decref(root);
}

static void test_ranksum_whole_table(void **state)
{
	static const size_t sizes[][2] = { { 1, 1 },  { 1, 9 },	 { 9, 1 },  { 2, 2 },
					   { 6, 11 }, { 11, 6 }, { 17, 20 } };

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };
		size_t n = sizes[i][0];
		size_t m = sizes[i][1];

		nulldist_init_ranksum(&null, n, m);
		assert_int_equal(null.nr_cdf, n * m / 2 + 1);
		for (size_t u = 0; u < null.nr_cdf; u++)
			assert_close(null.cdf[u], pwilcox((double)u, (double)n, (double)m, 1, 0));
	}
	wilcox_free();
}

static void test_signrank_matches_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "sr_null"), i, row)
	{
		CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };

		nulldist_init_signrank(&null, golden_size(row, "n"));
		assert_golden(nulldist_p(&null, golden_number(row, "w")), row, "p_two_sided");
	}
	assert_true(i > 0);
	json_decref(root);
}

static void test_signrank_whole_table(void **state)
{
	(void)state;
	for (size_t n = 1; n <= 60; n += 7) {
		CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };

		nulldist_init_signrank(&null, n);
		for (size_t w = 0; w < null.nr_cdf; w++)
			assert_close(null.cdf[w], psignrank((double)w, (double)n, 1, 0));
	}
	signrank_free();
}

/* Beyond the exact size the two must still agree where they meet. */
static void test_normal_approximation_is_near(void **state)
{
	CLEANUP(nulldist) struct nulldist exact = { .cdf = NULL };
	CLEANUP(nulldist) struct nulldist normal = { .cdf = NULL };

	(void)state;
	nulldist_init_ranksum(&exact, 60, 60);
	nulldist_init_ranksum(&normal, 60, 61);
	assert_non_null(exact.cdf);
	assert_null(normal.cdf);
	normal.mean = exact.mean;
	normal.stddev = exact.stddev;
	normal.maximum = exact.maximum;
	for (double u = 1350.0; u <= 1800.0; u += 50.0) {
		double difference = nulldist_p(&normal, u) - nulldist_p(&exact, u);

		assert_true(difference < 2e-3 && difference > -2e-3);
	}
	assert_true(labs(nulldist_critical(&normal, 0.05) - nulldist_critical(&exact, 0.05)) <= 1);
}

static void test_no_interval_when_too_few(void **state)
{
	CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };

	(void)state;
	nulldist_init_ranksum(&null, 5, 5);
	assert_int_equal(nulldist_critical(&null, 0.007931), -1);
	assert_int_equal(nulldist_critical(&null, 0.008654), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranksum_matches_golden),
		cmocka_unit_test(test_ranksum_critical_matches_golden),
		cmocka_unit_test(test_ranksum_whole_table),
		cmocka_unit_test(test_signrank_matches_golden),
		cmocka_unit_test(test_signrank_whole_table),
		cmocka_unit_test(test_normal_approximation_is_near),
		cmocka_unit_test(test_no_interval_when_too_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
