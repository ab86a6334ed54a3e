/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sample: windows of bandwidth and IOPS samples. */
#include "load/sample.h"

#include "test.h"

#define MS UINT64_C(1000000)

static struct sample_counts counts(uint64_t reads, uint64_t read_bytes, uint64_t writes,
				   uint64_t write_bytes)
{
	return (struct sample_counts){ .ios = { reads, writes },
				       .bytes = { read_bytes, write_bytes } };
}

static void take(struct sampler *sampler, uint64_t now_ns, struct sample_counts now)
{
	sampler_take(sampler, now_ns, &now);
}

static void test_windows(void **state)
{
	struct sampler sampler = { .has_begun = false };
	struct sample_counts begin = counts(100, 409600, 0, 0);

	(void)state;
	take(&sampler, 900 * MS, begin); /* not begun: no window */
	sampler_begin(&sampler, 500 * MS, 1000 * MS, &begin);
	take(&sampler, 1400 * MS, counts(150, 614400, 0, 0)); /* not complete */
	assert_int_equal(sampler.iops[IO_READ].n, 0);

	/* 100 I/Os of 4 KiB in 500 ms */
	take(&sampler, 1500 * MS, counts(200, 819200, 0, 0));
	assert_int_equal(sampler.iops[IO_READ].n, 1);
	assert_true(sampler.iops[IO_READ].mean == 200);
	assert_true(sampler.bw_kib_per_sec[IO_READ].mean == 800);
	assert_int_equal(sampler.iops[IO_WRITE].n, 0); /* none: no sample */

	/* woken late: divided by the real 625 ms; the next end stays on the grid */
	take(&sampler, 2125 * MS, counts(325, 819200 + 125 * 4096, 1, 1048576));
	assert_int_equal(sampler.iops[IO_READ].n, 2);
	assert_true(sampler.iops[IO_READ].max == 200);
	assert_true(sampler.iops[IO_WRITE].mean == 1); /* 1.6 of whole numbers */
	assert_true(sampler.bw_kib_per_sec[IO_WRITE].mean == 1638);
	assert_int_equal(sampler.due_ns, 2500 * MS);
}

static void test_slack_and_long_sleep(void **state)
{
	struct sampler sampler = { .has_begun = false };
	struct sample_counts begin = counts(0, 0, 0, 0);

	(void)state;
	sampler_begin(&sampler, 500 * MS, 0, &begin);
	take(&sampler, 498 * MS, counts(10, 10, 0, 0));
	assert_int_equal(sampler.iops[IO_READ].n, 0);
	take(&sampler, 500 * MS - MS / 2, counts(10, 10, 0, 0));
	assert_int_equal(sampler.iops[IO_READ].n, 1);
	assert_int_equal(sampler.due_ns, 1000 * MS);
	/* slept through several windows: one sample over all of them */
	take(&sampler, 2600 * MS, counts(2110, 2110, 0, 0));
	assert_int_equal(sampler.iops[IO_READ].n, 2);
	assert_true(sampler.iops[IO_READ].max == 999); /* 2100 / 2.1005 s */
	assert_int_equal(sampler.due_ns, 3000 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_slack_and_long_sleep),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
