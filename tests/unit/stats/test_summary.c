/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summary of one sample against the golden file. */
#include "stats/summary.h"

#include <math.h>
#include <stdlib.h>

#include "test.h"
#include "golden.h"

static void check_median_interval(const struct summary *summary, const json_t *expect)
{
	json_t *ranks = golden_get(expect, "median_ci_ranks");
	size_t k = median_interval_rank(summary->n, 0.05);
	json_t *interval;

	if (json_is_null(ranks)) {
		assert_int_equal(k, 0);
		assert_close(summary->median_interval.lo, summary->min);
		assert_close(summary->median_interval.hi, summary->max);
		assert_true(summary->median_level < 0.95);
		return;
	}
	interval = golden_get(expect, "median_ci95");
	assert_int_equal(k, (size_t)golden_item(ranks, 0));
	assert_int_equal(summary->n + 1 - k, (size_t)golden_item(ranks, 1));
	assert_close(summary->median_interval.lo, golden_item(interval, 0));
	assert_close(summary->median_interval.hi, golden_item(interval, 1));
	assert_golden(summary->median_level, expect, "median_ci_coverage");
}

static void check_mean_interval(const struct summary *summary, const json_t *expect)
{
	struct interval interval = summary_mean_interval(summary, 0.95);

	assert_close(interval.lo, golden_item(golden_get(expect, "mean_ci95"), 0));
	assert_close(interval.hi, golden_item(golden_get(expect, "mean_ci95"), 1));
}

static void check_summary(const struct summary *summary, const json_t *expect)
{
	assert_int_equal(summary->n, golden_size(expect, "n"));
	assert_golden(summary->mean, expect, "mean");
	assert_golden(summary->stddev, expect, "sd");
	assert_golden(summary->stddev_population, expect, "sd_pop");
	assert_golden(summary->median, expect, "median");
	assert_golden(summary->mad, expect, "mad");
	check_median_interval(summary, expect);
	if (summary->n == 1)
		return;
	assert_golden(summary->min, expect, "min");
	assert_golden(summary->max, expect, "max");
	assert_golden(summary_percent_stddev(summary), expect, "pct_stddev");
	check_mean_interval(summary, expect);
}

static void test_matches_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "summary"), i, row)
	{
		json_t *source = json_object_get(row, "data");
		struct summary summary;
		double *values;
		size_t nr;

		values = golden_array(root, source ? source : golden_get(row, "values"), &nr);
		summary_init(&summary, values, nr);
		check_summary(&summary, golden_get(row, "expect"));
		free(values);
	}
	assert_int_equal(i, 10);
	json_decref(root);
}

static void test_median_ranks_match_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "median_ci_ranks_95"), i, row)
	{
		size_t n = golden_size(row, "n");
		size_t k = median_interval_rank(n, 0.05);

		if (json_is_null(golden_get(row, "lo_rank"))) {
			assert_int_equal(k, 0);
			continue;
		}
		assert_int_equal(k, golden_size(row, "lo_rank"));
		assert_int_equal(n + 1 - k, golden_size(row, "hi_rank"));
		assert_golden(median_interval_level(n, k), row, "coverage");
	}
	assert_true(i > 0);
	json_decref(root);
}

static void test_five_runs_show_their_true_level(void **state)
{
	static const double values[] = { 5, 1, 3, 2, 4 };
	struct summary summary;

	(void)state;
	summary_init(&summary, values, 5);
	assert_close(summary.median_level, 0.9375);
	assert_close(summary.median_interval.lo, 1.0);
	assert_close(summary.median_interval.hi, 5.0);
}

static void test_one_run_has_no_interval(void **state)
{
	static const double value = 5.0;
	struct summary summary;

	(void)state;
	summary_init(&summary, &value, 1);
	assert_true(isnan(summary.stddev));
	assert_true(summary.median_level == 0.0);
	assert_false(interval_is_bounded(summary_mean_interval(&summary, 0.95)));
}

static void test_skew_is_told_from_three_percent_on(void **state)
{
	static const double even[] = { 98, 99, 100, 101, 110 };
	static const double skewed[] = { 98, 99, 100, 101, 120 };
	struct summary summary;

	(void)state;
	summary_init(&summary, even, 5);
	assert_false(summary_is_skewed(&summary));
	summary_init(&summary, skewed, 5);
	assert_true(summary_is_skewed(&summary));
	assert_close(summary_robust_cv(&summary), 0.014826);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_matches_golden),
		cmocka_unit_test(test_median_ranks_match_golden),
		cmocka_unit_test(test_five_runs_show_their_true_level),
		cmocka_unit_test(test_one_run_has_no_interval),
		cmocka_unit_test(test_skew_is_told_from_three_percent_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
