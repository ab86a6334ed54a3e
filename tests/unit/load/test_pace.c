/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_pace: the schedule of rates. */
#include "load/pace.h"

#include <math.h>

#include "fixture.h"
#include "test.h"

#define MS UINT64_C(1000000)

static void test_iops(void **state)
{
	const struct clock clock = CLOCK_INIT;
	struct job job = fixture_job();
	struct pace pace;

	(void)state;
	job.rate_iops[IO_READ] = 1000;
	pace_init(&pace, &job, &clock, 1);
	assert_true(pace.is_limited);
	pace_start(&pace, 5 * MS);
	for (unsigned i = 0; i < 2500; i++) {
		assert_int_equal(pace_due_ticks(&pace, IO_READ), 5 * MS + i * MS);
		pace_issued(&pace, IO_READ, 4 * KIB);
	}
	assert_int_equal(pace_due_ticks(&pace, IO_WRITE), 5 * MS); /* not limited */
	pace_start(&pace, 9 * MS);
	assert_int_equal(pace_due_ticks(&pace, IO_READ), 9 * MS);
}

static void test_bytes(void **state)
{
	const struct clock clock = CLOCK_INIT;
	struct job job = fixture_job();
	struct pace pace;

	(void)state;
	job.rate_bytes_per_sec[IO_WRITE] = 1000000;
	pace_init(&pace, &job, &clock, 1);
	pace_start(&pace, 0);
	pace_issued(&pace, IO_WRITE, 4096);
	assert_int_equal(pace_due_ticks(&pace, IO_WRITE), 4096 * UINT64_C(1000));
	pace_issued(&pace, IO_WRITE, UINT64_C(1) << 40); /* no overflow on the way */
	assert_int_equal(pace_due_ticks(&pace, IO_WRITE),
			 ((UINT64_C(1) << 40) + 4096) * UINT64_C(1000));
}

static void test_unlimited(void **state)
{
	const struct clock clock = CLOCK_INIT;
	struct job job = fixture_job();
	struct pace pace;

	(void)state;
	pace_init(&pace, &job, &clock, 1);
	assert_false(pace.is_limited);
}

/* Rounding never lets a schedule run ahead or drift. */
static void test_odd_rates_do_not_drift(void **state)
{
	const struct clock clock = { .source = CLOCK_SOURCE_MONOTONIC,
				     .mult = 1,
				     .ticks_per_sec = UINT64_C(2595124000) };
	struct job job = fixture_job();
	struct pace pace;

	(void)state;
	job.rate_iops[IO_READ] = 7;
	pace_init(&pace, &job, &clock, 1);
	pace_start(&pace, 0);
	for (unsigned i = 0; i < 7 * 1000; i++)
		pace_issued(&pace, IO_READ, 4096);
	assert_int_equal(pace_due_ticks(&pace, IO_READ), UINT64_C(2595124000) * 1000);
}

static void test_choose(void **state)
{
	const struct clock clock = CLOCK_INIT;
	struct job job = fixture_job();
	struct pace pace;
	uint64_t due_ticks;

	(void)state;
	job.rate_iops[IO_READ] = 1000;
	job.rate_iops[IO_WRITE] = 500;
	pace_init(&pace, &job, &clock, 1);
	pace_start(&pace, 0);
	pace_issued(&pace, IO_READ, 4096);  /* next at 1 ms */
	pace_issued(&pace, IO_WRITE, 4096); /* next at 2 ms */

	/* nobody is due: the earlier one, whichever was drawn */
	assert_int_equal(pace_choose(&pace, IO_WRITE, IO_READ, 0, &due_ticks), IO_READ);
	assert_int_equal(due_ticks, MS);
	assert_int_equal(pace_choose(&pace, IO_READ, IO_WRITE, 0, &due_ticks), IO_READ);
	assert_int_equal(due_ticks, MS);
	/* the other one is due: it goes first */
	assert_int_equal(pace_choose(&pace, IO_WRITE, IO_READ, 3 * MS / 2, &due_ticks), IO_READ);
	assert_true(due_ticks <= 3 * MS / 2);
	/* both are due: the one that was drawn */
	assert_int_equal(pace_choose(&pace, IO_WRITE, IO_READ, 2 * MS, &due_ticks), IO_WRITE);
	/* no choice */
	assert_int_equal(pace_choose(&pace, IO_WRITE, IO_WRITE, 0, &due_ticks), IO_WRITE);
	assert_int_equal(due_ticks, 2 * MS);
}

/* Whatever the sizes, the rate of bytes is met, and gaps spread as widely as they are long. */
static void test_poisson(void **state)
{
	const struct clock clock = CLOCK_INIT;
	const unsigned nr = 100000;
	struct job job = fixture_job();
	uint64_t total_bytes = 0;
	struct pace pace;
	double seconds, gap_s, squares = 0, sum = 0;

	(void)state;
	job.rate_process = RATE_POISSON;
	job.rate_bytes_per_sec[IO_READ] = 100 * MIB;
	pace_init(&pace, &job, &clock, 1);
	pace_start(&pace, 0);
	for (unsigned i = 0; i < nr; i++) {
		uint64_t before_ticks = pace_due_ticks(&pace, IO_READ);
		uint64_t len_bytes = i % 2 ? 64 * KIB : 4 * KIB;

		pace_issued(&pace, IO_READ, len_bytes);
		total_bytes += len_bytes;
		gap_s = (double)(pace_due_ticks(&pace, IO_READ) - before_ticks) / 1e9;
		if (i % 2) {
			sum += gap_s;
			squares += gap_s * gap_s;
		}
	}
	seconds = (double)pace_due_ticks(&pace, IO_READ) / 1e9;
	assert_true(fabs((double)total_bytes / seconds / (100 * MIB) - 1) < 0.02);
	sum /= nr / 2;
	assert_true(fabs(sqrt(squares / (nr / 2) - sum * sum) / sum - 1) < 0.02);
}

/* Idle time is not caught up. */
static void test_skipped_time(void **state)
{
	const struct clock clock = CLOCK_INIT;
	struct job job = fixture_job();
	struct pace pace;

	(void)state;
	job.rate_iops[IO_READ] = 1000;
	pace_init(&pace, &job, &clock, 1);
	pace_start(&pace, 0);
	pace_issued(&pace, IO_READ, 4096);
	pace_skip(&pace, 10 * MS);
	assert_int_equal(pace_due_ticks(&pace, IO_READ), 11 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_poisson),	  cmocka_unit_test(test_skipped_time),
		cmocka_unit_test(test_iops),	  cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_unlimited), cmocka_unit_test(test_odd_rates_do_not_drift),
		cmocka_unit_test(test_choose),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
