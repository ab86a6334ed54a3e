/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two-sample rank tests against the golden file and at their degenerate ends. */
#include "stats/ranksum.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"
#include "golden.h"
#include "stats/nulldist.h"

/* Interval of a logarithm against a pair of ratios, or null. */
static void check_ratio_interval(struct interval interval, const json_t *expected)
{
	if (json_is_null(expected)) {
		assert_false(interval_is_bounded(interval));
		return;
	}
	assert_close(exp(interval.lo), golden_item(expected, 0));
	assert_close(exp(interval.hi), golden_item(expected, 1));
}

static void check_brunner_munzel(const struct ranksum *ranksum, const json_t *expect)
{
	struct brunner_munzel guard = ranksum_brunner_munzel(ranksum);

	assert_golden(guard.w, expect, "bm_w");
	assert_golden(guard.df, expect, "bm_df");
	assert_golden(guard.p, expect, "bm_p");
}

static void check_row(const json_t *root, const json_t *row)
{
	json_t *expect = golden_get(row, "expect");
	CLEANUP(ranksum) struct ranksum ranksum = { .a = NULL };
	CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };
	size_t n, m;
	double *a = golden_log_array(root, golden_get(row, "A"), &n);
	double *b = golden_log_array(root, golden_get(row, "B"), &m);

	ranksum_init(&ranksum, a, n, b, m);
	nulldist_init_ranksum(&null, n, m);
	assert_golden(ranksum.u, expect, "U");
	assert_golden(ranksum_p(&ranksum, &null), expect, "p_exact");
	assert_golden(ranksum_normal_p(&ranksum), expect, "p_normal");
	assert_golden(exp(ranksum_shift(&ranksum)), expect, "hl_ratio");
	assert_int_equal(nulldist_critical(&null, 0.05), (long)golden_number(expect, "ci95_c"));
	check_ratio_interval(ranksum_interval(&ranksum, &null, 0.05), golden_get(expect, "ci95"));
	if (json_object_get(expect, "ci90")) {
		assert_int_equal(nulldist_critical(&null, 0.1),
				 (long)golden_number(expect, "ci90_c"));
		check_ratio_interval(ranksum_interval(&ranksum, &null, 0.1),
				     golden_get(expect, "ci90"));
	}
	check_brunner_munzel(&ranksum, expect);
	free(a);
	free(b);
}

static void check_section(const char *section)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	json_array_foreach(golden_get(root, section), i, row) check_row(root, row);
	assert_true(i > 0);
	json_decref(root);
}

static void test_posted_data_match_golden(void **state)
{
	(void)state;
	check_section("two_sample");
}

static void test_small_and_tied_match_golden(void **state)
{
	(void)state;
	check_section("two_sample_small");
}

static void test_points_match_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row = golden_get(root, "absolute_points");
	CLEANUP(ranksum) struct ranksum ranksum = { .a = NULL };
	CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };
	struct interval interval;
	size_t n, m;
	double *a = golden_array(root, golden_get(row, "A"), &n);
	double *b = golden_array(root, golden_get(row, "B"), &m);

	(void)state;
	ranksum_init(&ranksum, a, n, b, m);
	nulldist_init_ranksum(&null, n, m);
	interval = ranksum_interval(&ranksum, &null, 0.05);
	assert_golden(ranksum_shift(&ranksum), row, "hl_diff");
	assert_golden(ranksum_p(&ranksum, &null), row, "p_exact");
	assert_close(interval.lo, golden_item(golden_get(row, "ci95"), 0));
	assert_close(interval.hi, golden_item(golden_get(row, "ci95"), 1));
	free(a);
	free(b);
	json_decref(root);
}

static void test_swapping_samples_mirrors_everything(void **state)
{
	static const double a[] = { 1.0, 4.0, 4.0, 7.5, 9.0, 11.0 };
	static const double b[] = { 3.0, 4.0, 8.0, 12.0, 13.0 };
	CLEANUP(ranksum) struct ranksum forth = { .a = NULL };
	CLEANUP(ranksum) struct ranksum back = { .a = NULL };
	CLEANUP(nulldist) struct nulldist null_forth = { .cdf = NULL };
	CLEANUP(nulldist) struct nulldist null_back = { .cdf = NULL };

	(void)state;
	ranksum_init(&forth, a, 6, b, 5);
	ranksum_init(&back, b, 5, a, 6);
	nulldist_init_ranksum(&null_forth, 6, 5);
	nulldist_init_ranksum(&null_back, 5, 6);
	assert_close(forth.u + back.u, 30.0);
	assert_close(ranksum_p(&forth, &null_forth), ranksum_p(&back, &null_back));
	assert_close(ranksum_shift(&forth), -ranksum_shift(&back));
	assert_close(ranksum_interval(&forth, &null_forth, 0.05).lo,
		     -ranksum_interval(&back, &null_back, 0.05).hi);
	assert_close(ranksum_brunner_munzel(&forth).p, ranksum_brunner_munzel(&back).p);
	assert_close(ranksum_brunner_munzel(&forth).w, -ranksum_brunner_munzel(&back).w);
}

static void test_one_value_a_side_decides_nothing(void **state)
{
	static const double a = 1.0;
	static const double b = 2.0;
	CLEANUP(ranksum) struct ranksum ranksum = { .a = NULL };
	CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };

	(void)state;
	ranksum_init(&ranksum, &a, 1, &b, 1);
	nulldist_init_ranksum(&null, 1, 1);
	assert_close(ranksum_p(&ranksum, &null), 1.0);
	assert_close(ranksum_shift(&ranksum), 1.0);
	assert_false(interval_is_bounded(ranksum_interval(&ranksum, &null, 0.05)));
	assert_close(ranksum_brunner_munzel(&ranksum).p, 1.0);
}

static void test_large_samples_take_the_normal_path(void **state)
{
	double a[100], b[100];
	CLEANUP(ranksum) struct ranksum ranksum = { .a = NULL };
	CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };
	struct interval interval;

	(void)state;
	for (size_t i = 0; i < 100; i++) {
		a[i] = (double)(i * 37 % 100);
		b[i] = (double)(i * 61 % 100) + 20.5;
	}
	ranksum_init(&ranksum, a, 100, b, 100);
	nulldist_init_ranksum(&null, 100, 100);
	interval = ranksum_interval(&ranksum, &null, 0.05);
	assert_close(ranksum_p(&ranksum, &null), ranksum_normal_p(&ranksum));
	assert_true(ranksum_p(&ranksum, &null) < 1e-4);
	assert_close(ranksum_shift(&ranksum), 20.5);
	assert_true(interval.lo > 10.0 && interval.lo < 20.5);
	assert_true(interval.hi < 31.0 && interval.hi > 20.5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_posted_data_match_golden),
		cmocka_unit_test(test_small_and_tied_match_golden),
		cmocka_unit_test(test_points_match_golden),
		cmocka_unit_test(test_swapping_samples_mirrors_everything),
		cmocka_unit_test(test_one_value_a_side_decides_nothing),
		cmocka_unit_test(test_large_samples_take_the_normal_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
