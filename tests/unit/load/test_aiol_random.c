/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "load/aiol_random.h"

#include "test.h"

/* Values seen in traces of stress-ng --no-rand-seed. */
static void test_generator_of_stress_ng(void **state)
{
	static const uint32_t values[] = { 2331188998, 4033440000, 3169966213, 2572821606,
					   100826968 };
	struct aiol_random random;

	(void)state;
	aiol_random_init(&random, true, 1, 0);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		assert_int_equal(aiol_random_32(&random), values[i]);
}

/* The third window depends on how many waits came before it: 32 of them take one value. */
static void assert_windows(unsigned nr_bits, uint16_t third, uint16_t fourth)
{
	struct aiol_random random;

	aiol_random_init(&random, true, 1, 3);
	assert_int_equal(aiol_random_window(&random), 7942);
	assert_int_equal(aiol_random_window(&random), 35571);
	for (unsigned i = 0; i < nr_bits; i++)
		(void)aiol_random_bit(&random);
	assert_int_equal(aiol_random_window(&random), third);
	assert_int_equal(aiol_random_window(&random), fourth);
}

static void test_windows_of_stress_ng(void **state)
{
	(void)state;
	assert_windows(1, 55429, 48369);
	assert_windows(32, 55429, 48369);
	assert_windows(33, 9318, 39258);
	assert_windows(64, 9318, 39258);
	assert_windows(65, 32600, 1538);
}

/* regio's own: waits do not touch the offsets, seeds and instances do. */
static void test_own_windows(void **state)
{
	struct aiol_random first;
	struct aiol_random second;
	struct aiol_random other_seed;
	struct aiol_random other_instance;
	unsigned nr_same_seed = 0;
	unsigned nr_same_instance = 0;

	(void)state;
	aiol_random_init(&first, false, 7, 0);
	aiol_random_init(&second, false, 7, 0);
	aiol_random_init(&other_seed, false, 8, 0);
	aiol_random_init(&other_instance, false, 7, 1);
	for (unsigned i = 0; i < 1000; i++) {
		uint16_t window = aiol_random_window(&first);

		(void)aiol_random_bit(&second);
		assert_int_equal(aiol_random_window(&second), window);
		nr_same_seed += aiol_random_window(&other_seed) == window;
		nr_same_instance += aiol_random_window(&other_instance) == window;
	}
	assert_true(nr_same_seed < 5);
	assert_true(nr_same_instance < 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_generator_of_stress_ng),
		cmocka_unit_test(test_windows_of_stress_ng),
		cmocka_unit_test(test_own_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
