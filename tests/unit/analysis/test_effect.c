/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The decision rule apart from any test: scales, limits, resolution. */
#include "analysis/effect.h"

#include <math.h>

#include "test.h"
#include "golden.h"

static struct evidence clear_evidence(double shift, double lo, double hi)
{
	return (struct evidence){
		.scale = SCALE_RATIO,
		.p = 0.001,
		.guard_p = 0.002,
		.level = 0.05,
		.alpha = 0.05,
		.shift = shift,
		.alarm = { .lo = lo - 0.01, .hi = hi + 0.01 },
		.equivalence = { .lo = lo, .hi = hi },
	};
}

static void test_scale_follows_values_and_unit(void **state)
{
	static const double positive[] = { 1.0, 2.0 };
	static const double with_zero[] = { 1.0, 0.0 };
	struct effect_rule rule = { .min_effect = 0.05 };

	(void)state;
	assert_int_equal(effect_scale(&rule, positive, 2), SCALE_RATIO);
	assert_int_equal(effect_scale(&rule, with_zero, 2), SCALE_POINTS);
	rule.is_percent = true;
	assert_int_equal(effect_scale(&rule, positive, 2), SCALE_POINTS);
}

static void test_limits(void **state)
{
	struct effect_rule rule = { .min_effect = 0.05 };

	(void)state;
	assert_close(exp(-effect_limit(&rule, SCALE_RATIO)), 0.95);
	assert_true(effect_limit(&rule, SCALE_POINTS) == 0.0);
	rule.is_percent = true;
	assert_close(effect_limit(&rule, SCALE_POINTS), 5.0);
	rule.min_effect_points = 0.5;
	assert_close(effect_limit(&rule, SCALE_POINTS), 0.5);
}

static void test_large_significant_change(void **state)
{
	struct effect_rule rule = { .min_effect = 0.05 };
	struct evidence evidence = clear_evidence(-0.1, -0.12, -0.08);
	struct decision decision = effect_decide(&rule, &evidence);

	(void)state;
	assert_int_equal(decision.finding, FINDING_LOWER);
	assert_true(decision.is_significant && decision.is_tested);
	assert_close(decision.effect, exp(-0.1));
	assert_close(decision_interval(&decision).lo, exp(-0.13));
	assert_close(decision_interval(&decision).hi, exp(-0.07));
	assert_close(decision.decidable_effect, 1.0 - exp(-0.12));

	evidence.shift = 0.1;
	assert_int_equal(effect_decide(&rule, &evidence).finding, FINDING_HIGHER);
}

static void test_both_tests_must_agree(void **state)
{
	struct effect_rule rule = { .min_effect = 0.05 };
	struct evidence evidence = clear_evidence(-0.1, -0.12, -0.08);

	(void)state;
	evidence.guard_p = 0.051;
	assert_int_equal(effect_decide(&rule, &evidence).finding, FINDING_UNDECIDED);
	evidence.guard_p = 0.05;
	evidence.p = 0.051;
	assert_int_equal(effect_decide(&rule, &evidence).finding, FINDING_UNDECIDED);
	evidence.p = 0.05;
	assert_int_equal(effect_decide(&rule, &evidence).finding, FINDING_LOWER);
}

static void test_small_significant_change_is_no_difference(void **state)
{
	struct effect_rule rule = { .min_effect = 0.05 };
	struct evidence evidence = clear_evidence(-0.02, -0.03, -0.01);
	struct decision decision = effect_decide(&rule, &evidence);

	(void)state;
	assert_int_equal(decision.finding, FINDING_NO_DIFFERENCE);
	assert_true(decision.is_significant);
	assert_close(decision_interval(&decision).lo, exp(-0.03));
}

static void test_interval_must_lie_inside(void **state)
{
	struct effect_rule rule = { .min_effect = 0.05 };
	struct evidence evidence = clear_evidence(-0.02, log1p(-0.05), 0.01);

	(void)state;
	assert_int_equal(effect_decide(&rule, &evidence).finding, FINDING_UNDECIDED);
	evidence.equivalence.lo += 1e-9;
	assert_int_equal(effect_decide(&rule, &evidence).finding, FINDING_NO_DIFFERENCE);
	rule.min_effect = 0.0;
	evidence.p = 0.5;
	assert_int_equal(effect_decide(&rule, &evidence).finding, FINDING_UNDECIDED);
}

static void test_resolution_widens_and_silences(void **state)
{
	struct effect_rule rule = { .min_effect = 0.01, .resolution = 0.016 };
	struct evidence evidence = clear_evidence(-0.012, -0.0125, -0.0115);
	struct decision decision = effect_decide(&rule, &evidence);

	(void)state;
	assert_int_equal(decision.finding, FINDING_UNDECIDED);
	assert_close(decision.equivalence.lo, exp(-0.012) * (1.0 - 0.016));
	assert_close(decision.equivalence.hi, exp(-0.012) / (1.0 - 0.016));
	evidence.shift = -0.017;
	assert_int_equal(effect_decide(&rule, &evidence).finding, FINDING_LOWER);
}

static void test_confidence_belongs_to_the_interval(void **state)
{
	struct effect_rule rule = { .min_effect = 0.05 };
	struct evidence evidence = clear_evidence(-0.1, -0.12, -0.08);
	struct decision decision = effect_decide(&rule, &evidence);

	(void)state;
	assert_close(decision_confidence(&decision), 0.95);
	evidence = clear_evidence(-0.02, -0.03, -0.01);
	decision = effect_decide(&rule, &evidence);
	assert_close(decision_confidence(&decision), 0.90);
	decision = effect_untested(SCALE_RATIO, 0.1);
	assert_true(decision_confidence(&decision) == 0.0);
}

static void test_points(void **state)
{
	struct effect_rule rule = { .min_effect = 0.05, .is_percent = true };
	struct evidence evidence = clear_evidence(-4.0, -4.5, -3.5);
	struct decision decision;

	(void)state;
	evidence.scale = SCALE_POINTS;
	decision = effect_decide(&rule, &evidence);
	assert_int_equal(decision.finding, FINDING_NO_DIFFERENCE);
	assert_close(decision.effect, -4.0);
	assert_close(decision.decidable_effect, 4.5);
	evidence.shift = -5.0;
	assert_int_equal(effect_decide(&rule, &evidence).finding, FINDING_LOWER);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_scale_follows_values_and_unit),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_large_significant_change),
		cmocka_unit_test(test_both_tests_must_agree),
		cmocka_unit_test(test_small_significant_change_is_no_difference),
		cmocka_unit_test(test_interval_must_lie_inside),
		cmocka_unit_test(test_resolution_widens_and_silences),
		cmocka_unit_test(test_confidence_belongs_to_the_interval),
		cmocka_unit_test(test_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
