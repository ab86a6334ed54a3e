/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of given metrics, and what they add up to over the jobs of a result. */
#include "model/given.h"

#include "base/arena.h"
#include "model/given_sum.h"
#include "model/metric.h"
#include "model/result.h"
#include "test.h"

#include <math.h>
#include <string.h>

static void assert_value(const struct given_list *list, const char *name, double expected)
{
	const struct given_metric *metric = given_find(list, name);

	if (!metric)
		fail_msg("%s is missing", name);
	if (!(fabs(metric->value - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%s is %.12g instead of %.12g", name, metric->value, expected);
}

static void test_list(void **state)
{
	CLEANUP(given_list) struct given_list list = { .items = NULL };
	char name[16];

	(void)state;
	for (int i = 0; i < 100; i++) {
		(void)snprintf(name, sizeof(name), "m%d", i);
		given_set(&list, name, i, (unsigned)i)->nr_runs = 7;
	}
	assert_int_equal(list.nr, 100);
	assert_true(isnan(list.items[3].stddev_percent));
	(void)given_set(&list, "m5", 55, 9);
	assert_int_equal(list.nr, 100);
	assert_value(&list, "m5", 55);
	assert_int_equal(given_find(&list, "m5")->line, 9);
	assert_int_equal(given_find(&list, "m5")->nr_runs, 0);
	assert_true(given_remove(&list, "m0"));
	assert_false(given_remove(&list, "m0"));
	assert_null(given_find(&list, "m0"));
	assert_value(&list, "m99", 99);
	assert_int_equal(list.nr, 99);
	while (list.nr)
		assert_true(given_remove(&list, list.items[list.nr / 2].name));
	(void)given_set(&list, "again", 1, 1);
	assert_value(&list, "again", 1);
}

struct numbers {
	double ios, bytes, runtime_ms, mean, stddev, min, max, p99;
};

static void add_dir(struct job_result *job, const char *dir, struct numbers numbers)
{
	const struct {
		const char *rest;
		double value;
	} rows[] = {
		{ "iops", numbers.ios * 1000 / numbers.runtime_ms },
		{ "bw_bytes_per_sec", numbers.bytes * 1000 / numbers.runtime_ms },
		{ "total_ios", numbers.ios },
		{ "io_bytes", numbers.bytes },
		{ "runtime_ms", numbers.runtime_ms },
		{ "clat_ns.mean", numbers.mean },
		{ "clat_ns.stddev", numbers.stddev },
		{ "clat_ns.min", numbers.min },
		{ "clat_ns.max", numbers.max },
		{ "clat_ns.p99", numbers.p99 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(free) char *name = xasprintf("%s.%s", dir, rows[i].rest);

		(void)given_append(&job->given, name, rows[i].value, 10 + (unsigned)i);
	}
}

/* Two jobs with latencies {1, 3} and {5, 7, 9} us. */
static void add_two_jobs(struct result *result, unsigned second_phase)
{
	struct job_result *job = result_add_job(result);

	add_dir(job, "read",
		(struct numbers){ .ios = 2,
				  .bytes = 8192,
				  .runtime_ms = 2000,
				  .mean = 2000,
				  .stddev = sqrt(2) * 1000,
				  .min = 1000,
				  .max = 3000,
				  .p99 = 3000 });
	job->nr_clones = 1;
	job = result_add_job(result);
	job->phase = second_phase;
	job->nr_clones = 1;
	add_dir(job, "read",
		(struct numbers){ .ios = 3,
				  .bytes = 12288,
				  .runtime_ms = 1000,
				  .mean = 7000,
				  .stddev = 2000,
				  .min = 5000,
				  .max = 9000,
				  .p99 = 9000 });
}

static void test_jobs_side_by_side(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(metric_list) struct metric_list metrics;
	double value;

	(void)state;
	add_two_jobs(&result, 0);
	result_sum_given(&result);
	assert_value(&result.given, "read.total_ios", 5);
	assert_value(&result.given, "read.io_bytes", 20480);
	assert_value(&result.given, "read.runtime_ms", 2000);
	assert_value(&result.given, "read.iops", 2.5);
	assert_value(&result.given, "read.bw_bytes_per_sec", 10240);
	/* 1, 3, 5, 7, 9: mean 5, sum of squares 40. */
	assert_value(&result.given, "read.clat_ns.mean", 5000);
	assert_value(&result.given, "read.clat_ns.stddev", sqrt(10) * 1000);
	assert_value(&result.given, "read.clat_ns.min", 1000);
	assert_value(&result.given, "read.clat_ns.max", 9000);
	/* Percentiles cannot be added up. */
	assert_null(given_find(&result.given, "read.clat_ns.p99"));
	assert_value(&result.given, "total.iops", 2.5);
	assert_value(&result.given, "total.clat_ns.mean", 5000);

	result_metrics(&result, &metrics);
	assert_int_equal(metric_find(&metrics, "read.iops", &value), 0);
	assert_true(value == 2.5);
	assert_int_equal(metrics.nr, result.given.nr);
}

static void test_jobs_one_after_the_other(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	add_two_jobs(&result, 1);
	result_sum_given(&result);
	assert_value(&result.given, "read.runtime_ms", 3000);
	assert_value(&result.given, "read.iops", 5 / 3.0);
}

/* The program's own sum is kept, the only job's numbers are the result's. */
static void test_what_is_there_stays(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(result) struct result single = { .label = NULL };

	(void)state;
	add_two_jobs(&result, 0);
	(void)given_set(&result.given, "read.bw_bytes_per_sec", 11000, 99);
	result_sum_given(&result);
	assert_value(&result.given, "read.bw_bytes_per_sec", 11000);
	assert_int_equal(given_find(&result.given, "read.bw_bytes_per_sec")->line, 99);

	add_dir(result_add_job(&single), "write",
		(struct numbers){ .ios = 2,
				  .bytes = 8192,
				  .runtime_ms = 2000,
				  .mean = 2000,
				  .stddev = 1,
				  .min = 1000,
				  .max = 3000,
				  .p99 = 3000 });
	(void)given_set(&single.jobs[0].given, "other.ops_per_sec", 5, 3);
	result_sum_given(&single);
	assert_value(&single.given, "write.clat_ns.p99", 3000);
	assert_int_equal(given_find(&single.given, "write.clat_ns.p99")->line, 19);
	assert_value(&single.given, "total.clat_ns.p99", 3000);
	assert_value(&single.given, "other.ops_per_sec", 5);
	assert_null(given_find(&single.given, "read.iops"));
}

/* A sum with an unknown part is unknown. */
static void test_unknown_parts(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };

	(void)state;
	add_two_jobs(&result, 0);
	assert_true(given_remove(&result.jobs[1].given, "read.total_ios"));
	assert_true(given_remove(&result.jobs[0].given, "read.runtime_ms"));
	result_sum_given(&result);
	assert_null(given_find(&result.given, "read.total_ios"));
	assert_null(given_find(&result.given, "read.runtime_ms"));
	assert_null(given_find(&result.given, "read.clat_ns.mean"));
	/* Rates of jobs side by side add up. */
	assert_value(&result.given, "read.iops", 4);
}

static void test_directions_add_up(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };
	struct job_result *job = result_add_job(&result);

	(void)state;
	add_dir(job, "read",
		(struct numbers){ .ios = 100,
				  .bytes = 1000,
				  .runtime_ms = 1000,
				  .mean = 10,
				  .stddev = 0,
				  .min = 10,
				  .max = 10,
				  .p99 = 10 });
	add_dir(job, "write",
		(struct numbers){ .ios = 300,
				  .bytes = 3000,
				  .runtime_ms = 2000,
				  .mean = 30,
				  .stddev = 0,
				  .min = 30,
				  .max = 30,
				  .p99 = 30 });
	result_sum_given(&result);
	assert_value(&result.given, "total.total_ios", 400);
	assert_value(&result.given, "total.runtime_ms", 2000);
	assert_value(&result.given, "total.iops", 200);
	assert_value(&result.given, "total.clat_ns.mean", 25);
	assert_null(given_find(&result.given, "total.clat_ns.p99"));
	assert_value(&result.given, "write.clat_ns.p99", 30);
}

static void test_metrics_of_one_job(void **state)
{
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(metric_list) struct metric_list metrics;
	double value;

	(void)state;
	add_two_jobs(&result, 0);
	result_sum_given(&result);
	job_result_metrics(&result.jobs[1], &metrics);
	assert_int_equal(metrics.nr, 10);
	assert_int_equal(metric_find(&metrics, "read.total_ios", &value), 0);
	assert_true(value == 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_jobs_side_by_side),
		cmocka_unit_test(test_jobs_one_after_the_other),
		cmocka_unit_test(test_what_is_there_stays),
		cmocka_unit_test(test_unknown_parts),
		cmocka_unit_test(test_directions_add_up),
		cmocka_unit_test(test_metrics_of_one_job),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
