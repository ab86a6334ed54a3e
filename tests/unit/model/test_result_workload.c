/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/result_workload.h"

#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "../sample_result.h"

static void assert_workload(const struct result *result, const char *expected)
{
	CLEANUP(free) char *text = result_workload(result);

	assert_string_equal(text, expected);
}

static struct job_result *add_job(struct result *result, const char *name, const char *rw,
				  unsigned iodepth)
{
	struct job_result *job = result_add_job(result);

	sample_job_basics(job, name, rw, "libaio", iodepth);
	return job;
}

static void test_one_job(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	struct job_result *job = add_job(&result, "job", "write", 64);

	(void)state;
	job->bs_min_bytes[IO_WRITE] = job->bs_max_bytes[IO_WRITE] = 131072;
	job->nr_clones = 24;
	assert_workload(&result, "rw=write, bs=128KiB, ioengine=libaio, iodepth=64, jobs=24 'job'");
	assert_true(result_is_plain(&result));
}

static void test_block_sizes_of_used_directions(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	struct job_result *job = add_job(&result, "mix", "randrw", 1);

	(void)state;
	job->bs_max_bytes[IO_READ] = 65536;
	job->bs_min_bytes[IO_WRITE] = job->bs_max_bytes[IO_WRITE] = 8192;
	job->bs_min_bytes[IO_TRIM] = job->bs_max_bytes[IO_TRIM] = 512;
	assert_workload(&result, "rw=randrw, bs=4KiB-64KiB/8KiB, ioengine=libaio, iodepth=1 'mix'");
	job->bs_max_bytes[IO_READ] = job->bs_min_bytes[IO_WRITE] = job->bs_max_bytes[IO_WRITE] =
		4096;
	assert_workload(&result, "rw=randrw, bs=4KiB, ioengine=libaio, iodepth=1 'mix'");
}

static void test_equal_jobs_are_counted(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };

	(void)state;
	for (int i = 0; i < 3; i++)
		(void)add_job(&result, "a", "read", 4);
	(void)add_job(&result, "it's; so", "read", 4);
	assert_workload(&result, "3 x rw=read, bs=4KiB, ioengine=libaio, iodepth=4 'a'; "
				 "rw=read, bs=4KiB, ioengine=libaio, iodepth=4 'it_s_ so'");
	assert_false(result_is_plain(&result));
}

static void test_names_can_be_left_out(void **state)
{
	CLEANUP(free)
	char *text = workload_without_names("2 x rw=read 'a b'; rw=write, bs=4KiB 'it_s'; x");
	CLEANUP(free) char *open = workload_without_names("read 'open");
	CLEANUP(free) char *empty = workload_without_names("");

	(void)state;
	assert_string_equal(text, "2 x rw=read; rw=write, bs=4KiB; x");
	assert_string_equal(open, "read 'open");
	assert_string_equal(empty, "");
}

static void test_without_jobs(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };

	(void)state;
	assert_workload(&result, "");
	given_append(&result.given, "write.iops", 1, 1);
	given_append(&result.given, "read.iops", 1, 1);
	given_append(&result.given, "trimmed", 1, 1);
	assert_workload(&result, "read and write");
	result_add_env(&result, RESULT_WORKLOAD_KEY, "4k/1HDD/ext4");
	assert_workload(&result, "4k/1HDD/ext4");
}

/* A job of which only numbers were posted. */
static void test_job_without_header(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	struct job_result *job = result_add_job(&result);

	(void)state;
	job->name = xstrdup("x");
	given_append(&job->given, "read.iops", 1, 1);
	assert_workload(&result, "read 'x'");
}

static void test_means_are_not_plain(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };

	(void)state;
	given_append(&result.given, "aiol.ops_per_sec", 187.64, 1);
	assert_true(result_is_plain(&result));
	given_append(&result.given, "x", 1, 1)->nr_runs = GIVEN_RUNS_UNKNOWN;
	assert_false(result_is_plain(&result));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_job),
		cmocka_unit_test(test_block_sizes_of_used_directions),
		cmocka_unit_test(test_equal_jobs_are_counted),
		cmocka_unit_test(test_names_can_be_left_out),
		cmocka_unit_test(test_without_jobs),
		cmocka_unit_test(test_job_without_header),
		cmocka_unit_test(test_means_are_not_plain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
