/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result: merging clones as group_reporting does, and freeing. Run under ASan to see leaks. */
#include "model/result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "test.h"

static void add_latencies(struct latency *latency, uint64_t first_ns, uint64_t step_ns, size_t nr)
{
	struct hist *hist = latency_need_hist(latency);

	for (size_t i = 0; i < nr; i++) {
		moments_add(&latency->moments, first_ns + step_ns * i);
		hist_record(hist, first_ns + step_ns * i);
	}
}

static struct job_result clone_result(const char *name, uint64_t scale)
{
	struct job_result job = {
		.name = xstrdup(name),
		.nr_clones = 1,
		.tid = (int64_t)(100 * scale),
		.ended_at_unix_s = (int64_t)(1000 * scale),
		.sync_ios = scale,
		.wall_ms = 1000,
		.usr_ms = 10 * scale,
		.sys_ms = 20 * scale,
		.context_switches = scale,
		.major_faults = 2 * scale,
		.minor_faults = 3 * scale,
		.nr_errors = scale,
		.depth_at_submit = { scale, 0, 0, 0, 0, 0, 7 * scale },
		.per_submit = { 0, scale },
		.per_complete = { 0, 0, scale },
	};
	struct dir_result *read = &job.dir[IO_READ];

	read->total_ios = 10 * scale;
	read->io_bytes = 4096 * read->total_ios;
	read->short_ios = scale;
	read->drop_ios = 2 * scale;
	read->runtime_ms = 500 * scale;
	add_latencies(&read->latency[LATENCY_CLAT], 1000 * scale, 10, 10 * scale);
	running_add(&read->iops, (double)(100 * scale));
	running_add(&read->iops, (double)(102 * scale));
	return job;
}

static void test_merge_adds(void **state)
{
	CLEANUP(job_result) struct job_result into = clone_result("first", 1);
	CLEANUP(job_result) struct job_result from = clone_result("second", 3);
	const struct dir_result *read = &into.dir[IO_READ];

	(void)state;
	job_result_add_option(&into, "rw", "read");
	job_result_merge(&into, &from);

	assert_string_equal(into.name, "first");
	assert_int_equal(into.nr_options, 1);
	assert_int_equal(into.tid, 100);
	assert_int_equal(into.nr_clones, 2);
	assert_int_equal(into.ended_at_unix_s, 3000);
	assert_int_equal(into.sync_ios, 4);
	assert_int_equal(into.wall_ms, 2000);
	assert_int_equal(into.usr_ms, 40);
	assert_int_equal(into.sys_ms, 80);
	assert_int_equal(into.context_switches, 4);
	assert_int_equal(into.major_faults, 8);
	assert_int_equal(into.minor_faults, 12);
	assert_int_equal(into.nr_errors, 4);
	assert_int_equal(into.depth_at_submit[0], 4);
	assert_int_equal(into.depth_at_submit[6], 28);
	assert_int_equal(into.per_submit[1], 4);
	assert_int_equal(into.per_complete[2], 4);
	assert_int_equal(read->total_ios, 40);
	assert_int_equal(read->io_bytes, 40 * 4096);
	assert_int_equal(read->short_ios, 4);
	assert_int_equal(read->drop_ios, 8);
	assert_int_equal(read->runtime_ms, 1500); /* the longest, not the sum */
}

static void test_merge_latency_equals_one_pass(void **state)
{
	CLEANUP(job_result) struct job_result into = clone_result("a", 2);
	CLEANUP(job_result) struct job_result from = clone_result("b", 5);
	struct latency whole = { .hist = NULL };
	const struct latency *merged = &into.dir[IO_READ].latency[LATENCY_CLAT];

	(void)state;
	add_latencies(&whole, 2000, 10, 20);
	add_latencies(&whole, 5000, 10, 50);
	job_result_merge(&into, &from);

	assert_memory_equal(&merged->moments, &whole.moments, sizeof(whole.moments));
	assert_memory_equal(merged->hist, whole.hist, sizeof(*whole.hist));
	assert_int_equal(hist_total(merged->hist), merged->moments.n);
	free(whole.hist);
}

/* fio-compat 4.2: sums of min, max, mean and squared deviations. */
static void test_merge_sums_samples(void **state)
{
	CLEANUP(job_result) struct job_result into = clone_result("a", 1);
	CLEANUP(job_result) struct job_result from = clone_result("b", 3);
	const struct running *iops = &into.dir[IO_READ].iops;

	(void)state;
	job_result_merge(&into, &from);
	assert_int_equal(iops->n, 4);
	assert_true(fabs(iops->min - 400) < 1e-9);
	assert_true(fabs(iops->max - 408) < 1e-9);
	assert_true(fabs(iops->mean - 404) < 1e-9);
	/* deviations 1 and 3 of two samples each: S = 2 + 18, n - 1 = 3 */
	assert_true(fabs(running_stddev(iops) - sqrt(20.0 / 3.0)) < 1e-9);

	/* a clone without samples changes nothing, whatever its min and max hold */
	from.dir[IO_READ].iops = (struct running){ .min = 5, .max = -5 };
	job_result_merge(&into, &from);
	assert_true(fabs(iops->min - 400) < 1e-9);
}

static void test_merge_keeps_the_first_error(void **state)
{
	CLEANUP(job_result) struct job_result into = clone_result("a", 1);
	CLEANUP(job_result) struct job_result second = clone_result("b", 1);
	CLEANUP(job_result) struct job_result third = clone_result("c", 1);

	(void)state;
	second.error = EIO;
	second.error_where = xstrdup("/dev/x: read");
	third.error = ENOSPC;
	third.error_where = xstrdup("/dev/x: write");
	job_result_merge(&into, &second);
	job_result_merge(&into, &third);
	assert_int_equal(into.error, EIO);
	assert_string_equal(into.error_where, "/dev/x: read");
}

static void test_errors_of_a_result(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };

	(void)state;
	assert_int_equal(result_error(&result), 0);
	for (int i = 0; i < 5; i++)
		result_add_job(&result)->error = i % 2 ? EIO + i : 0;
	assert_int_equal(result_error(&result), EIO + 1);
	assert_int_equal(result_nr_failed(&result), 2);
}

static void test_arrays_grow(void **state)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };

	(void)state;
	for (int i = 0; i < 100; i++) {
		CLEANUP(free) char *name = xasprintf("n%d", i);
		struct disk_result *disk = result_add_disk(&result, name, i - 1);

		assert_int_equal(disk->io_ticks_ms, 0);
		result_add_job(&result)->name = xstrdup(name);
		result_add_env(&result, name, "e");
		result_add_setting(&result, name, "s");
	}
	assert_int_equal(result.nr_disks, 100);
	assert_string_equal(result.jobs[99].name, "n99");
	assert_string_equal(result.disks[64].name, "n64");
	assert_int_equal(result.disks[64].parent, 63);
	assert_string_equal(result.env[0].key, "n0");
	assert_string_equal(result.settings[33].value, "s");
	result_release(&result);
	assert_int_equal(result.nr_env, 0);
	assert_null(result.jobs);
}

static void test_kind_names(void **state)
{
	(void)state;
	assert_string_equal(latency_kind_name(LATENCY_SLAT), "slat");
	assert_string_equal(latency_kind_name(LATENCY_CLAT), "clat");
	assert_string_equal(latency_kind_name(LATENCY_LAT), "lat");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_merge_adds),
		cmocka_unit_test(test_merge_latency_equals_one_pass),
		cmocka_unit_test(test_merge_sums_samples),
		cmocka_unit_test(test_merge_keeps_the_first_error),
		cmocka_unit_test(test_errors_of_a_result),
		cmocka_unit_test(test_arrays_grow),
		cmocka_unit_test(test_kind_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
