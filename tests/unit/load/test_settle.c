/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settle: ramp, windows that move on, and which jobs settle together. */
#include "load/settle.h"

#include "fixture.h"
#include "test.h"

#define S UINT64_C(1000000000)
#define EPOCH_NS (3 * S)

static struct job settling_job(void)
{
	struct job job = fixture_job();

	job.steady = (struct steady_rule){ .metric = STEADY_IOPS, .is_percent = true, .limit = 5 };
	job.steady_duration_ns = 4 * S;
	job.steady_interval_ns = S;
	return job;
}

/* Seconds until it has settled, if it does `rates` I/Os in one second after the other. */
static unsigned seconds_to_settle(struct settle *settle, const unsigned *rates, unsigned nr)
{
	struct settle_counts counts = { .lat_sum_ns = 0 };

	(void)settle_look(settle, EPOCH_NS, EPOCH_NS, &counts);
	for (unsigned i = 0; i < nr; i++) {
		counts.done.ios[IO_READ] += rates[i];
		counts.done.bytes[IO_READ] += rates[i] * UINT64_C(4096);
		counts.lat_sum_ns += rates[i] * UINT64_C(1000) * (i + 1);
		if (settle_look(settle, EPOCH_NS, EPOCH_NS + (i + 1) * S, &counts))
			return i + 1;
	}
	return 0;
}

static void test_settles(void **state)
{
	static const unsigned rates[] = { 100, 500, 900, 1000, 1000, 1020, 1010, 1000, 1000 };
	struct job job = settling_job();
	struct settle *settle = settle_create(&job);
	struct steady_result *report;

	(void)state;
	assert_int_equal(seconds_to_settle(settle, rates, 9), 7);
	report = settle_report(settle);
	assert_true(report->is_attained);
	assert_int_equal(report->nr, 4);
	assert_int_equal(report->samples[0].iops, 1000);
	assert_int_equal(report->samples[2].iops, 1020);
	assert_int_equal(report->samples[2].bw_bytes_per_sec, 1020 * 4096);
	assert_int_equal(report->duration_s, 4);
	steady_result_free(report);
	settle_free(settle);
}

static void test_ramp(void **state)
{
	static const unsigned rates[] = { 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000 };
	struct job job = settling_job();
	struct settle *settle;

	(void)state;
	job.steady_ramp_ns = 2 * S;
	settle = settle_create(&job);
	assert_int_equal(seconds_to_settle(settle, rates, 8), 6);
	settle_free(settle);
}

static void test_latency_never_settles(void **state)
{
	static const unsigned rates[] = { 1000, 1000, 1000, 1000, 1000, 1000 };
	struct job job = settling_job();
	struct settle *settle;

	(void)state;
	job.steady.metric = STEADY_LAT; /* rises by 1 us in each second */
	settle = settle_create(&job);
	assert_int_equal(seconds_to_settle(settle, rates, 6), 0);
	assert_int_equal(settle->result.samples[3].lat_ns, 6000);
	settle_free(settle);
}

static void test_together(void **state)
{
	struct job a = settling_job();
	struct job b = settling_job();

	(void)state;
	assert_false(settle_is_shared(&a, &b));
	a.group_reporting = b.group_reporting = true;
	assert_true(settle_is_shared(&a, &b));
	assert_true(settle_is_alike(&a, &b));
	b.steady.limit = 6;
	assert_false(settle_is_alike(&a, &b));
	a.steady_duration_ns = b.steady_duration_ns = 0;
	assert_true(settle_is_alike(&a, &b));
	b.group_id = 1;
	assert_false(settle_is_shared(&a, &b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_settles),
		cmocka_unit_test(test_ramp),
		cmocka_unit_test(test_latency_never_settles),
		cmocka_unit_test(test_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
