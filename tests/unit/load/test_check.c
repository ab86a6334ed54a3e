/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_check: job sets that cannot be run are refused by their options. */
#include "load/load.h"

#include "base/err.h"
#include "fixture.h"
#include "load/limits.h"
#include "test.h"

static int check(const struct job *job, struct err *err)
{
	const struct job_set jobs = { .jobs = (struct job *)job, .nr = 1 };

	return load_check(&jobs, err);
}

static void assert_refused(const struct job *job, const char *text)
{
	struct err err = { .code = 0 };

	assert_int_equal(check(job, &err), -ERR_USAGE); /* it stands in no file */
	assert_int_equal(err.code, ERR_USAGE);
	if (!strstr(err.msg, text))
		fail_msg("'%s' does not say '%s'", err.msg, text);
}

static void test_good(void **state)
{
	struct job job = fixture_job();
	struct err err = { .code = 0 };

	(void)state;
	assert_int_equal(check(&job, &err), 0);
	job.nr_clones = 1000;
	fixture_set_depth(&job, 64);
	assert_int_equal(check(&job, &err), 0);
}

/* What is wrong with a job of a file is wrong in the file. */
static void test_where_the_job_stands(void **state)
{
	struct job job = fixture_job();
	struct err err = { .code = 0 };

	(void)state;
	job.ioengine = "nosuch";
	job.source = "t.fio";
	job.line = 3;
	assert_int_equal(check(&job, &err), -ERR_INPUT);
	assert_int_equal(err.code, ERR_INPUT);
	assert_non_null(strstr(err.msg, "t.fio:3: job '"));
}

static void test_refusals(void **state)
{
	const struct job good = fixture_job();
	const struct job_set none = { .nr = 0 };
	struct job job = good;

	(void)state;
	assert_int_equal(load_check(&none, NULL), -ERR_INPUT);
	job.ioengine = "nope";
	assert_refused(&job, "unknown engine 'nope'");
	job = good;
	job.size = (struct size_spec){ .is_set = false };
	assert_refused(&job, "you need to specify size");
	job = good;
	job.size.bytes = 0;
	assert_refused(&job, "you need to specify size");
	job = good;
	job.rw = RW_RANDOM;
	assert_refused(&job, "rw names no direction");
	job = good;
	fixture_set_bs(&job, 0, 0);
	assert_refused(&job, "bs of reads is 0-0 bytes");
	fixture_set_bs(&job, 8192, 4096);
	assert_refused(&job, "bs of reads is 8192-4096 bytes");
	fixture_set_bs(&job, 4096, UINT64_C(1) << 32);
	assert_refused(&job, "is larger than the limit");
	job = good;
	job.iodepth = LOAD_MAX_IODEPTH + 1;
	assert_refused(&job, "iodepth 65537 is larger than the limit");
	job = good;
	job.rwmix_read_percent = 101;
	assert_refused(&job, "rwmixread 101");
	job = good;
	job.nr_clones = LOAD_MAX_WORKERS + 1;
	assert_refused(&job, "16385 clones");
	job.nr_clones = 0;
	assert_refused(&job, "0 clones");
}

static void test_a_cpu_that_is_not_there(void **state)
{
	struct job job = fixture_job();

	(void)state;
	job.cpus_allowed.nr = 1;
	job.cpus_allowed.bits[0] = 1;
	assert_int_equal(check(&job, NULL), 0);
	job.cpus_allowed.nr = 2;
	job.cpus_allowed.bits[(JOB_MAX_CPUS - 1) / 64] |= UINT64_C(1) << 63;
	assert_refused(&job, "there is no CPU 1023");
}

static void test_memory(void **state)
{
	struct job job = fixture_job();

	(void)state;
	fixture_set_depth(&job, 65536);
	fixture_set_bs(&job, 4096, LOAD_MAX_BLOCK_BYTES);
	job.nr_clones = 10000;
	assert_refused(&job, "the buffers (iodepth x bs x numjobs) of all jobs need");
	/* a synchronous engine has one buffer */
	job.ioengine = "psync";
	job.nr_clones = 1;
	assert_int_equal(check(&job, NULL), 0);
	assert_int_equal(limits_check_memory(4096, "x", NULL), 0);
	assert_int_equal(limits_check_memory(UINT64_MAX, "x", NULL), -ERR_INPUT);
}

static void test_open_files(void **state)
{
	struct job job = fixture_job();

	(void)state;
	job.ioengine = "psync";
	job.nr_files = 1000000;
	job.nr_clones = 10000;
	assert_refused(&job, "open files, more than the limit");
	job.ioengine = "null"; /* opens none */
	assert_int_equal(check(&job, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_where_the_job_stands),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_a_cpu_that_is_not_there),
		cmocka_unit_test(test_open_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
