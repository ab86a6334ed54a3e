/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_permutation: random orders without repeats: complete, and without a pattern. */
#include "load/permutation.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "test.h"

#define NR_KEYS 200

static void assert_is_permutation(uint64_t nr, struct rng *rng)
{
	struct permutation permutation;
	bool *seen = xcalloc(nr + 1, sizeof(*seen));

	permutation_start(&permutation, nr, rng);
	for (uint64_t i = 0; i < nr; i++) {
		uint64_t value;

		assert_int_equal(permutation.left, nr - i);
		value = permutation_next(&permutation);
		assert_true(value < nr);
		assert_false(seen[value]);
		seen[value] = true;
	}
	assert_int_equal(permutation.left, 0);
	free(seen);
}

static void test_every_number_once(void **state)
{
	static const uint64_t large[] = { 4095, 4096, 4097, 65535, 65537, 100000, 262144, 999983 };
	struct rng rng;

	(void)state;
	rng_init(&rng, 1);
	for (uint64_t nr = 0; nr <= 1100; nr++)
		assert_is_permutation(nr, &rng);
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++)
		assert_is_permutation(large[i], &rng);
}

/* Too many to walk: distinct images of distinct numbers, within the range. */
static void test_huge(void **state)
{
	static const uint64_t sizes[] = { (UINT64_C(1) << 32) + 1, UINT64_C(3) << 40,
					  UINT64_C(1) << 63 };
	struct permutation permutation;
	struct rng rng;
	enum { NR = 2000 };
	uint64_t values[NR];

	(void)state;
	rng_init(&rng, 2);
	for (size_t size = 0; size < sizeof(sizes) / sizeof(sizes[0]); size++) {
		permutation_start(&permutation, sizes[size], &rng);
		for (size_t i = 0; i < NR; i++) {
			values[i] = permutation_next(&permutation);
			assert_true(values[i] < sizes[size]);
			for (size_t j = 0; j < i; j++)
				assert_true(values[i] != values[j]);
		}
	}
}

static void test_key_comes_from_the_generator(void **state)
{
	struct permutation first, same, other;
	struct rng rng, again;
	unsigned nr_equal = 0;

	(void)state;
	rng_init(&rng, 3);
	again = rng;
	permutation_start(&first, 1000, &rng);
	permutation_start(&other, 1000, &rng); /* the generator has moved on */
	permutation_start(&same, 1000, &again);
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t value = permutation_next(&first);

		assert_int_equal(value, permutation_next(&same));
		nr_equal += value == permutation_next(&other);
	}
	assert_true(nr_equal < 20); /* 1 is expected */
}

/* The first `nr` values of a pass over `size` numbers, scaled to [0, 1). */
static void draw(struct rng *rng, uint64_t size, double *values, unsigned nr)
{
	struct permutation permutation;

	permutation_start(&permutation, size, rng);
	for (unsigned i = 0; i < nr; i++)
		values[i] = (double)permutation_next(&permutation) / (double)size;
}

static const uint64_t sizes[] = { 256, 1000, 4096, 100000, UINT64_C(1) << 30, UINT64_C(3) << 32 };
#define NR_SIZES (sizeof(sizes) / sizeof(sizes[0]))
#define NR_VALUES 4000

static unsigned values_of(uint64_t size)
{
	return size < NR_VALUES ? (unsigned)size : NR_VALUES;
}

/* Share of keys whose order a two-sided test at 5 % rejects: between 1 % and 10 % of 200 keys. */
static void assert_share(unsigned nr_rejected, uint64_t size, const char *what)
{
	if (nr_rejected > NR_KEYS / 10)
		fail_msg("%s: %u of %u keys rejected for %llu numbers", what, nr_rejected, NR_KEYS,
			 (unsigned long long)size);
}

/* Lag-k serial correlation; of random numbers it is normal with variance 1/n. */
static double correlation_z(const double *values, unsigned nr, unsigned lag)
{
	double mean = 0, square = 0, product = 0;

	for (unsigned i = 0; i < nr; i++)
		mean += values[i] / nr;
	for (unsigned i = 0; i < nr; i++)
		square += (values[i] - mean) * (values[i] - mean);
	for (unsigned i = 0; i + lag < nr; i++)
		product += (values[i] - mean) * (values[i + lag] - mean);
	return product / square * sqrt(nr);
}

static void test_no_serial_correlation(void **state)
{
	static double values[NR_VALUES];
	struct rng rng;

	(void)state;
	rng_init(&rng, 4);
	for (size_t i = 0; i < NR_SIZES; i++) {
		unsigned nr_rejected[3] = { 0 };

		for (unsigned key = 0; key < NR_KEYS; key++) {
			draw(&rng, sizes[i], values, values_of(sizes[i]));
			for (unsigned lag = 1; lag <= 3; lag++)
				nr_rejected[lag - 1] +=
					fabs(correlation_z(values, values_of(sizes[i]), lag)) >
					1.96;
		}
		for (unsigned lag = 1; lag <= 3; lag++)
			assert_share(nr_rejected[lag - 1], sizes[i], "serial correlation");
	}
}

/* Wald & Wolfowitz 1940: number of runs above and below the middle. */
static double runs_z(const double *values, unsigned nr)
{
	double nr_high = 0, nr_runs = 1, expected, variance;

	for (unsigned i = 0; i < nr; i++) {
		nr_high += values[i] >= 0.5;
		nr_runs += i > 0 && (values[i] >= 0.5) != (values[i - 1] >= 0.5);
	}
	expected = 2 * nr_high * (nr - nr_high) / nr + 1;
	variance = (expected - 1) * (expected - 2) / (nr - 1);
	return (nr_runs - expected) / sqrt(variance);
}

static void test_runs(void **state)
{
	static double values[NR_VALUES];
	struct rng rng;

	(void)state;
	rng_init(&rng, 5);
	for (size_t i = 0; i < NR_SIZES; i++) {
		unsigned nr_rejected = 0;

		for (unsigned key = 0; key < NR_KEYS; key++) {
			draw(&rng, sizes[i], values, values_of(sizes[i]));
			nr_rejected += fabs(runs_z(values, values_of(sizes[i]))) > 1.96;
		}
		assert_share(nr_rejected, sizes[i], "runs");
	}
}

/* Pairs of successive values in 8 x 8 bins: 82.5 is the 95 % quantile of chi-square with 63. */
static void test_pairs(void **state)
{
	static double values[NR_VALUES];
	struct rng rng;

	(void)state;
	rng_init(&rng, 6);
	for (size_t i = 0; i < NR_SIZES; i++) {
		unsigned nr = values_of(sizes[i]);
		unsigned nr_rejected = 0;

		for (unsigned key = 0; key < NR_KEYS; key++) {
			unsigned counts[64] = { 0 };
			double expected = (nr - 1) / 64.0;
			double chi_square = 0;

			draw(&rng, sizes[i], values, nr);
			for (unsigned at = 0; at + 1 < nr; at++)
				counts[(unsigned)(values[at] * 8) * 8 +
				       (unsigned)(values[at + 1] * 8)]++;
			for (unsigned bin = 0; bin < 64; bin++)
				chi_square += (counts[bin] - expected) * (counts[bin] - expected) /
					      expected;
			nr_rejected += chi_square > 82.5;
		}
		assert_share(nr_rejected, sizes[i], "pairs");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_number_once),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_key_comes_from_the_generator),
		cmocka_unit_test(test_no_serial_correlation),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
