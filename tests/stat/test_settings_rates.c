/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How often the search among settings that differ names the right ones and what they do together,
 * by simulated searches among eight. The limits are what larger simulations showed (300 searches),
 * less three standard errors; seeds are fixed.
 */
#include "analysis/settings_search.h"

#include <math.h>

#include "noise.h"
#include "test.h"

#define NR 8

typedef double (*level_fn)(const bool *subset);

struct tally {
	size_t nr_right;	   /* exactly these settings */
	size_t nr_right_interplay; /* and what they do together */
	size_t nr_foreign;	   /* with a setting that does nothing */
	size_t nr_not_reproducible;
	double mean_runs;
};

static double level_one(const bool *subset)
{
	return subset[5] ? 0.9 : 1.0;
}

static double level_unequal(const bool *subset)
{
	return (subset[1] ? 0.8 : 1.0) * (subset[6] ? 0.9 : 1.0);
}

static double level_together(const bool *subset)
{
	return subset[2] && subset[5] ? 0.85 : 1.0;
}

static double level_none(const bool *subset)
{
	(void)subset;
	return 1.0;
}

static void count(const struct settings_answer *answer, unsigned wanted,
		  enum settings_interplay interplay, struct tally *tally)
{
	unsigned members = 0;

	for (size_t i = 0; i < answer->nr_members; i++) {
		for (size_t k = 0; k < answer->members[i].nr; k++)
			members |= 1U << answer->members[i].settings[k];
	}
	tally->nr_foreign += (members & ~wanted) != 0;
	tally->nr_not_reproducible += answer->state == SETTINGS_NOT_REPRODUCIBLE;
	if (answer->state != SETTINGS_FOUND || members != wanted)
		return;
	tally->nr_right++;
	tally->nr_right_interplay += answer->interplay == interplay;
}

static struct tally run(const struct noise *noise, level_fn level, unsigned wanted,
			enum settings_interplay interplay, size_t nr)
{
	struct settings_search_options options = SETTINGS_SEARCH_OPTIONS_INIT;
	struct tally tally = { .nr_right = 0 };
	struct rng rng;

	rng_init(&rng, wanted + nr);
	options.nr = NR;
	options.direction = FINDING_LOWER;
	for (size_t i = 0; i < nr; i++) {
		CLEANUP(settings_search) struct settings_search *search = NULL;
		struct settings_answer answer;
		struct settings_step step;

		options.seed = rng_next(&rng);
		assert_int_equal(settings_search_new(&options, &search, NULL), 0);
		for (settings_search_next(search, &step); step.phase != SETTINGS_DONE;
		     settings_search_next(search, &step)) {
			double value = level(step.subset) * noise_run(noise, 0, &rng);

			assert_int_equal(settings_search_add(search, step.subset, value, NULL), 0);
		}
		settings_search_answer(search, &answer);
		count(&answer, wanted, interplay, &tally);
		tally.mean_runs += (double)answer.nr_runs / (double)nr;
	}
	printf("# %s, %#x: right %zu of %zu, interplay %zu, foreign %zu, not reproducible %zu; "
	       "%.0f runs\n",
	       noise->name, wanted, tally.nr_right, nr, tally.nr_right_interplay, tally.nr_foreign,
	       tally.nr_not_reproducible, tally.mean_runs);
	return tally;
}

static const struct noise lognormal_2 = { .name = "ln-2", .shape = NOISE_LOGNORMAL, .cv = 0.02 };
static const struct noise lognormal_5 = { .name = "ln-5", .shape = NOISE_LOGNORMAL, .cv = 0.05 };
static const struct noise left_tail = { .name = "left-tail", .shape = NOISE_LEFT_TAIL };
static const struct noise fast_mode = { .name = "fast-mode", .shape = NOISE_FAST_MODE };

static void assert_share_at_least(size_t nr_hits, size_t nr, double share)
{
	double error = sqrt(share * (1.0 - share) / (double)nr);

	assert_true((double)nr_hits / (double)nr >= share - 3.0 * error);
}

static void test_one(void **state)
{
	const struct {
		const struct noise *noise;
		double right;
		double max_runs;
	} cells[] = {
		{ &lognormal_2, 0.997, 110 },
		{ &lognormal_5, 0.997, 200 },
		{ &left_tail, 0.975, 165 },
		{ &fast_mode, 0.975, 235 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		struct tally tally = run(cells[i].noise, level_one, 1U << 5, SETTINGS_SINGLE, 150);

		assert_share_at_least(tally.nr_right, 150, cells[i].right);
		assert_int_equal(tally.nr_right, tally.nr_right_interplay);
		assert_true(tally.nr_foreign <= 2);
		assert_true(tally.mean_runs < cells[i].max_runs);
	}
}

/* The smaller one does a third of the effect. */
static void test_two_that_add_up(void **state)
{
	const unsigned wanted = 1U << 1 | 1U << 6;
	struct tally tally;

	(void)state;
	tally = run(&lognormal_2, level_unequal, wanted, SETTINGS_ADDITIVE, 150);
	assert_share_at_least(tally.nr_right_interplay, 150, 0.99);
	tally = run(&left_tail, level_unequal, wanted, SETTINGS_ADDITIVE, 150);
	assert_share_at_least(tally.nr_right_interplay, 150, 0.97);
	assert_true(tally.nr_foreign <= 2);
}

static void test_two_that_count_together(void **state)
{
	const unsigned wanted = 1U << 2 | 1U << 5;
	struct tally tally;

	(void)state;
	tally = run(&lognormal_5, level_together, wanted, SETTINGS_TOGETHER, 150);
	assert_share_at_least(tally.nr_right, 150, 0.99);
	assert_share_at_least(tally.nr_right_interplay, 150, 0.93);
	tally = run(&left_tail, level_together, wanted, SETTINGS_TOGETHER, 150);
	assert_share_at_least(tally.nr_right_interplay, 150, 0.97);
	assert_true(tally.nr_foreign <= 2);
}

/* Nothing counts: half of the false alarms of the first comparison are in the other direction. */
static void test_none(void **state)
{
	size_t nr = 400;
	struct tally tally = run(&lognormal_5, level_none, 0, SETTINGS_SINGLE, nr);

	(void)state;
	assert_share_at_least(tally.nr_not_reproducible, nr, 0.95);
	assert_true(tally.nr_foreign <= 20); /* half of 5 %, and three standard errors */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_two_that_add_up),
		cmocka_unit_test(test_two_that_count_together),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
