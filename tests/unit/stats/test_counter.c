/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counter: plain differences, wraps of 32 bits, and what is neither. */
#include "stats/counter.h"

#include "test.h"

static void assert_delta(uint64_t before, uint64_t after, uint64_t expected)
{
	uint64_t delta = 77;

	assert_true(counter_delta(before, after, &delta));
	assert_true(delta == expected);
}

static void assert_unknown(uint64_t before, uint64_t after)
{
	uint64_t delta = 77;

	assert_false(counter_delta(before, after, &delta));
	assert_true(delta == 77);
}

static void test_growth(void **state)
{
	(void)state;
	assert_delta(0, 0, 0);
	assert_delta(5, 12, 7);
	assert_delta(0, UINT64_MAX, UINT64_MAX);
	assert_delta(UINT32_MAX, (uint64_t)UINT32_MAX + 10, 10);
}

static void test_wrap_of_32_bits(void **state)
{
	(void)state;
	assert_delta(UINT32_MAX, 0, 1);
	assert_delta(UINT32_MAX - 5, 4, 10);
	assert_delta((UINT64_C(1) << 31) + 1, 0, (UINT64_C(1) << 31) - 1);
}

static void test_another_object(void **state)
{
	(void)state;
	assert_unknown(1000, 999); /* as a wrap it would be almost 2^32 */
	assert_unknown(UINT64_C(1) << 31, 0);
	assert_unknown(UINT64_C(1) << 32, 5);
	assert_unknown(UINT64_MAX, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_wrap_of_32_bits),
		cmocka_unit_test(test_another_object),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
