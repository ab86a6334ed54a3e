/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steady: slopes and deviations. */
#include "model/steady.h"

#include <math.h>

#include "test.h"

#define assert_near(value, expected, slack) assert_true(fabs((value) - (expected)) <= (slack))

static struct steady_result judge(struct steady_sample *samples, size_t nr, bool is_slope,
				  bool is_percent, double limit, bool *ret_is_met)
{
	struct steady_result result = {
		.rule = { .is_slope = is_slope, .is_percent = is_percent, .limit = limit },
		.samples = samples,
		.nr = nr,
	};

	*ret_is_met = steady_judge(&result);
	return result;
}

static void test_deviation(void **state)
{
	struct steady_sample samples[] = { { .iops = 1001 }, { .iops = 1000 }, { .iops = 1000 } };
	struct steady_result result;
	bool is_met;

	(void)state;
	result = judge(samples, 3, false, true, 10, &is_met);
	assert_true(is_met);
	assert_near(result.spread, 0.666667, 1e-6);
	assert_near(result.criterion, 0.066644, 1e-6); /* per cent */
	(void)judge(samples, 3, false, false, 0.6, &is_met);
	assert_false(is_met);
	(void)judge(samples, 3, false, false, 0.7, &is_met);
	assert_true(is_met);
}

static void test_slope(void **state)
{
	/* falls by 3 a sample, and twice as much noise that cancels */
	struct steady_sample samples[] = {
		{ .iops = 1006 }, { .iops = 991 }, { .iops = 994 },
		{ .iops = 997 },  { .iops = 988 },
	};
	struct steady_result result;
	bool is_met;

	(void)state;
	result = judge(samples, 5, true, false, 4, &is_met);
	assert_true(is_met);
	assert_near(result.spread, -3, 1e-9);
	result = judge(samples, 5, true, true, 0.3, &is_met);
	assert_false(is_met);
	assert_near(result.criterion, -300 / 995.2, 1e-9);
	samples[0].bw_bytes_per_sec = 500;
	assert_near(steady_mean(&result, STEADY_BW), 100, 1e-9);
}

static void test_one_sample(void **state)
{
	struct steady_sample samples[] = { { .iops = 0 } };
	struct steady_result result;
	bool is_met;

	(void)state;
	result = judge(samples, 1, true, true, 0.1, &is_met);
	assert_true(is_met);
	assert_near(result.criterion, 0, 0);
	result = judge(samples, 0, false, true, 0.1, &is_met);
	assert_near(result.criterion, 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_deviation),
		cmocka_unit_test(test_slope),
		cmocka_unit_test(test_one_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
