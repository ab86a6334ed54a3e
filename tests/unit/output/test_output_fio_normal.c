/* SPDX-License-Identifier: GPL-2.0-or-later */
/* normal: golden files of the whole form and of its variants. test_fio_cross.c asks fio itself. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "golden.h"
#include "model/job.h"
#include "model/result.h"
#include "output/output.h"
#include "sample_result.h"
#include "test.h"

#include "capture.h"

static char *print_result(const struct result *result)
{
	struct capture capture;

	capture_start(&capture);
	assert_int_equal(output_find("normal")->result(result, capture.to, NULL), 0);
	return capture_end(&capture);
}

static void test_sample(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(free) char *text = NULL;

	(void)state;
	sample_result(&result);
	text = print_result(&result);
	golden_assert("output/normal-sample.txt", text);
}

/* SI units, large samples in MiB, other percentiles, trim, failed I/Os that were passed over. */
static void test_variants(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(free) char *text = NULL;
	struct job_result *job;

	(void)state;
	sample_group(result_add_job(&result));
	job = &result.jobs[0];
	job->kb_base = 1000;
	job->clat_percentiles = false;
	job->lat_percentiles = job->slat_percentiles = true;
	job->nr_percentiles = 5;
	job->percentiles[0] = 50;
	job->percentiles[1] = 90;
	job->percentiles[2] = 99.9;
	job->percentiles[3] = 99.999;
	job->percentiles[4] = 100;
	job->nr_errors = 3;
	job->error = EIO;
	job->dir[IO_TRIM] = job->dir[IO_WRITE]; /* histograms move */
	job->dir[IO_WRITE] = (struct dir_result){ .total_ios = 0 };
	job->dir[IO_TRIM].bw_kib_per_sec = (struct running){
		.n = 2, .mean = 1500000.5, .sum_sq_dev = 200, .min = 1499990, .max = 1500011
	};
	text = print_result(&result);
	golden_assert("output/normal-variants.txt", text);
}

/* One I/O, one sample: deviations are 0; a runtime below 1 ms prints no rate. */
static void test_smallest(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(free) char *text = NULL;
	struct job_result *job = result_add_job(&result);
	struct dir_result *read = &job->dir[IO_READ];

	(void)state;
	sample_job_basics(job, "one\033[31m", "read", "null", 1); /* no control characters */
	read->total_ios = 1;
	read->io_bytes = 4096;
	read->runtime_ms = 1;
	sample_latency(&read->latency[LATENCY_CLAT], 1, 100, 1, 1);
	running_add(&read->iops, 1);
	job->dir[IO_WRITE] = (struct dir_result){ .total_ios = 1, .io_bytes = 512 };
	job->ended_at_unix_s = INT64_MAX; /* no such date */
	text = print_result(&result);
	golden_assert("output/normal-smallest.txt", text);
}

/* Neither a name nor anything else: from an archive of another program. */
static void test_empty(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(free) char *none = print_result(&result);
	CLEANUP(free) char *text = NULL;
	struct job_result *job = result_add_job(&result);

	(void)state;
	assert_string_equal(none, "\n");
	job->dir[IO_READ].total_ios = 1;
	text = print_result(&result);
	assert_non_null(strstr(text, "\n: (groupid=0, jobs=0): err= 0: pid=0: "));
	assert_non_null(strstr(text, "\nRun status group 0 (all jobs):\n"));
}

static void test_run_header(void **state)
{
	struct job jobs[] = {
		{ .name = "a",
		  .rw = RW_READ | RW_RANDOM,
		  .ioengine = "libaio",
		  .iodepth = 64,
		  .kb_base = 1024,
		  .nr_clones = 24,
		  .bs_min_bytes = { 131072, 131072, 131072 },
		  .bs_max_bytes = { 131072, 131072, 131072 } },
		{ .name = "b",
		  .rw = RW_READ | RW_WRITE,
		  .ioengine = "psync",
		  .iodepth = 1,
		  .kb_base = 1000,
		  .nr_clones = 1,
		  .group_id = 1,
		  .bs_min_bytes = { 512, 4096, 65536 },
		  .bs_max_bytes = { 1048576, 4096, 65536 } },
	};
	struct job_set set = { .jobs = jobs, .nr = 2, .nr_clones = 25 };
	struct capture capture;
	CLEANUP(free) char *text = NULL;
	CLEANUP(free) char *one = NULL;

	(void)state;
	capture_start(&capture);
	assert_int_equal(output_find("normal")->run_header(&set, capture.to, NULL), 0);
	text = capture_end(&capture);
	assert_string_equal(
		text, "a: (g=0): rw=randread, bs=(R) 128KiB-128KiB, (W) 128KiB-128KiB, "
		      "(T) 128KiB-128KiB, ioengine=libaio, iodepth=64\n"
		      "...\n"
		      "b: (g=1): rw=rw, bs=(R) 512B-1049kB, (W) 4096B-4096B, (T) 65.5kB-65.5kB, "
		      "ioengine=psync, iodepth=1\n"
		      "regio-" REGIO_VERSION "\n"
		      "Starting 25 threads\n");

	set.jobs = &jobs[1];
	set.nr = set.nr_clones = 1;
	capture_start(&capture);
	assert_int_equal(output_find("normal")->run_header(&set, capture.to, NULL), 0);
	one = capture_end(&capture);
	assert_non_null(strstr(one, "\nStarting 1 thread\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sample),	   cmocka_unit_test(test_variants),
		cmocka_unit_test(test_smallest),   cmocka_unit_test(test_empty),
		cmocka_unit_test(test_run_header),
	};

	(void)setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
