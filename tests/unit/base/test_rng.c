/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_rng: published reference outputs, bias, independence of split generators. */
#include "base/rng.h"

#include "test.h"

#define NR(array) (sizeof(array) / sizeof((array)[0]))

/* The outputs of splitmix64 for seed 1234567 seed the state. */
static void test_splitmix64(void **state)
{
	static const uint64_t expected[] = { UINT64_C(6457827717110365317),
					     UINT64_C(3203168211198807973),
					     UINT64_C(9817491932198370423),
					     UINT64_C(4593380528125082431) };
	struct rng rng;

	(void)state;
	rng_init(&rng, 1234567);
	for (size_t i = 0; i < NR(expected); i++)
		assert_true(rng.state[i] == expected[i]);
}

/* xoshiro256++ from the state 1, 2, 3, 4: the published C code, run once. */
static void test_xoshiro256pp(void **state)
{
	static const uint64_t expected[] = {
		UINT64_C(41943041),
		UINT64_C(58720359),
		UINT64_C(3588806011781223),
		UINT64_C(3591011842654386),
		UINT64_C(9228616714210784205),
		UINT64_C(9973669472204895162),
		UINT64_C(14011001112246962877),
		UINT64_C(12406186145184390807),
		UINT64_C(15849039046786891736),
		UINT64_C(10450023813501588000),
	};
	struct rng rng = { .state = { 1, 2, 3, 4 } };

	(void)state;
	for (size_t i = 0; i < NR(expected); i++)
		assert_true(rng_next(&rng) == expected[i]);
}

static void test_same_seed_same_numbers(void **state)
{
	struct rng a, b, c;
	int nr_equal = 0;

	(void)state;
	rng_init(&a, 7);
	rng_init(&b, 7);
	rng_init(&c, 8);
	for (int i = 0; i < 1000; i++) {
		uint64_t value = rng_next(&a);

		assert_true(value == rng_next(&b));
		nr_equal += value == rng_next(&c);
	}
	assert_int_equal(nr_equal, 0);
}

static void test_seed_zero_is_good(void **state)
{
	struct rng rng;

	(void)state;
	rng_init(&rng, 0);
	assert_true(rng.state[0] | rng.state[1] | rng.state[2] | rng.state[3]);
	assert_true(rng_next(&rng) != rng_next(&rng));
}

/* Chi-square over 10 cells, 9 degrees of freedom: 27.88 is exceeded once in 1000 seeds; the seed
 * is fixed, so this either always passes or always fails. */
static double below_chi_square(uint64_t seed, uint64_t limit, uint64_t divisor)
{
	double nr_draws = 100000, chi_square = 0;
	uint64_t counts[10] = { 0 };
	struct rng rng;

	rng_init(&rng, seed);
	for (int i = 0; i < (int)nr_draws; i++) {
		uint64_t value = rng_below(&rng, limit);

		assert_true(value < limit);
		counts[value / divisor]++;
	}
	for (size_t i = 0; i < NR(counts); i++) {
		double difference = (double)counts[i] - nr_draws / 10;

		chi_square += difference * difference / (nr_draws / 10);
	}
	return chi_square;
}

static void test_below_is_uniform(void **state)
{
	(void)state;
	assert_true(below_chi_square(1, 10, 1) < 27.88);
	/* 5/8 of 2^64: `next % limit` would give the first 3/5 of it double weight. */
	assert_true(below_chi_square(2, UINT64_C(11529215046068469760),
				     UINT64_C(1152921504606846976)) < 27.88);
}

/* With 3 * 2^62 values, every third would come from two of the 2^64 outputs and so be twice as
 * frequent, if nothing were rejected: 20000 of 40000 instead of 13333 +- 94. */
static void test_below_rejects(void **state)
{
	uint64_t nr_multiples = 0;
	struct rng rng;

	(void)state;
	rng_init(&rng, 6);
	for (int i = 0; i < 40000; i++)
		nr_multiples += rng_below(&rng, UINT64_C(3) << 62) % 3 == 0;
	assert_true(nr_multiples > 12900 && nr_multiples < 13800);
}

static void test_below_edges(void **state)
{
	struct rng rng;

	(void)state;
	rng_init(&rng, 3);
	for (int i = 0; i < 100; i++) {
		assert_true(rng_below(&rng, 1) == 0);
		assert_true(rng_below(&rng, UINT64_MAX) < UINT64_MAX);
	}
}

static void test_double(void **state)
{
	double sum = 0, lowest = 1, highest = 0;
	struct rng rng;

	(void)state;
	rng_init(&rng, 4);
	for (int i = 0; i < 100000; i++) {
		double value = rng_double(&rng);

		assert_true(value >= 0 && value < 1);
		sum += value;
		lowest = value < lowest ? value : lowest;
		highest = value > highest ? value : highest;
	}
	/* Standard error of the mean: 0.0009. */
	assert_true(sum / 100000 > 0.495 && sum / 100000 < 0.505);
	assert_true(lowest < 0.001 && highest > 0.999);

	rng = (struct rng){ .state = { UINT64_MAX, 0, 0, 0 } };
	assert_true(rng_double(&rng) < 1.0); /* also from the largest outputs */
}

static void test_split(void **state)
{
	struct rng parent, before, a, a_again, b;
	int nr_equal = 0;

	(void)state;
	rng_init(&parent, 5);
	before = parent;
	b = rng_split(&parent, 1);
	a = rng_split(&parent, 0);
	a_again = rng_split(&parent, 0);
	assert_memory_equal(&parent, &before, sizeof(parent)); /* splitting changes nothing */
	for (int i = 0; i < 1000; i++) {
		uint64_t value = rng_next(&a);

		assert_true(value == rng_next(&a_again));
		nr_equal += value == rng_next(&b) || value == rng_next(&parent);
	}
	assert_int_equal(nr_equal, 0);
	a_again = rng_split(&parent, 0); /* the parent has moved on */
	a = rng_split(&before, 0);
	assert_true(rng_next(&a) != rng_next(&a_again));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_splitmix64),
		cmocka_unit_test(test_xoshiro256pp),
		cmocka_unit_test(test_same_seed_same_numbers),
		cmocka_unit_test(test_seed_zero_is_good),
		cmocka_unit_test(test_below_is_uniform),
		cmocka_unit_test(test_below_rejects),
		cmocka_unit_test(test_below_edges),
		cmocka_unit_test(test_double),
		cmocka_unit_test(test_split),
	};

	return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
