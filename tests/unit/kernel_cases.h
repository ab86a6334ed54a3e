/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_KERNEL_CASES_H
#define REGIO_TESTS_UNIT_KERNEL_CASES_H

/*
 * One test for each kernel of which tests/data has a machine. Whoever includes it has struct
 * machine with its setup and teardown, and says in assert_kernel() what has to come of it.
 */

#include "test.h"

struct machine;

int machine_setup(void **state);
int machine_teardown(void **state);
static void assert_kernel(struct machine *machine, const char *kernel);

static inline void test_4_14(void **state)
{
	assert_kernel(*state, "4.14");
}

static inline void test_5_10(void **state)
{
	assert_kernel(*state, "5.10");
}

static inline void test_6_1(void **state)
{
	assert_kernel(*state, "6.1");
}

static inline void test_6_12(void **state)
{
	assert_kernel(*state, "6.12");
}

static inline void test_6_18(void **state)
{
	assert_kernel(*state, "6.18");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, machine_setup, machine_teardown)

static inline int kernel_cases_run(void)
{
	static const struct CMUnitTest tests[] = {
		CASE(test_4_14), CASE(test_5_10), CASE(test_6_1), CASE(test_6_12), CASE(test_6_18),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
