/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Error rates of the comparison of fixed samples, by simulation with fixed seeds. */
#include "analysis/compare.h"

#include <math.h>

#include "noise.h"
#include "stats/nulldist.h"
#include "test.h"

#define NR_REPEATS 4000
#define MAX_RUNS 30

struct tally {
	double alarms; /* shares of the comparisons; significant whatever the size */
	double no_difference;
	double covered;
};

/* A and B may have different noise; B's true level is true_ratio times A's. */
static struct tally comparisons_run(const struct noise *noise_a, const struct noise *noise_b,
				    size_t nr_runs, double true_ratio, uint64_t seed)
{
	CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };
	struct compare_config config = {
		.rule = { .alpha = 0.05, .min_effect = 0.05 },
		.polarity = POLARITY_HIGHER_IS_BETTER,
		.null = &null,
	};
	double values_a[MAX_RUNS], values_b[MAX_RUNS];
	struct sample a = { .values = values_a, .nr = nr_runs };
	struct sample b = { .values = values_b, .nr = nr_runs };
	struct tally tally = { .alarms = 0.0 };
	double step = 1.0 / NR_REPEATS;
	struct rng rng;

	rng_init(&rng, seed);
	nulldist_init_ranksum(&null, nr_runs, nr_runs);
	for (size_t repeat = 0; repeat < NR_REPEATS; repeat++) {
		struct comparison comparison;
		struct interval interval;

		for (size_t i = 0; i < nr_runs; i++) {
			values_a[i] = noise_run(noise_a, 0, &rng);
			values_b[i] = true_ratio * noise_run(noise_b, 0, &rng);
		}
		compare_samples(&config, &a, &b, &comparison);
		interval = comparison.decision.interval;
		tally.alarms += comparison.decision.is_significant ? step : 0.0;
		tally.no_difference +=
			comparison.decision.finding == FINDING_NO_DIFFERENCE ? step : 0.0;
		tally.covered +=
			interval.lo <= true_ratio && true_ratio <= interval.hi ? step : 0.0;
	}
	printf("# %s / %s, n %zu, B/A %.2f: alarms %.2f, no difference %.2f, covered %.2f %%\n",
	       noise_a->name, noise_b->name, nr_runs, true_ratio, 100.0 * tally.alarms,
	       100.0 * tally.no_difference, 100.0 * tally.covered);
	return tally;
}

/* Fails unless the share is `expected` within three standard errors of both simulations. */
static void assert_share(double share, double expected)
{
	double error = sqrt(2.0 * expected * (1.0 - expected) / NR_REPEATS);

	assert_true(fabs(share - expected) <= 3.0 * error);
}

static const struct noise lognormal_5 = { .name = "ln-5", .shape = NOISE_LOGNORMAL, .cv = 0.05 };
static const struct noise lognormal_15 = { .name = "ln-15", .shape = NOISE_LOGNORMAL, .cv = 0.15 };
static const struct noise left_tail = { .name = "left-tail", .shape = NOISE_LEFT_TAIL };
static const struct noise fast_mode = { .name = "fast-mode", .shape = NOISE_FAST_MODE };

static void test_false_alarms(void **state)
{
	(void)state;
	assert_share(comparisons_run(&lognormal_5, &lognormal_5, 5, 1.0, 61).alarms, 0.032);
	assert_share(comparisons_run(&lognormal_5, &lognormal_5, 8, 1.0, 62).alarms, 0.046);
	assert_share(comparisons_run(&lognormal_5, &lognormal_5, 15, 1.0, 63).alarms, 0.043);
	assert_share(comparisons_run(&left_tail, &left_tail, 15, 1.0, 64).alarms, 0.040);
	assert_share(comparisons_run(&fast_mode, &fast_mode, 12, 1.0, 65).alarms, 0.044);
}

/* Without the guard this would be 7.1 %. */
static void test_false_alarms_with_unequal_spread(void **state)
{
	(void)state;
	assert_share(comparisons_run(&lognormal_5, &lognormal_15, 30, 1.0, 66).alarms, 0.054);
}

static void test_power(void **state)
{
	(void)state;
	assert_share(comparisons_run(&lognormal_5, &lognormal_5, 8, 0.95, 71).alarms, 0.45);
	assert_share(comparisons_run(&lognormal_5, &lognormal_5, 5, 0.90, 72).alarms, 0.73);
	assert_share(comparisons_run(&lognormal_5, &lognormal_5, 8, 0.90, 73).alarms, 0.96);
	assert_share(comparisons_run(&left_tail, &left_tail, 15, 0.95, 74).alarms, 0.93);
}

static void test_coverage(void **state)
{
	(void)state;
	assert_true(comparisons_run(&lognormal_5, &lognormal_5, 12, 0.9, 81).covered > 0.94);
	assert_true(comparisons_run(&left_tail, &left_tail, 12, 0.9, 82).covered > 0.94);
}

static void test_no_difference(void **state)
{
	double limit = 0.05 + 3.0 * sqrt(0.05 * 0.95 / NR_REPEATS);

	(void)state;
	assert_share(comparisons_run(&lognormal_5, &lognormal_5, 15, 1.0, 91).no_difference, 0.69);
	assert_true(comparisons_run(&lognormal_5, &lognormal_5, 15, 0.95, 92).no_difference <=
		    limit);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_false_alarms),
		cmocka_unit_test(test_false_alarms_with_unequal_spread),
		cmocka_unit_test(test_power),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_no_difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
