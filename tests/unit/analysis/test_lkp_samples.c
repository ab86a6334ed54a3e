/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results and stored values as samples under LKP's names. */
#include "analysis/lkp_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/result.h"
#include "test.h"

static const struct lkp_series *series_of(const struct lkp_sample *sample, const char *name)
{
	for (size_t i = 0; i < sample->nr_series; i++) {
		if (!strcmp(sample->series[i].name, name))
			return &sample->series[i];
	}
	return NULL;
}

static void assert_values(const struct lkp_sample *sample, const char *name, size_t nr,
			  const double *values)
{
	const struct lkp_series *series = series_of(sample, name);

	if (!series)
		fail_msg("no %s", name);
	assert_int_equal(series->nr_values, nr);
	for (size_t i = 0; i < nr; i++)
		assert_true(series->values[i] == values[i]);
}

#define ASSERT_VALUES(sample, name, ...)                                                           \
	assert_values(sample, name, sizeof((double[]){ __VA_ARGS__ }) / sizeof(double),            \
		      (double[]){ __VA_ARGS__ })

static void test_runs(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	CLEANUP(result) struct result first = { .label = NULL };
	CLEANUP(result) struct result second = { .label = NULL };
	const struct result *results[] = { &first, &second };
	struct lkp_sample sample;

	(void)state;
	given_append(&first.given, "read.iops", 100, 1);
	given_append(&first.given, "total.iops", 100, 1);
	given_append(&first.given, "read.bw_bytes_per_sec", 3 * 1048576.0, 1);
	given_append(&first.given, "read.clat_ns.p99", 5000, 1)->source_name =
		strdup("fio.read_clat_99%_us");
	given_append(&first.given, "aiol.ops", 7, 1);
	given_append(&second.given, "read.iops", 110, 1);
	given_append(&second.given, "iostat.sda.util", 50, 1);
	lkp_sample_of_results("here", results, 2, &arena, &sample);
	assert_string_equal(sample.title, "here");
	assert_null(sample.name);
	assert_int_equal(sample.nr_runs, 2);
	ASSERT_VALUES(&sample, "fio.read_iops", 100, 110);
	ASSERT_VALUES(&sample, "fio.read_bw_MBps", 3);
	ASSERT_VALUES(&sample, "fio.read_clat_99%_us", 5000);
	ASSERT_VALUES(&sample, "stress-ng.aiol.ops", 7);
	ASSERT_VALUES(&sample, "iostat.sda.util", 50);
	assert_int_equal(sample.nr_series, 5); /* no total */
}

static void test_totals_where_there_is_nothing_else(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	CLEANUP(result) struct result result = { .label = NULL };
	const struct result *results[] = { &result };
	struct lkp_sample sample;

	(void)state;
	given_append(&result.given, "total.iops", 100, 1);
	given_append(&result.given, "total.total_ios", 9, 1)->source_name = strdup("fio.workload");
	lkp_sample_of_results("x", results, 1, &arena, &sample);
	ASSERT_VALUES(&sample, "total.iops", 100);
	ASSERT_VALUES(&sample, "fio.workload", 9);
}

static void test_averages(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	CLEANUP(result) struct result table = { .label = NULL };
	CLEANUP(result) struct result run = { .label = NULL };
	const struct result *results[] = { &table, &run };
	struct given_metric *metric;
	const struct lkp_series *series;
	struct lkp_sample sample;

	(void)state;
	result_add_env(&table, "lkp.commit", "e70c301faece15b618e54b613b1");
	result_add_env(&table, "lkp.subject", "block: keep order");
	metric = given_append(&table.given, "read.bw_bytes_per_sec", 2508 * 1048576.0, 12);
	metric->source_name = strdup("fio.read_bw_MBps");
	metric->nr_runs = GIVEN_RUNS_UNKNOWN;
	metric->stddev_percent = 4;
	metric->change = -10.6;
	metric = given_append(&table.given, "dmesg.BUG", 0.5, 13);
	metric->nr_runs = 6;
	metric = given_append(&table.given, "aiol.ops", 3, 14);
	metric->nr_runs = GIVEN_RUNS_UNKNOWN;
	given_append(&run.given, "aiol.ops", 5, 20);
	lkp_sample_of_results("e70c301fae", results, 2, &arena, &sample);
	assert_string_equal(sample.name, "e70c301fae");
	assert_string_equal(sample.title, "e70c301faece15b618e54b613b1");
	assert_string_equal(sample.subject, "block: keep order");
	assert_int_equal(sample.nr_runs, 1);
	series = series_of(&sample, "fio.read_bw_MBps");
	assert_true(series->has_average && series->average == 2508);
	assert_true(series->spread_percent == 4);
	assert_true(series->change == -10.6);
	assert_int_equal(series->average_runs, 0);
	assert_int_equal(series->line, 12);
	assert_int_equal(series->nr_values, 0);
	assert_int_equal(series_of(&sample, "dmesg.BUG")->average_runs, 6);
	ASSERT_VALUES(&sample, "stress-ng.aiol.ops", 5); /* and the average beside it */
	assert_true(series_of(&sample, "stress-ng.aiol.ops")->has_average);
}

static void test_interrupted_runs(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	CLEANUP(result) struct result result = { .interrupted = true };
	CLEANUP(result) struct result measured = { .interrupted = true };
	const struct result *results[] = { &result, &measured };
	struct lkp_sample sample;

	(void)state;
	given_append(&result.given, "read.iops", 100, 1);
	given_append(&result.given, "dmesg.BUG", 1, 1);
	result_add_job(&measured)->dir[IO_READ].total_ios = 5;
	lkp_sample_of_results("x", results, 2, &arena, &sample);
	assert_int_equal(sample.nr_series, 1);
	ASSERT_VALUES(&sample, "dmesg.BUG", 1);
}

static void test_measured_runs(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	CLEANUP(result) struct result result = { .label = NULL };
	const struct result *results[] = { &result };
	struct job_result *job = result_add_job(&result);
	struct lkp_sample sample;

	(void)state;
	job->dir[IO_WRITE] =
		(struct dir_result){ .total_ios = 500, .io_bytes = 500 << 20, .runtime_ms = 10000 };
	lkp_sample_of_results("x", results, 1, &arena, &sample);
	ASSERT_VALUES(&sample, "fio.write_iops", 50);
	ASSERT_VALUES(&sample, "fio.write_bw_MBps", 50);
	assert_null(series_of(&sample, "total.iops"));
}

static void test_stored_values(void **state)
{
	static const char *const metrics[] = { "read.iops", "total.iops", "x.y" };
	static const double values[] = { 1, 2, 3, 1, 2, 3, 7, NAN, 9 };
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct lkp_sample sample;

	(void)state;
	lkp_sample_of_values("label", metrics, 3, values, 3, &arena, &sample);
	assert_string_equal(sample.title, "label");
	assert_int_equal(sample.nr_runs, 3);
	assert_int_equal(sample.nr_series, 2);
	ASSERT_VALUES(&sample, "fio.read_iops", 1, 2, 3);
	ASSERT_VALUES(&sample, "x.y", 7, 9);
}

static void test_nothing(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct lkp_sample sample;

	(void)state;
	lkp_sample_of_results("x", NULL, 0, &arena, &sample);
	assert_int_equal(sample.nr_series, 0);
	lkp_sample_of_values("x", NULL, 0, NULL, 0, &arena, &sample);
	assert_int_equal(sample.nr_series, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_totals_where_there_is_nothing_else),
		cmocka_unit_test(test_averages),
		cmocka_unit_test(test_interrupted_runs),
		cmocka_unit_test(test_measured_runs),
		cmocka_unit_test(test_stored_values),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
