/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fixed-size comparison against the golden file, and its caveats. */
#include "analysis/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"
#include "golden.h"
#include "stats/nulldist.h"

static const struct compare_config five_percent = {
	.rule = { .alpha = 0.05, .min_effect = 0.05 },
	.polarity = POLARITY_HIGHER_IS_BETTER,
};

static const char *finding_name(enum finding finding)
{
	static const char *const names[] = {
		[FINDING_UNDECIDED] = "undecided",
		[FINDING_LOWER] = "lower",
		[FINDING_HIGHER] = "higher",
		[FINDING_NO_DIFFERENCE] = "no_difference",
	};

	return names[finding];
}

static void check_interval(struct interval interval, const json_t *expected)
{
	assert_close(interval.lo, golden_item(expected, 0));
	assert_close(interval.hi, golden_item(expected, 1));
}

static void check_comparison(const struct comparison *comparison, const json_t *expect)
{
	const struct decision *decision = &comparison->decision;
	json_t *slow = golden_get(expect, "slow10_counts");

	assert_golden(comparison->u, expect, "U");
	assert_golden(decision->p, expect, "p_exact");
	assert_golden(decision->guard_p, expect, "bm_p");
	assert_golden(decision->effect, expect, "hl_ratio");
	check_interval(decision->interval, golden_get(expect, "ci95"));
	check_interval(decision->equivalence, golden_get(expect, "ci90"));
	assert_golden(comparison->ratio_of_medians, expect, "ratio_of_medians");
	assert_golden(comparison->ratio_of_means, expect, "ratio_of_means");
	assert_int_equal(comparison->slow_runs.nr_a, (size_t)golden_item(slow, 0));
	assert_int_equal(comparison->slow_runs.nr_b, (size_t)golden_item(slow, 1));
	assert_golden(comparison->slow_runs.p, expect, "slow10_fisher_p");
	assert_string_equal(finding_name(decision->finding),
			    json_string_value(golden_get(expect, "verdict_X5")));
}

static void test_posted_data_match_golden(void **state)
{
	json_t *root = golden_load();
	json_t *row;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "two_sample"), i, row)
	{
		struct sample a, b;
		struct comparison comparison;
		double *values_a = golden_array(root, golden_get(row, "A"), &a.nr);
		double *values_b = golden_array(root, golden_get(row, "B"), &b.nr);

		a.values = values_a;
		b.values = values_b;
		compare_samples(&five_percent, &a, &b, &comparison);
		check_comparison(&comparison, golden_get(row, "expect"));
		assert_int_equal(comparison.decision.nr_a, a.nr);
		assert_int_equal(comparison.decision.nr_b, b.nr);
		free(values_a);
		free(values_b);
	}
	assert_int_equal(i, 8);
	json_decref(root);
}

static void test_percentages_are_compared_in_points(void **state)
{
	json_t *root = golden_load();
	json_t *row = golden_get(root, "absolute_points");
	struct compare_config config = five_percent;
	struct sample a, b;
	struct comparison comparison;
	double *values_a = golden_array(root, golden_get(row, "A"), &a.nr);
	double *values_b = golden_array(root, golden_get(row, "B"), &b.nr);

	(void)state;
	a.values = values_a;
	b.values = values_b;
	config.rule.is_percent = true;
	config.rule.min_effect_points = 1.0;
	compare_samples(&config, &a, &b, &comparison);
	assert_int_equal(comparison.decision.scale, SCALE_POINTS);
	assert_golden(comparison.decision.effect, row, "hl_diff");
	assert_golden(comparison.decision.p, row, "p_exact");
	check_interval(comparison.decision.interval, golden_get(row, "ci95"));
	assert_int_equal(comparison.decision.finding, FINDING_LOWER);
	assert_int_equal(comparison.slow_runs.nr_a, 0);
	free(values_a);
	free(values_b);
	json_decref(root);
}

static struct comparison compare_arrays(const struct compare_config *config, const double *a,
					size_t n, const double *b, size_t m)
{
	struct sample sample_a = { .values = a, .nr = n };
	struct sample sample_b = { .values = b, .nr = m };
	struct comparison comparison;

	compare_samples(config, &sample_a, &sample_b, &comparison);
	return comparison;
}

static void test_below_five_runs_a_side_no_verdict(void **state)
{
	static const double a[] = { 100, 101, 102, 103, 104 };
	static const double b[] = { 10, 11, 12, 13, 14 };
	struct comparison comparison = compare_arrays(&five_percent, a, 5, b, 4);

	(void)state;
	assert_false(comparison.decision.is_tested);
	assert_int_equal(comparison.decision.finding, FINDING_UNDECIDED);
	assert_true(comparison.decision.effect < 0.2);
	assert_false(interval_is_bounded(comparison.decision.interval));
	assert_true(comparison_sure_size(&comparison) == 0.0);

	comparison = compare_arrays(&five_percent, a, 5, b, 5);
	assert_int_equal(comparison.decision.finding, FINDING_LOWER);
	comparison = compare_arrays(&five_percent, a, 1, b, 1);
	assert_close(comparison.decision.effect, 0.1);
}

static void test_zero_and_negative_values(void **state)
{
	static const double a[] = { 0, 0, 1, 0, 0, 2 };
	static const double b[] = { 9, 8, 7, 11, 12, 10 };
	struct comparison comparison = compare_arrays(&five_percent, a, 6, b, 6);

	(void)state;
	assert_int_equal(comparison.decision.scale, SCALE_POINTS);
	assert_int_equal(comparison.decision.finding, FINDING_HIGHER);
	assert_true(comparison.decision.effect > 7.0);
}

static void test_slow_runs_of_a_latency_are_long(void **state)
{
	static const double a[] = { 100, 101, 99, 100, 80, 102 };
	static const double b[] = { 100, 101, 99, 130, 120, 140 };
	struct compare_config config = five_percent;
	struct comparison comparison;

	(void)state;
	config.polarity = POLARITY_LOWER_IS_BETTER;
	comparison = compare_arrays(&config, a, 6, b, 6);
	assert_int_equal(comparison.slow_runs.nr_a, 0);
	assert_int_equal(comparison.slow_runs.nr_b, 2);
	config.polarity = POLARITY_HIGHER_IS_BETTER;
	comparison = compare_arrays(&config, a, 6, b, 6);
	assert_int_equal(comparison.slow_runs.nr_a, 1);
}

static void test_caveats(void **state)
{
	static const double steady[] = { 100, 103, 99, 102, 98, 101, 104, 97 };
	static const double rising[] = { 100, 101, 102, 103, 104, 105, 106, 107 };
	static const double one_slow[] = { 100, 103, 99, 102, 20, 101, 104, 97 };
	struct comparison comparison;

	(void)state;
	comparison = compare_arrays(&five_percent, steady, 8, steady, 8);
	assert_false(comparison.has_drift || comparison.is_skewed);
	comparison = compare_arrays(&five_percent, steady, 8, rising, 8);
	assert_true(comparison.has_drift);
	comparison = compare_arrays(&five_percent, one_slow, 8, steady, 8);
	assert_true(comparison.is_skewed);
}

static void test_shared_null_distribution(void **state)
{
	static const double a[] = { 100, 101, 102, 103, 104 };
	static const double b[] = { 99, 100.5, 90, 94, 107, 98 };
	CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };
	struct compare_config config = five_percent;
	struct comparison with, without;

	(void)state;
	nulldist_init_ranksum(&null, 5, 6);
	without = compare_arrays(&config, a, 5, b, 6);
	config.null = &null;
	with = compare_arrays(&config, a, 5, b, 6);
	assert_true(with.decision.p == without.decision.p);
	assert_true(with.decision.interval.lo == without.decision.interval.lo);
}

static void test_adjusting_skips_the_untested(void **state)
{
	struct comparison items[3] = {
		{ .decision = { .is_tested = true, .p = 0.04 }, .adjusted_p = 0.04 },
		{ .decision = { .is_tested = false, .p = 1.0 }, .adjusted_p = 1.0 },
		{ .decision = { .is_tested = true, .p = 0.01 }, .adjusted_p = 0.01 },
	};

	(void)state;
	comparisons_adjust(items, 3, COMPARE_ADJUST_HOLM);
	assert_close(items[0].adjusted_p, 0.04);
	assert_close(items[1].adjusted_p, 1.0);
	assert_close(items[2].adjusted_p, 0.02);
	comparisons_adjust(items, 3, COMPARE_ADJUST_BENJAMINI_HOCHBERG);
	assert_close(items[2].adjusted_p, 0.02);
	assert_close(items[0].adjusted_p, 0.04);
}

static void test_smallest_p(void **state)
{
	(void)state;
	assert_close(compare_smallest_p(5, 5), 2.0 / 252.0);
	assert_close(compare_smallest_p(6, 6), 2.0 / 924.0);
	assert_close(compare_smallest_p(1, 1), 1.0);
}

static void test_sure_size_is_the_near_end(void **state)
{
	struct comparison comparison = {
		.decision = {
			.is_tested = true,
			.scale = SCALE_RATIO,
			.interval = { .lo = 0.8, .hi = 0.9 },
		},
	};

	(void)state;
	assert_close(comparison_sure_size(&comparison), -log(0.9));
	comparison.decision.interval = (struct interval){ .lo = 1.25, .hi = 2.0 };
	assert_close(comparison_sure_size(&comparison), log(1.25));
	comparison.decision.interval.lo = 0.99;
	assert_true(comparison_sure_size(&comparison) == 0.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_posted_data_match_golden),
		cmocka_unit_test(test_percentages_are_compared_in_points),
		cmocka_unit_test(test_below_five_runs_a_side_no_verdict),
		cmocka_unit_test(test_zero_and_negative_values),
		cmocka_unit_test(test_slow_runs_of_a_latency_are_long),
		cmocka_unit_test(test_caveats),
		cmocka_unit_test(test_shared_null_distribution),
		cmocka_unit_test(test_adjusting_skips_the_untested),
		cmocka_unit_test(test_smallest_p),
		cmocka_unit_test(test_sure_size_is_the_near_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
