/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Planning numbers. */
#include "stats/power.h"

#include <math.h>

#include "test.h"
#include "golden.h"

static void test_pairs(void **state)
{
	(void)state;
	assert_int_equal(power_pairs_to_find(0.05, 0.05), 25);
	assert_int_equal(power_pairs_to_find(0.17, 0.05), 289);
	assert_int_equal(power_pairs_to_find(0.01, 0.3), 1);
	assert_int_equal(power_pairs_to_find(0.0, 0.3), 1);
	assert_int_equal(power_pairs_to_exclude(0.05, 0.05), 27);
}

static void test_out_of_reach(void **state)
{
	(void)state;
	assert_int_equal(power_pairs_to_find(0.05, 0.0), POWER_MAX_PAIRS);
	assert_int_equal(power_pairs_to_find(0.0, 0.0), POWER_MAX_PAIRS);
	assert_int_equal(power_pairs_to_find(1.0, 1e-9), POWER_MAX_PAIRS);
}

static void test_effect_is_the_inverse(void **state)
{
	(void)state;
	assert_close(power_effect(0.05, 25), 0.05);
	assert_int_equal(power_pairs_to_find(0.03, power_effect(0.03, 40) * (1.0 + 1e-9)), 40);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_out_of_reach),
		cmocka_unit_test(test_effect_is_the_inverse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
