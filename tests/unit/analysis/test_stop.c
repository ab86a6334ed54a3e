/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sequential rule: seven recorded sessions look by look, and its edges. */
#include "analysis/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "test.h"
#include "golden.h"

static const char *finding_name(enum finding finding)
{
	static const char *const names[] = {
		[FINDING_UNDECIDED] = "continue",
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

static void check_look(const struct stop_look *look, const json_t *expected)
{
	const struct decision *decision = &look->decision;

	assert_int_equal(look->nr_pairs, golden_size(expected, "n"));
	assert_string_equal(look->mode == STOP_PAIRED ? "paired" : "unpaired",
			    json_string_value(golden_get(expected, "mode")));
	assert_true(decision->is_tested);
	assert_int_equal(decision->nr_a, look->nr_pairs);
	assert_int_equal(decision->nr_b, look->nr_pairs);
	/* Of the whole session, not the nominal level of one look. */
	assert_close(decision->alpha, 0.05);
	assert_golden(decision->p, expected, "p");
	assert_golden(decision->guard_p, expected, "bm_p");
	assert_golden(decision->effect, expected, "ratio");
	check_interval(decision->interval, golden_get(expected, "ci_alarm"));
	check_interval(decision->equivalence, golden_get(expected, "ci_equiv"));
	assert_string_equal(finding_name(decision->finding),
			    json_string_value(golden_get(expected, "verdict")));
}

static void check_end(const struct stop_look *look, const json_t *session)
{
	const char *verdict = json_string_value(golden_get(session, "verdict"));

	assert_true(look->is_last);
	if (look->decision.finding != FINDING_UNDECIDED) {
		assert_string_equal(finding_name(look->decision.finding), verdict);
		return;
	}
	assert_string_equal(verdict, "undecided");
	assert_int_equal(look->nr_pairs, golden_size(session, "n_max"));
	assert_true(look->nr_pairs_needed > look->nr_pairs);
	assert_true(look->nr_pairs_least > look->nr_pairs);
	assert_true(look->nr_pairs_least <= look->nr_pairs_needed);
	assert_close(
		look->decision.decidable_effect,
		1.0 - fmin(look->decision.equivalence.lo, 1.0 / look->decision.equivalence.hi));
}

static void check_session(const json_t *root, const json_t *session)
{
	struct stop_config config = {
		.rule = { .alpha = 0.05, .min_effect = golden_number(session, "X") },
		.max_pairs = golden_size(session, "n_max"),
	};
	json_t *looks = golden_get(session, "looks");
	json_t *first = golden_get(session, "first");
	struct stop_look look = { .is_last = false };
	struct stop stop;
	size_t nr, nr_b;
	double *a = golden_array(root, golden_get(session, "A"), &nr);
	double *b = golden_array(root, golden_get(session, "B"), &nr_b);

	assert_int_equal(nr, nr_b);
	assert_int_equal(stop_init(&stop, &config, NULL), 0);
	for (size_t i = 0; i < nr; i++) {
		bool a_first = strcmp(json_string_value(json_array_get(first, i)), "A") == 0;

		assert_false(look.is_last);
		stop_add_pair(&stop, a[i], b[i], a_first, &look);
		if (i + 1 < EFFECT_MIN_RUNS)
			assert_false(look.decision.is_tested);
		else
			check_look(&look, json_array_get(looks, i + 1 - EFFECT_MIN_RUNS));
	}
	assert_int_equal(json_array_size(looks), nr - EFFECT_MIN_RUNS + 1);
	check_end(&look, session);
	free(a);
	free(b);
}

static void test_sessions_match_golden(void **state)
{
	json_t *root = golden_load();
	json_t *session;
	size_t i;

	(void)state;
	json_array_foreach(golden_get(root, "sequential"), i, session) check_session(root, session);
	assert_int_equal(i, 7);
	json_decref(root);
}

static void start(struct stop *stop, struct effect_rule rule, size_t max_pairs)
{
	struct stop_config config = { .rule = rule, .max_pairs = max_pairs };

	assert_int_equal(stop_init(stop, &config, NULL), 0);
}

static void test_first_pairs_show_only_the_effect(void **state)
{
	struct stop_look look;
	struct stop stop;

	(void)state;
	start(&stop, (struct effect_rule){ .alpha = 0.05, .min_effect = 0.05 }, 30);
	stop_add_pair(&stop, 100.0, 50.0, true, &look);
	assert_close(look.decision.effect, 0.5);
	assert_false(look.decision.is_tested || look.is_last);
	assert_false(interval_is_bounded(look.decision.interval));
	assert_close(look.decision.p, 1.0);
	assert_int_equal(look.nr_pairs_needed, LEVELS_MIN_PAIRS);
}

/* Separates A from B completely; returns the pair at which the session ends. */
static size_t pairs_to_alarm(struct effect_rule rule, size_t max_pairs)
{
	struct stop_look look = { .is_last = false };
	struct stop stop;
	size_t nr = 0;

	start(&stop, rule, max_pairs);
	while (!look.is_last) {
		double jitter = 0.001 * (double)(nr * 7 % 5);

		stop_add_pair(&stop, 100.0 + jitter, 80.0 + jitter, nr % 2 == 0, &look);
		nr++;
	}
	assert_int_equal(look.decision.finding, FINDING_LOWER);
	assert_true(look.decision.interval.hi < 1.0);
	return nr;
}

static void test_first_possible_alarm(void **state)
{
	struct effect_rule rule = { .alpha = 0.05, .min_effect = 0.05 };

	(void)state;
	assert_int_equal(pairs_to_alarm(rule, 30), 5);
	assert_int_equal(pairs_to_alarm(rule, 40), 6);
	rule.alpha = 0.01;
	assert_int_equal(pairs_to_alarm(rule, 30), 7);
}

static void test_values_without_logarithm_go_to_points(void **state)
{
	struct effect_rule rule = { .alpha = 0.05, .min_effect = 0.05, .min_effect_points = 3.0 };
	struct stop_look look;
	struct stop stop;

	(void)state;
	start(&stop, rule, 30);
	stop_add_pair(&stop, 10.0, 20.0, true, &look);
	assert_int_equal(look.decision.scale, SCALE_RATIO);
	assert_close(look.decision.effect, 2.0);
	stop_add_pair(&stop, 0.0, 10.0, true, &look);
	assert_int_equal(look.decision.scale, SCALE_POINTS);
	assert_close(look.decision.effect, 10.0);
	stop_add_pair(&stop, 1.0, 11.5, false, &look);
	stop_add_pair(&stop, 2.0, 12.5, false, &look);
	stop_add_pair(&stop, 3.0, 21.0, false, &look);
	assert_false(look.decision.finding == FINDING_NO_DIFFERENCE);
}

static void test_equal_values_are_no_difference(void **state)
{
	struct stop_look look = { .is_last = false };
	struct stop stop;

	(void)state;
	start(&stop, (struct effect_rule){ .alpha = 0.05, .min_effect = 0.05 }, 30);
	for (size_t i = 0; i < 5; i++)
		stop_add_pair(&stop, 42.0, 42.0, true, &look);
	assert_true(look.is_last);
	assert_int_equal(look.decision.finding, FINDING_NO_DIFFERENCE);
	assert_close(look.decision.p, 1.0);
	assert_close(look.decision.effect, 1.0);
}

static void test_bad_configuration_is_refused(void **state)
{
	struct stop_config config = {
		.rule = { .alpha = 0.05, .min_effect = 0.05 },
		.max_pairs = 61,
	};
	struct err err = { .msg = "" };
	struct stop stop;

	(void)state;
	assert_int_equal(stop_init(&stop, &config, &err), -ERR_USAGE);
	assert_string_equal(err.msg, "max pairs 61 is not in 5..60");
	config.max_pairs = 4;
	assert_int_equal(stop_init(&stop, &config, &err), -ERR_USAGE);
	config.max_pairs = 30;
	config.rule.alpha = 0.001;
	assert_int_equal(stop_init(&stop, &config, &err), -ERR_USAGE);
	config.rule.alpha = NAN;
	assert_int_equal(stop_init(&stop, &config, &err), -ERR_USAGE);
	config.rule.alpha = 0.05;
	config.rule.min_effect = 1.0;
	assert_int_equal(stop_init(&stop, &config, &err), -ERR_USAGE);
	config.rule.min_effect = NAN;
	assert_int_equal(stop_init(&stop, &config, &err), -ERR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sessions_match_golden),
		cmocka_unit_test(test_first_pairs_show_only_the_effect),
		cmocka_unit_test(test_first_possible_alarm),
		cmocka_unit_test(test_values_without_logarithm_go_to_points),
		cmocka_unit_test(test_equal_values_are_no_difference),
		cmocka_unit_test(test_bad_configuration_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
