/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Findings turned into verdicts, words and exit status. */
#include "analysis/verdict.h"

#include <math.h>

#include "test.h"

static const struct effect_rule five_percent = { .alpha = 0.05, .min_effect = 0.05 };

static struct decision ratio_decision(enum finding finding, double effect, double lo, double hi)
{
	return (struct decision){
		.finding = finding,
		.is_significant = finding == FINDING_LOWER || finding == FINDING_HIGHER,
		.is_tested = true,
		.scale = SCALE_RATIO,
		.nr_a = 8,
		.nr_b = 8,
		.effect = effect,
		.interval = { .lo = lo, .hi = hi },
		.equivalence = { .lo = lo, .hi = hi },
		.decidable_effect = INFINITY,
	};
}

static void test_polarity_makes_the_verdict(void **state)
{
	static const struct {
		enum finding finding;
		enum polarity polarity;
		enum verdict verdict;
		const char *name;
		int exit_status;
	} rows[] = {
		{ FINDING_LOWER, POLARITY_HIGHER_IS_BETTER, VERDICT_REGRESSION, "regression", 1 },
		{ FINDING_HIGHER, POLARITY_HIGHER_IS_BETTER, VERDICT_IMPROVEMENT, "improvement",
		  0 },
		{ FINDING_LOWER, POLARITY_LOWER_IS_BETTER, VERDICT_IMPROVEMENT, "improvement", 0 },
		{ FINDING_HIGHER, POLARITY_LOWER_IS_BETTER, VERDICT_REGRESSION, "regression", 1 },
		{ FINDING_LOWER, POLARITY_NONE, VERDICT_LOWER, "lower", 10 },
		{ FINDING_HIGHER, POLARITY_NONE, VERDICT_HIGHER, "higher", 10 },
		{ FINDING_NO_DIFFERENCE, POLARITY_LOWER_IS_BETTER, VERDICT_NO_DIFFERENCE,
		  "no_difference", 0 },
		{ FINDING_UNDECIDED, POLARITY_HIGHER_IS_BETTER, VERDICT_UNDECIDED, "undecided",
		  10 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		enum verdict verdict = verdict_of(rows[i].finding, rows[i].polarity);

		assert_int_equal(verdict, rows[i].verdict);
		assert_string_equal(verdict_name(verdict), rows[i].name);
		assert_int_equal(verdict_exit_status(verdict), rows[i].exit_status);
	}
}

static void test_the_worse_of_two(void **state)
{
	(void)state;
	assert_int_equal(verdict_worse(VERDICT_NO_DIFFERENCE, VERDICT_UNDECIDED),
			 VERDICT_UNDECIDED);
	assert_int_equal(verdict_worse(VERDICT_UNDECIDED, VERDICT_REGRESSION), VERDICT_REGRESSION);
	assert_int_equal(verdict_worse(VERDICT_REGRESSION, VERDICT_IMPROVEMENT),
			 VERDICT_REGRESSION);
	assert_int_equal(verdict_worse(VERDICT_IMPROVEMENT, VERDICT_LOWER), VERDICT_LOWER);
	assert_int_equal(verdict_worse(VERDICT_HIGHER, VERDICT_UNDECIDED), VERDICT_UNDECIDED);
	assert_int_equal(
		verdict_exit_status(verdict_worse(VERDICT_IMPROVEMENT, VERDICT_NO_DIFFERENCE)), 0);
}

static void check_text(const struct decision *decision, const struct effect_rule *rule,
		       const char *expected)
{
	char text[VERDICT_TEXT_LEN];

	verdict_format(decision, rule, POLARITY_HIGHER_IS_BETTER, text);
	assert_string_equal(text, expected);
}

static void test_texts_of_ratios(void **state)
{
	struct decision decision = ratio_decision(FINDING_LOWER, 0.906, 0.888, 0.924);

	(void)state;
	check_text(&decision, &five_percent, "regression: -9.4 % [-11.2, -7.6]");
	decision = ratio_decision(FINDING_HIGHER, 2.0, 1.9, 2.15);
	check_text(&decision, &five_percent, "improvement: +100.0 % [+90.0, +115.0]");
	decision = ratio_decision(FINDING_NO_DIFFERENCE, 0.997, 0.989, 1.006);
	check_text(&decision, &five_percent, "no difference >= 5 %: -0.3 % [-1.1, +0.6]");
	decision = ratio_decision(FINDING_NO_DIFFERENCE, 0.979, 0.971, 0.986);
	decision.is_significant = true;
	check_text(&decision, &five_percent,
		   "no difference >= 5 %: -2.1 % [-2.9, -1.4], below your 5 %");
	decision = ratio_decision(FINDING_UNDECIDED, 0.979, 0.94, 1.019);
	decision.decidable_effect = 0.06412;
	check_text(&decision, &five_percent,
		   "undecided: -2.1 % [-6.0, +1.9], 6.41 % is decidable now");
}

static void test_texts_without_an_interval(void **state)
{
	struct decision decision = ratio_decision(FINDING_UNDECIDED, 0.979, 0.0, INFINITY);

	(void)state;
	check_text(&decision, &five_percent, "undecided: -2.1 %");
	decision.is_tested = false;
	decision.nr_a = 1;
	decision.nr_b = 1;
	check_text(&decision, &five_percent, "no verdict: 1 run a side");
	decision.nr_b = 4;
	check_text(&decision, &five_percent, "no verdict: 1 and 4 runs");
	decision.nr_a = 4;
	check_text(&decision, &five_percent, "no verdict: 4 runs a side");
}

static void test_texts_in_points(void **state)
{
	struct effect_rule rule = { .alpha = 0.05, .min_effect_points = 1.5, .is_percent = true };
	struct decision decision = ratio_decision(FINDING_NO_DIFFERENCE, -0.4, -0.9, 0.1);
	char text[VERDICT_TEXT_LEN];

	(void)state;
	decision.scale = SCALE_POINTS;
	check_text(&decision, &rule, "no difference >= 1.5 points: -0.40 [-0.90, +0.10]");
	rule.is_percent = false;
	check_text(&decision, &rule, "no difference >= 1.5: -0.40 [-0.90, +0.10]");
	verdict_format_effect(&decision, text);
	assert_string_equal(text, "-0.40 [-0.90, +0.10]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_polarity_makes_the_verdict),
		cmocka_unit_test(test_the_worse_of_two),
		cmocka_unit_test(test_texts_of_ratios),
		cmocka_unit_test(test_texts_without_an_interval),
		cmocka_unit_test(test_texts_in_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
