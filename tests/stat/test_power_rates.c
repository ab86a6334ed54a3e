/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What regio doctor promises, by simulated sessions: the noise is learnt from ten pairs of equal
 * runs as the doctor does, then comparisons by the sequential rule find, or rule out, a change of
 * the size that the doctor told, in about four of five cases. Seeds are fixed.
 */
#include "analysis/sensitivity.h"

#include <math.h>

#include "analysis/stop.h"
#include "noise.h"
#include "test.h"

#define NR_SESSIONS 400
#define NR_EQUAL_PAIRS 10

/* Into *stop; true_ratio is B / A. */
static struct stop_look session(const struct noise *noise, double true_ratio,
				const struct stop_config *config, struct stop *stop,
				struct rng *rng)
{
	struct stop_look look = { .is_last = false };
	size_t nr_runs = 0;

	assert_int_equal(stop_init(stop, config, NULL), 0);
	while (!look.is_last) {
		bool a_first = rng_next(rng) & 1;
		double first = noise_run(noise, nr_runs++, rng);
		double second = noise_run(noise, nr_runs++, rng);

		stop_add_pair(stop, a_first ? first : second,
			      true_ratio * (a_first ? second : first), a_first, &look);
	}
	return look;
}

static struct sensitivity learn(const struct noise *noise, struct rng *rng)
{
	const struct stop_config config = {
		.rule = { .alpha = 0.05 },
		.max_pairs = NR_EQUAL_PAIRS,
		.is_fixed = true,
	};
	struct sensitivity sensitivity;
	struct stop stop;
	struct stop_look look = session(noise, 1.0, &config, &stop, rng);

	assert_int_equal(look.nr_pairs, NR_EQUAL_PAIRS); /* whatever it found */
	sensitivity_learn(&stop, &look, &sensitivity);
	return sensitivity;
}

struct rates {
	double found, ruled_out;
};

static struct rates promise(const struct noise *noise, size_t nr_pairs, uint64_t seed)
{
	struct rates rates = { .found = 0 };
	struct rng rng;

	rng_init(&rng, seed);
	for (size_t i = 0; i < NR_SESSIONS; i++) {
		struct sensitivity sensitivity = learn(noise, &rng);
		double finds = sensitivity_finds(&sensitivity, nr_pairs);
		struct stop_config config = {
			.rule = { .alpha = 0.05, .min_effect = finds / 2 },
			.max_pairs = nr_pairs,
		};
		struct stop_look look;
		struct stop stop;

		look = session(noise, 1 - finds, &config, &stop, &rng);
		rates.found += look.decision.finding == FINDING_LOWER;
		config.rule.min_effect = sensitivity_rules_out(&sensitivity, nr_pairs);
		look = session(noise, 1.0, &config, &stop, &rng);
		rates.ruled_out += look.decision.finding == FINDING_NO_DIFFERENCE;
	}
	rates.found /= NR_SESSIONS;
	rates.ruled_out /= NR_SESSIONS;
	printf("# %s, %zu pairs: found %.1f %%, ruled out %.1f %%\n", noise->name, nr_pairs,
	       100 * rates.found, 100 * rates.ruled_out);
	return rates;
}

static const size_t budgets[] = { 10, 30, 60 };

/* The spread of twenty runs is itself known within a fifth, which blurs the four of five. */
static void test_lognormal(void **state)
{
	static const struct noise noises[] = {
		{ .name = "ln-2", .shape = NOISE_LOGNORMAL, .cv = 0.02 },
		{ .name = "ln-10", .shape = NOISE_LOGNORMAL, .cv = 0.10 },
	};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		for (size_t j = 0; j < 3; j++) {
			struct rates rates = promise(&noises[i], budgets[j], 100 + j);

			assert_true(rates.found > 0.74 && rates.found < 0.92);
			assert_true(rates.ruled_out > 0.72 && rates.ruled_out < 0.92);
		}
	}
}

static void test_drift(void **state)
{
	static const struct noise noise = {
		.name = "linear drift",
		.shape = NOISE_LOGNORMAL,
		.cv = 0.03,
		.drift_per_run = 0.006,
	};

	(void)state;
	/* ten pairs see this drift mostly, but not always; then it counts as noise: too careful */
	for (size_t j = 0; j < 3; j++) {
		struct rates rates = promise(&noise, budgets[j], 200 + j);

		assert_true(rates.found > 0.74);
		assert_true(rates.ruled_out > 0.7);
	}
}

static void test_fast_mode(void **state)
{
	static const struct noise noise = { .name = "fast-mode", .shape = NOISE_FAST_MODE };

	(void)state;
	for (size_t j = 0; j < 3; j++) {
		struct rates rates = promise(&noise, budgets[j], 300 + j);

		assert_true(rates.found > 0.7);
		assert_true(rates.ruled_out > 0.67);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lognormal),
		cmocka_unit_test(test_drift),
		cmocka_unit_test(test_fast_mode),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
