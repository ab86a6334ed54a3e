/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The phases of a noisy bisection: every end it can come to, and untestable positions. */
#include "analysis/search.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "test.h"
#include "golden.h"
#include "search_world.h"

static void test_found_wherever_it_is(void **state)
{
	(void)state;
	for (size_t first_bad = 1; first_bad <= 33; first_bad += 4) {
		CLEANUP(search) struct search *search = start(options_of(33));
		struct world world = world_of(first_bad);
		struct search_answer answer = run(search, &world, NULL);

		assert_int_equal(answer.state, SEARCH_FOUND);
		assert_int_equal(answer.first_bad, first_bad);
		assert_int_equal(answer.last_good, first_bad - 1);
		assert_true(answer.probability >= 0.95);
		assert_true(answer.is_confirmed);
		assert_int_equal(answer.ends.finding, FINDING_LOWER);
		assert_int_equal(answer.confirmation.finding, FINDING_LOWER);
		assert_int_equal(answer.nr_end_runs, 2 * answer.ends.nr_a);
		assert_true(answer.nr_end_runs >= 16);
		assert_int_equal(answer.nr_confirm_runs, 2 * answer.confirmation.nr_a);
		assert_true(answer.effect_share > 0.5 && answer.effect_share < 1.5);
		assert_false(answer.has_other_change);
		assert_false(answer.is_noise_larger);
		assert_true(answer.spread > 0.01 && answer.spread < 0.06);
		assert_int_equal(answer.nr_best, SEARCH_NR_BEST);
		assert_int_equal(answer.best[0].upto, first_bad);
		for (size_t i = 1; i < SEARCH_NR_BEST; i++)
			assert_true(answer.best[i].probability <= answer.best[i - 1].probability);
	}
}

/* The recorded search of the reference, from its first pair to its answer. */
static void test_golden_search(void **state)
{
	json_t *root = golden_load();
	json_t *bisect = golden_get(root, "bisect");
	json_t *steps = golden_get(bisect, "steps");
	struct search_options options = options_of(golden_size(bisect, "N"));
	CLEANUP(search) struct search *search = NULL;
	struct search_answer answer;
	struct search_step step;
	size_t nr;

	(void)state;
	options.direction = FINDING_LOWER;
	search = start(options);
	for (size_t i = 0; i < json_array_size(golden_get(bisect, "untestable")); i++)
		search_untestable(search, (size_t)golden_item(golden_get(bisect, "untestable"), i));
	for (search_next(search, &step); step.phase == SEARCH_ENDS; search_next(search, &step)) {
		const char *side = step.position == 0 ? "good" : "bad";

		assert_true(step.nr_pairs < 8);
		assert_int_equal(step.good, 0);
		assert_int_equal(step.bad, options.last);
		assert_int_equal(search_add(search, step.position,
					    golden_item(golden_get(bisect, side), step.nr_pairs),
					    NULL),
				 0);
	}
	for (size_t i = 0; i < json_array_size(steps); i++) {
		const json_t *expected = json_array_get(steps, i);
		json_t *before = golden_get(expected, "posterior_before");
		const struct search_hypothesis *hypotheses = search_posterior(search, &nr);

		assert_int_equal(nr, json_array_size(before));
		for (size_t k = 0; k < nr; k++)
			assert_close(hypotheses[k].probability, golden_item(before, k));
		search_next(search, &step);
		assert_int_equal(step.phase, SEARCH_QUERY);
		assert_int_equal(step.nr_runs, 1);
		assert_int_equal(step.position, golden_size(expected, "query"));
		assert_int_equal(
			search_add(search, step.position, golden_number(expected, "value"), NULL),
			0);
	}
	search_next(search, &step);
	assert_int_equal(step.phase, SEARCH_CONFIRM);
	assert_int_equal(step.good, 10);
	assert_int_equal(step.bad, 11);
	search_answer(search, &answer);
	assert_int_equal(answer.state, SEARCH_RUNNING);
	assert_int_equal(answer.first_bad, 11);
	assert_int_equal(answer.nr_search_runs, golden_size(bisect, "runs"));
	assert_int_equal(answer.nr_untestable, 2);
	json_decref(root);
}

static void test_two_candidates(void **state)
{
	CLEANUP(search) struct search *search = start(options_of(1));
	struct world world = world_of(1);
	struct search_answer answer = run(search, &world, NULL);

	(void)state;
	assert_int_equal(answer.state, SEARCH_FOUND);
	assert_int_equal(answer.first_bad, 1);
	assert_true(answer.is_confirmed);
	assert_int_equal(answer.nr_search_runs + answer.nr_confirm_runs, 0);
}

static void test_not_reproducible(void **state)
{
	CLEANUP(search) struct search *search = start(options_of(50));
	struct world world = world_of(20);
	struct search_answer answer;

	(void)state;
	world.bad = world.good;
	answer = run(search, &world, NULL);
	assert_int_equal(answer.state, SEARCH_NOT_REPRODUCIBLE);
	assert_int_equal(answer.nr_end_runs, 60);
	assert_int_equal(answer.nr_search_runs, 0);
	assert_int_equal(answer.ends.finding, FINDING_UNDECIDED);
	assert_false(answer.is_confirmed);
}

/* With a smallest effect "no difference" can end it early. */
static void test_certainly_smaller(void **state)
{
	struct search_options options = options_of(50);
	CLEANUP(search) struct search *search = NULL;
	struct world world = world_of(20);
	struct search_answer answer;

	(void)state;
	options.rule.min_effect = 0.2;
	search = start(options);
	answer = run(search, &world, NULL);
	assert_int_equal(answer.state, SEARCH_NOT_REPRODUCIBLE);
	assert_int_equal(answer.ends.finding, FINDING_NO_DIFFERENCE);
	assert_int_equal(answer.nr_end_runs, 16);
}

static void test_direction(void **state)
{
	const enum finding directions[] = { FINDING_LOWER, FINDING_HIGHER };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct search_options options = options_of(20);
		CLEANUP(search) struct search *search = NULL;
		struct world world = world_of(6);
		struct search_answer answer;

		options.direction = directions[i];
		world.bad = 1100;
		search = start(options);
		answer = run(search, &world, NULL);
		assert_int_equal(answer.ends.finding, FINDING_HIGHER);
		if (directions[i] == FINDING_HIGHER) {
			assert_int_equal(answer.state, SEARCH_FOUND);
			assert_int_equal(answer.first_bad, 6);
			assert_int_equal(answer.confirmation.finding, FINDING_HIGHER);
		} else {
			assert_int_equal(answer.state, SEARCH_OPPOSITE);
			assert_int_equal(answer.nr_search_runs, 0);
		}
	}
}

static void test_budget(void **state)
{
	struct search_options options = options_of(1000);
	CLEANUP(search) struct search *search = NULL;
	struct world world = world_of(321);
	struct search_answer answer;

	(void)state;
	options.max_runs = 7;
	options.nr_repeats = 3;
	search = start(options);
	answer = run(search, &world, NULL);
	assert_int_equal(answer.state, SEARCH_NO_BUDGET);
	assert_int_equal(answer.nr_search_runs, 7);
	assert_int_equal(answer.nr_confirm_runs, 0);
	assert_true(answer.probability < 0.95);
	assert_int_equal(answer.nr_best, SEARCH_NR_BEST);
	assert_false(answer.is_confirmed);
}

static void test_repeats(void **state)
{
	struct search_options options = options_of(64);
	CLEANUP(search) struct search *search = NULL;
	struct world world = world_of(50);
	struct search_step step, next;

	(void)state;
	options.nr_repeats = 3;
	search = start(options);
	for (search_next(search, &step); step.phase == SEARCH_ENDS; search_next(search, &step)) {
		struct event event = world_measure(&world, step.position);

		tell(search, &event);
	}
	assert_int_equal(step.position, 32);
	for (size_t left = 3; left > 0; left--) {
		struct event event = world_measure(&world, 32);

		search_next(search, &next);
		assert_int_equal(next.position, 32);
		assert_int_equal(next.nr_runs, left);
		tell(search, &event);
	}
	search_next(search, &next);
	assert_int_not_equal(next.position, 32);
	assert_int_equal(next.nr_runs, 3);
	assert_int_equal(search_nr_runs(search, 32), 3);
	assert_true(search_nr_runs(search, 0) >= 8);
}

static void test_no_confirmation(void **state)
{
	struct search_options options = options_of(20);
	CLEANUP(search) struct search *search = NULL;
	struct world world = world_of(6);
	struct search_answer answer;

	(void)state;
	options.max_confirm_pairs = 0;
	search = start(options);
	answer = run(search, &world, NULL);
	assert_int_equal(answer.state, SEARCH_FOUND);
	assert_int_equal(answer.nr_confirm_runs, 0);
	assert_int_equal(answer.confirmation.nr_a, 0);
	assert_false(answer.is_confirmed);
	assert_true(isnan(answer.effect_share));
}

/* The neighbours of the change do not build: the answer is a range, and its ends are compared. */
static void test_untestable_neighbours(void **state)
{
	const size_t broken[] = { 9, 10, 11, 30, SIZE_MAX };
	CLEANUP(search) struct search *search = start(options_of(40));
	struct world world = world_of(10);
	struct search_answer answer;

	(void)state;
	world.broken = broken;
	answer = run(search, &world, NULL);
	assert_int_equal(answer.state, SEARCH_FOUND);
	assert_int_equal(answer.last_good, 8);
	assert_int_equal(answer.first_bad, 12);
	assert_true(answer.is_confirmed);
	assert_true(search_is_untestable(search, 10));
	assert_false(search_is_untestable(search, 12));
	assert_int_equal(search_nr_runs(search, 10), 0);
}

static void test_nothing_testable(void **state)
{
	const size_t broken[] = { 1, 2, 3, SIZE_MAX };
	CLEANUP(search) struct search *search = start(options_of(4));
	struct world world = world_of(2);
	struct search_answer answer;

	(void)state;
	world.broken = broken;
	answer = run(search, &world, NULL);
	assert_int_equal(answer.state, SEARCH_NOTHING_TESTABLE);
	assert_int_equal(answer.nr_untestable, 3);
	assert_int_equal(answer.last_good, 0);
	assert_int_equal(answer.first_bad, 4);
	assert_int_equal(answer.nr_best, 1);
}

static void test_untestable_end(void **state)
{
	(void)state;
	for (size_t end = 0; end <= 4; end += 4) {
		const size_t broken[] = { end, SIZE_MAX };
		CLEANUP(search) struct search *search = start(options_of(4));
		struct world world = world_of(2);
		struct search_answer answer;

		world.broken = broken;
		answer = run(search, &world, NULL);
		assert_int_equal(answer.state, SEARCH_END_UNTESTABLE);
		assert_int_equal(answer.untestable_end, end);
	}
}

/* Runs until the confirmation is under way. */
static void run_to_confirmation(struct search *search, struct world *world)
{
	struct search_step step;

	for (search_next(search, &step); step.phase != SEARCH_CONFIRM || step.nr_pairs < 2;
	     search_next(search, &step)) {
		struct event event = world_measure(world, step.position);

		assert_int_not_equal(step.phase, SEARCH_DONE);
		tell(search, &event);
	}
}

static void test_untestable_while_confirming(void **state)
{
	CLEANUP(search) struct search *search = start(options_of(40));
	struct world world = world_of(10);
	struct search_answer answer;
	struct search_step step;

	(void)state;
	run_to_confirmation(search, &world);
	/* far away, never measured: no matter */
	search_untestable(search, 39);
	search_next(search, &step);
	assert_int_equal(step.phase, SEARCH_CONFIRM);
	assert_int_equal(step.nr_pairs, 2);
	search_untestable(search, 10);
	search_untestable(search, 10);
	search_next(search, &step);
	assert_true(step.phase != SEARCH_CONFIRM || step.bad != 10);
	search_answer(search, &answer);
	assert_int_equal(answer.confirmation.nr_a, 0);
	answer = run(search, &world, NULL);
	assert_int_equal(answer.state, SEARCH_FOUND);
	assert_int_equal(answer.last_good, 9);
	assert_int_equal(answer.first_bad, 11);
	assert_int_equal(answer.nr_untestable, 2);
	assert_true(answer.is_confirmed);
	assert_true(answer.nr_confirm_runs > 2 * answer.confirmation.nr_a);
}

static void test_end_lost_while_confirming(void **state)
{
	CLEANUP(search) struct search *search = start(options_of(12));
	struct world world = world_of(1);
	struct search_answer answer;

	(void)state;
	run_to_confirmation(search, &world);
	search_untestable(search, 0);
	search_answer(search, &answer);
	assert_int_equal(answer.state, SEARCH_FOUND);
	assert_int_equal(answer.first_bad, 1);
	assert_false(answer.is_confirmed);
}

/* The ends are looked at again every so many runs; what was known stays known. */
static void test_anchors(void **state)
{
	struct search_options options = options_of(500);
	CLEANUP(search) struct search *search = NULL;
	struct world world = world_of(123);
	size_t nr_queries = 0, nr_anchor_pairs = 0;
	struct search_answer answer;
	struct search_step step;

	(void)state;
	options.nr_anchor_runs = 4;
	world.noise = 0.1;
	search = start(options);
	for (search_next(search, &step); step.phase != SEARCH_DONE; search_next(search, &step)) {
		struct event event = world_measure(&world, step.position);

		if (step.phase == SEARCH_ANCHOR) {
			assert_int_equal(nr_queries % 4, 0);
			assert_true(step.position == 0 || step.position == 500);
			assert_int_equal(step.good, 0);
			assert_int_equal(step.bad, 500);
			nr_anchor_pairs += step.nr_pairs == 7; /* twice */
		}
		nr_queries += step.phase == SEARCH_QUERY;
		if (step.phase == SEARCH_ANCHOR && step.nr_pairs == 2)
			search_untestable(search, 499); /* no matter */
		tell(search, &event);
	}
	search_answer(search, &answer);
	assert_int_equal(answer.state, SEARCH_FOUND);
	assert_int_equal(answer.first_bad, 123);
	assert_true(answer.is_confirmed);
	assert_int_equal(answer.nr_search_runs, nr_queries);
	assert_int_equal(answer.nr_anchor_runs, 8 * nr_anchor_pairs);
	assert_true(nr_anchor_pairs > 0);
	assert_int_equal(answer.nr_end_runs, 2 * answer.ends.nr_a);
}

/* Lies until its first answer is to be confirmed. */
static struct search_answer run_lying(struct search *search)
{
	struct world world = world_of(10);
	struct search_answer answer;

	run_to_confirmation(search, &world);
	world.first_bad = 30;
	answer = run(search, &world, NULL);
	return answer;
}

static void test_begins_anew(void **state)
{
	struct search_options options = options_of(40);
	CLEANUP(search) struct search *trusting = NULL;
	CLEANUP(search) struct search *search = start(options);
	struct search_answer answer = run_lying(search);

	(void)state;
	assert_int_equal(answer.state, SEARCH_FOUND);
	assert_int_equal(answer.nr_restarts, 1);
	assert_int_equal(answer.first_bad, 30);
	assert_true(answer.is_confirmed);
	assert_int_equal(answer.nr_anchor_runs, 16);
	assert_true(answer.nr_confirm_runs > 60);

	options.max_restarts = 0;
	trusting = start(options);
	answer = run_lying(trusting);
	assert_int_equal(answer.state, SEARCH_FOUND);
	assert_int_equal(answer.nr_restarts, 0);
	assert_int_equal(answer.first_bad, 10);
	assert_false(answer.is_confirmed);
	assert_true(answer.nr_confirm_runs >= 58);
}

/* The larger step is found, and that it is not all is said. */
static void test_second_change(void **state)
{
	CLEANUP(search) struct search *search = start(options_of(30));
	struct search_answer answer;
	struct search_step step;
	struct rng rng;

	(void)state;
	rng_init(&rng, 3);
	for (search_next(search, &step); step.phase != SEARCH_DONE; search_next(search, &step)) {
		double level = step.position < 7 ? 1000 : step.position < 22 ? 860 : 700;

		assert_int_equal(search_add(search, step.position,
					    level * (0.98 + 0.04 * rng_double(&rng)), NULL),
				 0);
	}
	search_answer(search, &answer);
	assert_int_equal(answer.state, SEARCH_FOUND);
	assert_true(answer.first_bad == 7 || answer.first_bad == 22);
	assert_true(answer.is_confirmed);
	if (answer.first_bad == 7)
		assert_true(answer.has_other_change);
	assert_close(answer.effect_share,
		     log(answer.confirmation.effect) / log(answer.ends.effect));
}

static void test_noise_larger_than_effect(void **state)
{
	struct search_options options = options_of(8);
	CLEANUP(search) struct search *search = NULL;
	struct world world = world_of(3);
	struct search_answer answer;

	(void)state;
	options.max_end_pairs = 60;
	search = start(options);
	world.bad = 850;
	world.noise = 0.4;
	answer = run(search, &world, NULL);
	assert_true(answer.state == SEARCH_NOT_REPRODUCIBLE || answer.is_noise_larger);
	assert_true(answer.spread > 0.15);
}

static void test_points(void **state)
{
	CLEANUP(search) struct search *search = start(options_of(20));
	struct world world = world_of(13);
	struct search_answer answer;

	(void)state;
	world.good = -2;
	world.bad = 3;
	world.noise = 0.3;
	answer = run(search, &world, NULL);
	assert_int_equal(answer.state, SEARCH_FOUND);
	assert_int_equal(answer.first_bad, 13);
	assert_int_equal(answer.ends.scale, SCALE_POINTS);
	assert_true(fabs(answer.effect_share - 1.0) < 0.3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found_wherever_it_is),
		cmocka_unit_test(test_golden_search),
		cmocka_unit_test(test_two_candidates),
		cmocka_unit_test(test_not_reproducible),
		cmocka_unit_test(test_certainly_smaller),
		cmocka_unit_test(test_direction),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_no_confirmation),
		cmocka_unit_test(test_untestable_neighbours),
		cmocka_unit_test(test_nothing_testable),
		cmocka_unit_test(test_untestable_end),
		cmocka_unit_test(test_untestable_while_confirming),
		cmocka_unit_test(test_end_lost_while_confirming),
		cmocka_unit_test(test_anchors),
		cmocka_unit_test(test_begins_anew),
		cmocka_unit_test(test_second_change),
		cmocka_unit_test(test_noise_larger_than_effect),
		cmocka_unit_test(test_points),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
