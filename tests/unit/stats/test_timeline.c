/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline: rates are exact whatever was dropped, and the whole run stays covered. */
#include "stats/timeline.h"

#include "test.h"

static void test_empty(void **state)
{
	struct timeline timeline = { .nr = 0 };
	double rates[TIMELINE_MAX_POINTS];

	(void)state;
	assert_true(timeline_is_due(&timeline, 0));
	assert_int_equal(timeline_rates(&timeline, rates), 0);
	timeline_add(&timeline, 5, 100);
	assert_int_equal(timeline_rates(&timeline, rates), 0);
}

static void test_rates(void **state)
{
	struct timeline timeline = { .nr = 0 };
	double rates[TIMELINE_MAX_POINTS];

	(void)state;
	timeline_add(&timeline, 1000000, 50);
	assert_false(timeline_is_due(&timeline, 1000000 + TIMELINE_MIN_STEP_US - 1));
	assert_true(timeline_is_due(&timeline, 1000000 + TIMELINE_MIN_STEP_US));
	timeline_add(&timeline, 1500000, 150); /* late: the rate is over the real distance */
	timeline_add(&timeline, 1600000, 150);
	assert_int_equal(timeline_rates(&timeline, rates), 2);
	assert_float_equal(rates[0], 200.0, 1e-9);
	assert_float_equal(rates[1], 0.0, 1e-9);
}

/* However long a run is: between half and all of the points, equally far apart, from the start. */
static void test_long_runs(void **state)
{
	struct timeline timeline = { .nr = 0 };
	double rates[TIMELINE_MAX_POINTS];
	size_t nr;

	(void)state;
	for (uint64_t us = 0; us <= UINT64_C(3600000000); us += 50000) {
		if (timeline_is_due(&timeline, us))
			timeline_add(&timeline, us, us / 1000);
		assert_true(timeline.nr <= TIMELINE_MAX_POINTS);
	}
	assert_true(timeline.nr > TIMELINE_MAX_POINTS / 2);
	assert_int_equal(timeline.elapsed_us[0], 0);
	assert_true(timeline.elapsed_us[timeline.nr - 1] + timeline.step_us > UINT64_C(3600000000));
	nr = timeline_rates(&timeline, rates);
	assert_int_equal(nr, timeline.nr - 1);
	for (size_t i = 0; i < nr; i++) {
		assert_int_equal(timeline.elapsed_us[i + 1] - timeline.elapsed_us[i],
				 timeline.step_us);
		assert_float_equal(rates[i], 1000.0, 1e-6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_long_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
