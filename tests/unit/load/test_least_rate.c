/* SPDX-License-Identifier: GPL-2.0-or-later */
/* least_rate: grace, cycles, and what is too little. */
#include "load/least_rate.h"

#include "fixture.h"
#include "test.h"

#define S UINT64_C(1000000000)

static bool check(struct least_rate *rate, const struct job *job, uint64_t at_ns, uint64_t ios)
{
	const struct sample_counts counts = { .ios = { ios }, .bytes = { ios * 4096 } };

	return least_rate_check(rate, job, S, at_ns, &counts);
}

static void test_cycles(void **state)
{
	struct job job = fixture_job();
	struct least_rate rate = { .begin_ns = 0 };

	(void)state;
	job.rate_min_iops[IO_READ] = 100;
	job.rate_cycle_ns = S;
	assert_true(check(&rate, &job, 2 * S, 0)); /* grace */
	assert_true(check(&rate, &job, 3 * S, 0)); /* the first cycle begins */
	assert_true(check(&rate, &job, 3 * S + S / 2, 0));
	assert_true(check(&rate, &job, 4 * S, 100)); /* just enough */
	assert_false(check(&rate, &job, 5 * S, 199));
}

static void test_bytes_and_others(void **state)
{
	struct job job = fixture_job();
	struct least_rate rate = { .begin_ns = 0 };

	(void)state;
	job.rate_cycle_ns = S;
	job.rate_min_bytes_per_sec[IO_WRITE] = MIB; /* it does not write */
	assert_true(check(&rate, &job, 4 * S, 0));
	assert_true(check(&rate, &job, 6 * S, 0));
	job.rate_min_bytes_per_sec[IO_READ] = 40960;
	assert_true(check(&rate, &job, 10 * S, 0));
	assert_true(check(&rate, &job, 11 * S, 10));
	assert_false(check(&rate, &job, 13 * S, 29));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cycles),
		cmocka_unit_test(test_bytes_and_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
