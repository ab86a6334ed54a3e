/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results become columns; workloads stay apart; what was posted twice counts once. */
#include "analysis/cohort.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "analysis/cohort_match.h"
#include "test.h"
#include "../sample_result.h"
#include "samples.h"

static void test_values_in_order(void **state)
{
	CLEANUP(side) struct side side = { .label = NULL };
	static const double values[] = { 3, 1, 2 };
	const struct cohort_series *series;

	(void)state;
	samples_add_values(&side, "ops", values, 3);
	assert_int_equal(side.cohorts.nr, 1);
	series = cohort_find(side.cohorts.items[0], COHORT_WHOLE, "ops");
	assert_int_equal(series->values.nr, 3);
	for (size_t i = 0; i < 3; i++)
		assert_true(series->values.items[i] == values[i]);
	assert_null(cohort_find(side.cohorts.items[0], COHORT_WHOLE, "op"));
	assert_null(cohort_find(side.cohorts.items[0], 0, "ops"));
}

static void test_workloads_stay_apart(void **state)
{
	CLEANUP(side) struct side side = { .label = NULL };
	struct number number = { "ops", 1 };

	(void)state;
	samples_add(&side, "4k/ext4", &number, 1);
	samples_add(&side, "4k/xfs", &number, 1);
	samples_add(&side, "4k/ext4", &number, 1);
	assert_int_equal(side.cohorts.nr, 2);
	assert_int_equal(side.cohorts.items[0]->runs.nr, 2);
	assert_string_equal(side.cohorts.items[1]->workload, "4k/xfs");
	assert_int_equal(side.env.nr, 0); /* the workload is no fact about the machine */
}

static void test_missing_metrics_leave_gaps(void **state)
{
	CLEANUP(side) struct side side = { .label = NULL };
	struct number first[] = { { "a", 1 }, { "b", 2 } };
	struct number second[] = { { "b", 3 }, { "c", NAN } };

	(void)state;
	samples_add(&side, NULL, first, 2);
	samples_add(&side, NULL, second, 2);
	assert_int_equal(cohort_find(side.cohorts.items[0], COHORT_WHOLE, "a")->values.nr, 1);
	assert_int_equal(cohort_find(side.cohorts.items[0], COHORT_WHOLE, "b")->values.nr, 2);
	assert_null(cohort_find(side.cohorts.items[0], COHORT_WHOLE, "c"));
}

static void test_same_numbers_again_are_one_run(void **state)
{
	CLEANUP(side) struct side side = { .label = NULL };
	struct number many[] = { { "a", 1 }, { "b", 2 }, { "c", 3 }, { "d", 4 }, { "e", 5.5 } };
	static const double equal[] = { 112.31, 112.31 };

	(void)state;
	samples_add(&side, NULL, many, 5);
	samples_add(&side, NULL, many, 5);
	assert_int_equal(side.cohorts.items[0]->runs.nr, 1);
	assert_int_equal(side.cohorts.items[0]->nr_repeated, 1);
	many[4].value = 5.6;
	samples_add(&side, NULL, many, 5);
	assert_int_equal(side.cohorts.items[0]->runs.nr, 2);
	/* A single number may well come twice. */
	samples_add_values(&side, "ops", equal, 2);
	assert_int_equal(side.cohorts.items[0]->runs.nr, 4);
}

static void test_failed_runs_take_no_part(void **state)
{
	CLEANUP(side) struct side side = { .label = NULL };
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	struct job_result *job = result_add_job(&result);
	struct cohort *cohort;

	(void)state;
	job->name = xstrdup("j");
	job->error = EIO;
	given_append(&result.given, "read.iops", 5, 1);
	side_add_result(&side, &result, COHORT_JOBS_USUAL);
	cohort = side.cohorts.items[0];
	assert_int_equal(cohort->runs.nr, 1);
	assert_int_equal(cohort->nr_failed, 1);
	assert_int_equal(cohort_nr_used(cohort), 0);
	assert_null(cohort_find(cohort, COHORT_WHOLE, "read.iops"));
}

static void test_means_are_no_runs(void **state)
{
	CLEANUP(side) struct side side = { .label = NULL };
	CLEANUP(result) struct result table = { .nr_jobs = 0 };
	struct given_metric *given = given_append(&table.given, "ops", 187.64, 7);
	const struct cohort_series *series;
	struct number number = { "ops", 190 };

	(void)state;
	given->nr_runs = GIVEN_RUNS_UNKNOWN;
	given->stddev_percent = 5;
	given->source_name = xstrdup("stress-ng.ops");
	side_add_result(&side, &table, COHORT_JOBS_USUAL);
	samples_add(&side, NULL, &number, 1);
	assert_int_equal(side.cohorts.nr, 1);
	assert_int_equal(side.cohorts.items[0]->runs.nr, 1);
	assert_int_equal(side.cohorts.items[0]->nr_tables, 1);
	series = cohort_find(side.cohorts.items[0], COHORT_WHOLE, "ops");
	assert_int_equal(series->values.nr, 1);
	assert_true(series->posted.mean == 187.64 && series->posted.stddev_percent == 5);
	assert_string_equal(series->source_name, "stress-ng.ops");
}

static void add_clones(struct side *side, double first_iops)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };

	for (int i = 0; i < 3; i++) {
		struct job_result *job = result_add_job(&result);

		job->name = xstrdup(i == 1 ? "b" : "a");
		given_append(&job->given, "read.iops", first_iops + i, 1);
		given_append(&job->given, "read.short_ios", 0, 1);
	}
	given_append(&result.given, "read.iops", 3 * first_iops + 3, 0);
	side_add_result(side, &result, COHORT_JOBS_USUAL);
}

static void test_jobs_by_name_and_order(void **state)
{
	CLEANUP(side) struct side side = { .label = NULL };
	struct cohort_job second_a = { .name = "a", .ordinal = 2 };
	struct cohort_job no_such = { .name = "b", .ordinal = 2 };
	struct cohort *cohort;
	size_t place;

	(void)state;
	add_clones(&side, 10);
	add_clones(&side, 20);
	cohort = side.cohorts.items[0];
	assert_int_equal(cohort->jobs.nr, 3);
	place = cohort_find_job(cohort, &second_a);
	assert_int_equal(place, 2);
	assert_int_equal(cohort_find_job(cohort, &no_such), COHORT_WHOLE);
	assert_int_equal(cohort_find(cohort, place, "read.iops")->values.nr, 2);
	assert_true(cohort_find(cohort, place, "read.iops")->values.items[1] == 22);
	assert_null(cohort_find(cohort, place, "read.short_ios")); /* not usual */
	assert_true(cohort_find(cohort, COHORT_WHOLE, "read.iops")->values.items[0] == 33);
}

static void test_measured_result(void **state)
{
	CLEANUP(side) struct side side = { .label = NULL };
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	const struct cohort_latency *latency;
	struct cohort *cohort;

	(void)state;
	sample_result(&result);
	result.jobs[1].error = 0;
	side_add_result(&side, &result, COHORT_JOBS_USUAL);
	cohort = side.cohorts.items[0];
	assert_int_equal(cohort->jobs.nr, 3);
	assert_int_equal(cohort_find(cohort, COHORT_WHOLE, "read.iops")->values.nr, 1);
	assert_int_equal(cohort_find(cohort, 0, "write.iops")->values.nr, 1);
	assert_null(cohort_find(cohort, 0, "total.iops"));
	latency = cohort_find_latency(cohort, IO_WRITE, LATENCY_CLAT);
	assert_int_equal(latency->runs.nr, 1);
	assert_int_equal(latency->runs.items[0].nr_ios, 20992 + 256); /* of both jobs */
	assert_non_null(cohort_find_latency(cohort, IO_SYNC, LATENCY_LAT));
	assert_null(cohort_find_latency(cohort, IO_TRIM, LATENCY_CLAT));
	assert_int_equal(side.settings.nr, 1);
	assert_int_equal(side.notes.nr, 2);
	assert_string_equal(side.env.items[3].key, "tool.name");
}

static void test_names_of_lkp_are_no_environment(void **state)
{
	CLEANUP(side) struct side side = { .label = NULL };
	CLEANUP(result) struct result result = { .nr_jobs = 0 };

	(void)state;
	result_add_env(&result, "lkp.axes", "bs/disk");
	result_add_env(&result, "kernel.release", "6.1");
	given_append(&result.given, "ops", 1, 1);
	side_add_result(&side, &result, COHORT_JOBS_USUAL);
	side_add_result(&side, &result, COHORT_JOBS_USUAL);
	assert_int_equal(side.env.nr, 1);
	assert_string_equal(cohort_lkp(side.cohorts.items[0], "lkp.axes"), "bs/disk");
	assert_null(cohort_lkp(side.cohorts.items[0], "lkp.commit"));
}

/* ---- which is compared with which ---- */

static void test_workloads_match_by_likeness(void **state)
{
	CLEANUP(side) struct side base = { .label = NULL };
	CLEANUP(side) struct side new = { .label = NULL };
	struct number read = { "read.iops", 1 }, write = { "write.iops", 1 };
	struct cohort_pairs pairs = VEC_INIT;

	(void)state;
	samples_add(&base, "rw=write, bs=4KiB 'w'", &write, 1);
	samples_add(&base, "rw=read, bs=4KiB 'r'", &read, 1);
	samples_add(&base, "rw=read, bs=8KiB 'x'", &read, 1);
	samples_add(&base, "rw=write, bs=1MiB 'only here'", &write, 1);
	samples_add(&new, "rw=read, bs=16KiB 'x'", &read, 1);
	samples_add(&new, "rw=read, bs=4KiB 'other name'", &read, 1);
	samples_add(&new, "rw=write, bs=4KiB 'w'", &write, 1);
	samples_add(&new, "rw=read, bs=64KiB 'only there'", &read, 1);
	cohorts_match(&base, &new, &pairs);
	assert_int_equal(pairs.nr, 5);
	assert_ptr_equal(pairs.items[0].new, new.cohorts.items[2]);
	assert_int_equal(pairs.items[0].match, COHORT_MATCH_SAME);
	assert_ptr_equal(pairs.items[1].new, new.cohorts.items[1]);
	assert_int_equal(pairs.items[1].match, COHORT_MATCH_RENAMED);
	assert_ptr_equal(pairs.items[2].new, new.cohorts.items[0]);
	assert_int_equal(pairs.items[2].match, COHORT_MATCH_OTHER);
	assert_null(pairs.items[3].new);
	assert_null(pairs.items[4].base);
	assert_ptr_equal(pairs.items[4].new, new.cohorts.items[3]);
	vec_release(&pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_in_order),
		cmocka_unit_test(test_workloads_stay_apart),
		cmocka_unit_test(test_missing_metrics_leave_gaps),
		cmocka_unit_test(test_same_numbers_again_are_one_run),
		cmocka_unit_test(test_failed_runs_take_no_part),
		cmocka_unit_test(test_means_are_no_runs),
		cmocka_unit_test(test_jobs_by_name_and_order),
		cmocka_unit_test(test_measured_result),
		cmocka_unit_test(test_names_of_lkp_are_no_environment),
		cmocka_unit_test(test_workloads_match_by_likeness),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
