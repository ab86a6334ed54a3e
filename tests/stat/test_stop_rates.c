/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Error rates of the sequential rule by simulated sessions. The limits are the rates stated for
 * the method plus three standard errors; seeds are fixed, so a result never changes by chance.
 */
#include "analysis/stop.h"

#include <math.h>

#include "noise.h"
#include "test.h"

#define MAX_PAIRS 30

struct tally {
	double lower; /* shares of the sessions */
	double higher;
	double no_difference;
	double undecided;
	double covered; /* the interval beside the effect held the true ratio at the end */
	double mean_pairs;
};

static struct stop_look session_run(const struct noise *noise, double true_ratio, double min_effect,
				    struct rng *rng)
{
	struct stop_config config = {
		.rule = { .alpha = 0.05, .min_effect = min_effect },
		.max_pairs = MAX_PAIRS,
	};
	struct stop_look look = { .is_last = false };
	struct stop stop;
	size_t nr_runs = 0;

	assert_int_equal(stop_init(&stop, &config, NULL), 0);
	while (!look.is_last) {
		bool a_first = rng_next(rng) & 1;
		double first = noise_run(noise, nr_runs++, rng);
		double second = noise_run(noise, nr_runs++, rng);
		double a = a_first ? first : second;
		double b = true_ratio * (a_first ? second : first);

		stop_add_pair(&stop, a, b, a_first, &look);
	}
	return look;
}

static struct tally sessions_run(const struct noise *noise, double true_ratio, double min_effect,
				 size_t nr_sessions, uint64_t seed)
{
	struct tally tally = { .lower = 0.0 };
	double step = 1.0 / (double)nr_sessions;
	struct rng rng;

	rng_init(&rng, seed);
	for (size_t i = 0; i < nr_sessions; i++) {
		struct stop_look look = session_run(noise, true_ratio, min_effect, &rng);
		struct interval interval = look.decision.interval;

		tally.lower += look.decision.finding == FINDING_LOWER ? step : 0.0;
		tally.higher += look.decision.finding == FINDING_HIGHER ? step : 0.0;
		tally.no_difference += look.decision.finding == FINDING_NO_DIFFERENCE ? step : 0.0;
		tally.undecided += look.decision.finding == FINDING_UNDECIDED ? step : 0.0;
		tally.covered +=
			interval.lo <= true_ratio && true_ratio <= interval.hi ? step : 0.0;
		tally.mean_pairs += step * (double)look.nr_pairs;
	}
	printf("# %s, B/A %.2f, X %.0f %%: lower %.2f, higher %.2f, no difference %.2f, "
	       "undecided %.2f, covered %.2f %%, %.1f pairs\n",
	       noise->name, true_ratio, 100.0 * min_effect, 100.0 * tally.lower,
	       100.0 * tally.higher, 100.0 * tally.no_difference, 100.0 * tally.undecided,
	       100.0 * tally.covered, tally.mean_pairs);
	return tally;
}

static double standard_error(double share, size_t nr)
{
	return sqrt(share * (1.0 - share) / (double)nr);
}

/* Fails unless the share is `expected` within three standard errors. */
static void assert_share(double share, double expected, size_t nr)
{
	assert_true(fabs(share - expected) <= 3.0 * standard_error(expected, nr));
}

static void assert_share_at_most(double share, double limit, size_t nr)
{
	assert_true(share <= limit + 3.0 * standard_error(limit, nr));
}

static void assert_share_at_least(double share, double limit, size_t nr)
{
	assert_true(share >= limit - 3.0 * standard_error(limit, nr));
}

static const struct noise lognormal_5 = { .name = "ln-5", .shape = NOISE_LOGNORMAL, .cv = 0.05 };
static const struct noise left_tail = { .name = "left-tail", .shape = NOISE_LEFT_TAIL };
static const struct noise fast_mode = { .name = "fast-mode", .shape = NOISE_FAST_MODE };
static const struct noise drifting = { .name = "ln-3 falling 0.6 % a run",
				       .shape = NOISE_LOGNORMAL,
				       .cv = 0.03,
				       .drift_per_run = 0.006 };

/* Any difference counts: the rate is alpha itself, neither more nor much less. */
static void check_alpha_without_threshold(const struct noise *noise, uint64_t seed)
{
	size_t nr = 2000;
	struct tally tally = sessions_run(noise, 1.0, 0.0, nr, seed);

	assert_share(tally.lower + tally.higher, 0.05, nr);
	assert_share(tally.lower, 0.025, nr);
	assert_share_at_least(tally.covered, 0.95, nr);
	assert_true(tally.no_difference == 0.0);
}

static void test_alpha_lognormal(void **state)
{
	(void)state;
	check_alpha_without_threshold(&lognormal_5, 11);
}

static void test_alpha_left_tail(void **state)
{
	(void)state;
	check_alpha_without_threshold(&left_tail, 12);
}

static void test_alpha_under_drift(void **state)
{
	(void)state;
	check_alpha_without_threshold(&drifting, 13);
}

static void test_same_against_same(void **state)
{
	size_t nr = 800;
	struct tally tally;

	(void)state;
	tally = sessions_run(&lognormal_5, 1.0, 0.05, nr, 21);
	assert_share_at_most(tally.lower + tally.higher, 0.021, nr);
	assert_share_at_least(tally.no_difference, 0.90, nr);
	assert_true(tally.mean_pairs < 20.0);
	tally = sessions_run(&left_tail, 1.0, 0.05, nr, 22);
	assert_share_at_most(tally.lower + tally.higher, 0.027, nr);
	/* 15 + 15 runs, fixed, say so in 96 %. */
	assert_share_at_least(tally.no_difference, 0.95, nr);
	tally = sessions_run(&drifting, 1.0, 0.05, nr, 23);
	assert_share_at_most(tally.lower + tally.higher, 0.003, nr);
	assert_share_at_least(tally.no_difference, 0.99, nr);
}

static void test_ten_percent_less_is_found(void **state)
{
	size_t nr = 800;
	struct tally tally;

	(void)state;
	tally = sessions_run(&lognormal_5, 0.9, 0.05, nr, 31);
	assert_share_at_least(tally.lower, 0.995, nr);
	assert_share_at_least(tally.covered, 0.95, nr);
	assert_true(tally.mean_pairs < 7.5);
	tally = sessions_run(&left_tail, 0.9, 0.05, nr, 32);
	assert_share_at_least(tally.lower, 0.99, nr);
	assert_share_at_least(tally.covered, 0.95, nr);
	tally = sessions_run(&fast_mode, 0.9, 0.05, nr, 33);
	assert_share_at_least(tally.lower, 0.98, nr);
	tally = sessions_run(&drifting, 0.9, 0.05, nr, 34);
	assert_share_at_least(tally.lower, 0.995, nr);
}

static void test_ten_percent_more_is_higher(void **state)
{
	size_t nr = 400;
	struct tally tally = sessions_run(&lognormal_5, 1.0 / 0.9, 0.05, nr, 41);

	(void)state;
	assert_share_at_least(tally.higher, 0.995, nr);
	assert_true(tally.lower == 0.0);
}

/* The worst case of "no difference >= X" is a change of exactly X. */
static void test_a_change_of_x_is_rarely_missed_as_equal(void **state)
{
	size_t nr = 600;
	struct tally tally;

	(void)state;
	tally = sessions_run(&lognormal_5, 0.95, 0.05, nr, 51);
	assert_share_at_most(tally.no_difference, 0.05, nr);
	assert_share_at_least(tally.lower, 0.73, nr);
	tally = sessions_run(&left_tail, 0.95, 0.05, nr, 52);
	assert_share_at_most(tally.no_difference, 0.05, nr);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_alpha_lognormal),
		cmocka_unit_test(test_alpha_left_tail),
		cmocka_unit_test(test_alpha_under_drift),
		cmocka_unit_test(test_same_against_same),
		cmocka_unit_test(test_ten_percent_less_is_found),
		cmocka_unit_test(test_ten_percent_more_is_higher),
		cmocka_unit_test(test_a_change_of_x_is_rarely_missed_as_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
