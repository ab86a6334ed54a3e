/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running mean and deviation, one pass and merged. */
#include "stats/running.h"

#include <math.h>

#include "test.h"
#include "golden.h"

static struct running running_of(const double *values, size_t nr)
{
	struct running running = { .n = 0 };

	for (size_t i = 0; i < nr; i++)
		running_add(&running, values[i]);
	return running;
}

static void test_small_sample(void **state)
{
	static const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct running running = running_of(values, 8);

	(void)state;
	assert_close(running.mean, 5.0);
	assert_close(running.sum_sq_dev, 32.0);
	assert_close(running_stddev(&running), sqrt(32.0 / 7.0));
	assert_close(running.min, 2.0);
	assert_close(running.max, 9.0);
}

static void test_one_value_has_no_deviation(void **state)
{
	static const double values[] = { -3.5 };
	struct running running = running_of(values, 1);

	(void)state;
	assert_true(running_stddev(&running) == 0.0);
	assert_close(running.min, -3.5);
	assert_close(running.max, -3.5);
}

static void test_merge_equals_one_pass(void **state)
{
	static const double values[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16, 1e9 - 20 };
	struct running all = running_of(values, 5);
	struct running left = running_of(values, 2);
	struct running right = running_of(values + 2, 3);
	struct running empty = { .n = 0 };

	(void)state;
	running_merge(&left, &empty);
	running_merge(&left, &right);
	running_merge(&empty, &left);
	assert_int_equal(empty.n, 5);
	assert_close(empty.mean, 1e9 + 4);
	assert_close(empty.sum_sq_dev, 9.0 + 81.0 + 144.0 + 576.0);
	assert_close(running_stddev(&empty), running_stddev(&all));
	assert_close(empty.min, 1e9 - 20);
	assert_close(empty.max, 1e9 + 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_sample),
		cmocka_unit_test(test_one_value_has_no_deviation),
		cmocka_unit_test(test_merge_equals_one_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
