/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A noisy bisection resumed from its log at every place, and calls that do not belong to it. */
#include "analysis/search.h"

#include <math.h>
#include <string.h>

#include "base/err.h"
#include "base/vec.h"
#include "test.h"
#include "search_world.h"

static void compare_steps(const struct search *left, const struct search *right)
{
	struct search_step a, b;

	search_next(left, &a);
	search_next(right, &b);
	assert_int_equal(a.phase, b.phase);
	assert_int_equal(a.position, b.position);
	assert_int_equal(a.nr_runs, b.nr_runs);
	assert_int_equal(a.nr_pairs, b.nr_pairs);
}

static void compare_answers(const struct search *left, const struct search *right)
{
	struct search_answer a, b;

	search_answer(left, &a);
	search_answer(right, &b);
	assert_int_equal(a.state, b.state);
	assert_int_equal(a.first_bad, b.first_bad);
	assert_true(a.probability == b.probability);
	assert_true(a.confirmation.effect == b.confirmation.effect);
	assert_int_equal(a.nr_search_runs, b.nr_search_runs);
}

/* Killed after every single event and resumed from the log: the same from there on. */
static void test_replay(void **state)
{
	const size_t broken[] = { 3, 17, 18, SIZE_MAX };
	CLEANUP(search) struct search *search = start(options_of(40));
	struct event_list log = VEC_INIT;
	struct world world = world_of(17);

	(void)state;
	world.broken = broken;
	world.noise = 0.15;
	(void)run(search, &world, &log);
	assert_true(log.nr > 20);
	for (size_t nr_kept = 0; nr_kept <= log.nr; nr_kept++) {
		CLEANUP(search) struct search *resumed = start(options_of(40));
		CLEANUP(search) struct search *whole = start(options_of(40));

		for (size_t i = 0; i < nr_kept; i++)
			tell(resumed, &log.items[i]);
		for (size_t i = 0; i < log.nr; i++) {
			if (i >= nr_kept) {
				compare_steps(resumed, whole);
				tell(resumed, &log.items[i]);
			}
			tell(whole, &log.items[i]);
		}
		compare_answers(resumed, search);
	}
	vec_release(&log);
}

static void test_seed(void **state)
{
	struct search_options options = options_of(9);
	size_t nr_zero_first = 0;

	(void)state;
	for (options.seed = 0; options.seed < 64; options.seed++) {
		CLEANUP(search) struct search *search = start(options);
		struct search_step step;

		search_next(search, &step);
		nr_zero_first += step.position == 0;
		assert_int_equal(search_add(search, step.position, 1.0, NULL), 0);
		search_next(search, &step);
		assert_int_equal(step.nr_pairs, 0);
	}
	assert_true(nr_zero_first > 16 && nr_zero_first < 48);
}

static void test_wrong_calls(void **state)
{
	CLEANUP(search) struct search *search = start(options_of(9));
	struct world world = world_of(4);
	struct err err = { .code = 0 };
	struct search_step step;

	(void)state;
	search_next(search, &step);
	assert_int_equal(search_add(search, 5, 1.0, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "candidate 5"));
	assert_int_equal(search_add(search, step.position, NAN, &err), -ERR_INPUT);
	assert_int_equal(search_add(search, step.position, INFINITY, &err), -ERR_INPUT);
	assert_int_equal(search_nr_runs(search, step.position), 0);
	search_untestable(search, 10); /* there is none */
	(void)run(search, &world, NULL);
	assert_int_equal(search_add(search, 4, 1.0, &err), -ERR_INPUT);
	search_untestable(search, 4);
	assert_false(search_is_untestable(search, 4));
}

static void test_wrong_options(void **state)
{
	const struct search_options good = options_of(9);
	struct search_options bad[10];
	const size_t nr = sizeof(bad) / sizeof(bad[0]);

	(void)state;
	for (size_t i = 0; i < nr; i++)
		bad[i] = good;
	bad[0].last = 0;
	bad[1].last = SEARCH_MAX_POSITIONS + 1;
	bad[2].level = 1.0;
	bad[3].nr_repeats = 0;
	bad[4].max_runs = 0;
	bad[5].max_end_pairs = 7;
	bad[6].max_confirm_pairs = 4;
	bad[7].rule.alpha = 0.001;
	bad[8].level = 0.5;
	bad[9].max_restarts = 11;
	for (size_t i = 0; i < nr; i++) {
		struct search *search = NULL;
		struct err err = { .code = 0 };

		assert_int_equal(search_new(&bad[i], &search, &err), -ERR_USAGE);
		assert_null(search);
		assert_true(err.msg[0] != '\0');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_replay),
		cmocka_unit_test(test_seed),
		cmocka_unit_test(test_wrong_calls),
		cmocka_unit_test(test_wrong_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
