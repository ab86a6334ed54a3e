/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The comparison of all metrics: who decides, what is adjusted, the order, what is one fact. */
#include "analysis/metric_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/runs_needed.h"
#include "analysis/side.h"
#include "base/err.h"
#include "test.h"
#include "golden.h"
#include "samples.h"

struct fixture {
	struct side base, new;
	struct cohort_pairs pairs;
	struct metric_table table;
	struct table_config config;
};

static int setup(void **state)
{
	struct fixture *fixture = xcalloc(1, sizeof(*fixture));

	fixture->config.rule = (struct effect_rule){ .alpha = 0.05, .min_effect = 0.05 };
	*state = fixture;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *fixture = *state;

	metric_table_release(&fixture->table);
	vec_release(&fixture->pairs);
	side_release(&fixture->base);
	side_release(&fixture->new);
	free(fixture);
	return 0;
}

static void build(struct fixture *fixture)
{
	struct err err = { .code = (enum err_code)0 };

	cohorts_match(&fixture->base, &fixture->new, &fixture->pairs);
	if (metric_table_init(&fixture->table, &fixture->config, &fixture->pairs, &err) < 0)
		fail_msg("%s", err.msg);
}

static const struct metric_row *find_row(const struct fixture *fixture, const char *metric)
{
	for (size_t i = 0; i < fixture->table.nr; i++) {
		if (!strcmp(fixture->table.rows[i].metric, metric) && !fixture->table.rows[i].job)
			return &fixture->table.rows[i];
	}
	fail_msg("no row '%s'", metric);
	return NULL;
}

/* Runs that write at a level of 1 + spread * (-1 .. 1), with everything that follows from it. */
static void add_writes(struct side *side, double level, size_t nr, double spread)
{
	for (size_t i = 0; i < nr; i++) {
		double x = level * (1.0 + spread * (2.0 * (double)((i * 7) % nr) / (double)nr -
						    1.0 + 0.001 * (double)i));
		struct number numbers[] = {
			{ "cpu.usr_percent", 3.0 + 0.01 * (double)i },
			{ "write.clat_ns.p99", 9e6 + 1000.0 * (double)((i * 3) % nr) },
			{ "write.iops", 2000.0 * x },
			{ "write.bw_bytes_per_sec", 2000.0 * x * 131072.0 },
			{ "write.clat_ns.mean", 1e6 / x },
			{ "total.iops", 2000.0 * x },
			{ "disk.sda.write_merges", 1000.0 * level * level + (double)i },
		};

		samples_add(side, NULL, numbers, sizeof(numbers) / sizeof(numbers[0]));
	}
}

static void test_posted_arrays_match_golden(void **state)
{
	struct fixture *fixture = *state;
	json_t *root = golden_load();
	json_t *row = json_array_get(golden_get(root, "two_sample"), 0);
	size_t n, m;
	double *a = golden_array(root, golden_get(row, "A"), &n);
	double *b = golden_array(root, golden_get(row, "B"), &m);
	const struct metric_row *ops;

	samples_add_values(&fixture->base, "aiol.ops_per_sec", a, n);
	samples_add_values(&fixture->new, "aiol.ops_per_sec", b, m);
	build(fixture);
	ops = find_row(fixture, "aiol.ops_per_sec");
	assert_int_equal(ops->use, ROW_PRIMARY);
	assert_int_equal(ops->kind, ROW_MEASURED);
	assert_golden(ops->comparison.decision.effect, golden_get(row, "expect"), "hl_ratio");
	assert_golden(ops->comparison.adjusted_p, golden_get(row, "expect"), "p_exact");
	free(a);
	free(b);
	json_decref(root);
}

static void test_primary_first_and_one_fact(void **state)
{
	struct fixture *fixture = *state;
	const struct metric_row *bw, *iops, *clat;

	add_writes(&fixture->base, 1.0, 8, 0.01);
	add_writes(&fixture->new, 0.75, 8, 0.01);
	build(fixture);
	bw = find_row(fixture, "write.bw_bytes_per_sec");
	iops = find_row(fixture, "write.iops");
	clat = find_row(fixture, "write.clat_ns.mean");
	assert_ptr_equal(bw, &fixture->table.rows[0]); /* large I/Os: bandwidth decides */
	assert_int_equal(bw->use, ROW_PRIMARY);
	assert_int_equal(bw->verdict, VERDICT_REGRESSION);
	assert_null(bw->same_as);
	assert_int_equal(iops->verdict, VERDICT_REGRESSION);
	assert_ptr_equal(iops->same_as, bw);
	assert_ptr_equal(clat->same_as, bw); /* slower is higher here */
	assert_string_equal(clat->group.name, "write speed");
	assert_null(find_row(fixture, "disk.sda.write_merges")->same_as);
	assert_int_equal(metric_table_verdict(&fixture->table), VERDICT_REGRESSION);
	/* the merges changed most; cpu and p99 did not change */
	assert_ptr_equal(find_row(fixture, "disk.sda.write_merges"), &fixture->table.rows[3]);
	assert_false(find_row(fixture, "cpu.usr_percent")->is_relevant);
	for (size_t i = 0; i < fixture->table.nr; i++)
		assert_string_not_equal(fixture->table.rows[i].metric, "total.iops");
}

static void test_metric_by_name(void **state)
{
	struct fixture *fixture = *state;
	static const char *const metrics[] = { "iops", "clat_p99" };

	fixture->config.metrics = metrics;
	fixture->config.nr_metrics = 2;
	add_writes(&fixture->base, 1.0, 6, 0.01);
	add_writes(&fixture->new, 0.75, 6, 0.01);
	build(fixture);
	assert_int_equal(find_row(fixture, "write.iops")->use, ROW_PRIMARY);
	assert_int_equal(find_row(fixture, "write.clat_ns.p99")->use, ROW_PRIMARY);
	assert_int_equal(find_row(fixture, "write.bw_bytes_per_sec")->use, ROW_OTHER);
	/* Holm: twice the smaller one */
	assert_true(fabs(find_row(fixture, "write.iops")->comparison.adjusted_p -
			 2.0 * find_row(fixture, "write.iops")->comparison.decision.p) < 1e-12);
}

static void test_unknown_metric(void **state)
{
	struct fixture *fixture = *state;
	static const char *const metrics[] = { "iopss" };
	struct err err = { .code = (enum err_code)0 };

	fixture->config.metrics = metrics;
	fixture->config.nr_metrics = 1;
	add_writes(&fixture->base, 1.0, 5, 0.01);
	add_writes(&fixture->new, 1.0, 5, 0.01);
	cohorts_match(&fixture->base, &fixture->new, &fixture->pairs);
	assert_int_equal(
		metric_table_init(&fixture->table, &fixture->config, &fixture->pairs, &err),
		-ERR_USAGE);
	assert_non_null(strstr(err.msg, "did you mean 'iops'"));
}

static void test_one_run_a_side(void **state)
{
	struct fixture *fixture = *state;
	const struct metric_row *bw;
	struct runs_needed needed;
	char text[RUNS_NEEDED_LEN];

	add_writes(&fixture->base, 1.0, 1, 0.0);
	add_writes(&fixture->new, 0.748, 1, 0.0);
	build(fixture);
	bw = find_row(fixture, "write.bw_bytes_per_sec");
	assert_int_equal(bw->verdict, VERDICT_UNDECIDED);
	assert_false(bw->comparison.decision.is_tested);
	assert_true(fabs(bw->comparison.decision.effect - 0.748) < 1e-9);
	assert_ptr_equal(find_row(fixture, "write.iops")->same_as, bw);
	assert_null(find_row(fixture, "write.clat_ns.p99")->same_as);
	assert_true(runs_needed_for(bw, &needed));
	assert_int_equal(needed.nr, EFFECT_MIN_RUNS);
	assert_false(needed.is_spread_known);
	assert_true(fabs(needed.max_spread - 0.1298) < 0.001); /* |ln 0.748| / sqrt(25 / 5) */
	runs_needed_text(&needed, bw, text);
	assert_non_null(strstr(text, "at least 5 runs a side"));
	assert_non_null(strstr(text, "25.2 %"));
	assert_int_equal(metric_table_verdict(&fixture->table), VERDICT_UNDECIDED);
}

static void test_runs_needed_from_the_spread(void **state)
{
	struct fixture *fixture = *state;
	static const double base[] = { 100, 110, 90 }, new[] = { 95, 104, 86 };
	struct runs_needed needed;

	samples_add_values(&fixture->base, "x.ops_per_sec", base, 3);
	samples_add_values(&fixture->new, "x.ops_per_sec", new, 3);
	build(fixture);
	assert_true(runs_needed_for(find_row(fixture, "x.ops_per_sec"), &needed));
	assert_true(needed.is_spread_known);
	assert_true(fabs(needed.spread - 0.0973) < 0.001);
	assert_true(needed.nr > 80 && needed.nr < 95); /* 25 (9.7 % / 5.1 %)^2 */
	assert_int_equal(needed.nr_least, EFFECT_MIN_RUNS);
}

/* The interval leaves larger effects open than the one that is seen: these take fewer runs. */
static void test_runs_needed_within_the_interval(void **state)
{
	static const double base[] = { 100, 115, 90, 109, 86, 104 };
	static const double new[] = { 95, 110, 88, 100, 83, 102 };
	struct fixture *fixture = *state;
	const struct metric_row *row;
	struct runs_needed needed;
	char text[RUNS_NEEDED_LEN];

	samples_add_values(&fixture->base, "x.ops_per_sec", base, 6);
	samples_add_values(&fixture->new, "x.ops_per_sec", new, 6);
	build(fixture);
	row = find_row(fixture, "x.ops_per_sec");
	assert_true(row->comparison.decision.is_tested);
	assert_true(runs_needed_for(row, &needed));
	assert_true(needed.nr_least > 6 && needed.nr_least < 20);
	assert_true(needed.nr > 2 * needed.nr_least);
	runs_needed_text(&needed, row, text);
	assert_non_null(strstr(text, "takes at least "));
	assert_non_null(strstr(text, " runs a side, about "));
}

static void add_posted(struct side *side, double mean, double stddev_percent)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	struct given_metric *given = given_append(&result.given, "aiol.ops_per_sec", mean, 1);

	given->nr_runs = GIVEN_RUNS_UNKNOWN;
	given->stddev_percent = stddev_percent;
	side_add_result(side, &result, COHORT_JOBS_USUAL);
}

static void test_means_have_an_effect_and_no_verdict(void **state)
{
	struct fixture *fixture = *state;
	const struct metric_row *row;
	struct runs_needed needed;

	add_posted(&fixture->base, 186.48, 7);
	add_posted(&fixture->new, 98.29, 17);
	build(fixture);
	row = find_row(fixture, "aiol.ops_per_sec");
	assert_int_equal(row->kind, ROW_POSTED);
	assert_true(fabs(row->comparison.decision.effect - 98.29 / 186.48) < 1e-12);
	assert_int_equal(row->verdict, VERDICT_UNDECIDED);
	assert_true(metric_row_value(row, true) == 98.29);
	assert_true(runs_needed_for(row, &needed));
	assert_true(needed.is_spread_known);
	assert_int_equal(metric_table_verdict(&fixture->table), VERDICT_UNDECIDED);
}

static void add_outcomes(struct side *side, size_t nr, size_t nr_failed)
{
	for (size_t i = 0; i < nr; i++) {
		CLEANUP(result) struct result result = { .nr_jobs = 0 };
		struct job_result *job = result_add_job(&result);

		job->name = xstrdup("j");
		job->error = i < nr_failed ? EIO : 0;
		given_append(&job->given, "read.iops", 1000.0 + (double)i, 1);
		given_append(&result.given, "read.iops", 1000.0 + (double)i, 1);
		side_add_result(side, &result, COHORT_JOBS_USUAL);
	}
}

static void test_failures_are_counted_apart(void **state)
{
	struct fixture *fixture = *state;
	const struct metric_row *failed;

	add_outcomes(&fixture->base, 12, 0);
	add_outcomes(&fixture->new, 12, 7);
	build(fixture);
	failed = find_row(fixture, ROW_FAILED_RUNS);
	assert_int_equal(failed->kind, ROW_COUNTED);
	assert_int_equal(failed->use, ROW_PRIMARY);
	assert_int_equal(failed->new_count.nr_hits, 7);
	assert_int_equal(failed->new_count.nr_runs, 12);
	assert_true(fabs(failed->comparison.decision.p - 0.004651) < 0.0001); /* Fisher */
	assert_int_equal(failed->verdict, VERDICT_REGRESSION);
	assert_int_equal(find_row(fixture, "read.iops")->comparison.b.n, 5);
	assert_int_equal(metric_table_verdict(&fixture->table), VERDICT_REGRESSION);
}

/* One failure each way decides nothing, and does not undo what the numbers decide. */
static void test_a_single_failure_decides_nothing(void **state)
{
	struct fixture *fixture = *state;

	add_outcomes(&fixture->base, 12, 1);
	add_outcomes(&fixture->new, 12, 0);
	build(fixture);
	assert_int_equal(find_row(fixture, ROW_FAILED_RUNS)->verdict, VERDICT_UNDECIDED);
	assert_int_equal(metric_table_verdict(&fixture->table), VERDICT_NO_DIFFERENCE);
}

static void test_counters_that_are_mostly_zero(void **state)
{
	struct fixture *fixture = *state;
	const struct metric_row *row;

	for (size_t i = 0; i < 10; i++) {
		struct number base[] = { { "ops_per_sec", 100 + (double)i }, { "allocstall", 0 } };
		struct number new[] = { { "ops_per_sec", 100 + (double)i },
					{ "allocstall", i < 4 ? 17 : 0 } };

		samples_add(&fixture->base, NULL, base, 2);
		samples_add(&fixture->new, NULL, new, 2);
	}
	build(fixture);
	row = find_row(fixture, "allocstall");
	assert_int_equal(row->kind, ROW_COUNTED);
	assert_int_equal(row->base_count.nr_hits, 0);
	assert_int_equal(row->new_count.nr_hits, 4);
	assert_true(fabs(row->comparison.decision.p - 0.08669) < 0.0001);
}

static void test_too_few_runs_for_many_metrics(void **state)
{
	struct fixture *fixture = *state;

	for (size_t i = 0; i < 5; i++) {
		CLEANUP(arena) struct arena arena = ARENA_INIT;
		struct number base[40], new[40];

		for (size_t j = 0; j < 40; j++) {
			const char *name = j ? arena_printf(&arena, "mon.m%zu", j) : "ops_per_sec";

			base[j] = (struct number){ name, 100 + (double)((i * 3 + j * 7) % 11) };
			new[j] = (struct number){ name, 100 + (double)((i * 5 + j * 3) % 11) };
		}
		new[7].value = 500 + (double)i;
		samples_add(&fixture->base, NULL, base, 40);
		samples_add(&fixture->new, NULL, new, 40);
	}
	build(fixture);
	assert_true(fixture->table.is_too_few_runs);
	assert_int_equal(find_row(fixture, "mon.m7")->verdict, VERDICT_UNDECIDED);
	assert_ptr_equal(find_row(fixture, "mon.m7"), &fixture->table.rows[1]); /* yet first */
}

static void test_floor_below_the_effect_asked_for(void **state)
{
	struct fixture *fixture = *state;

	fixture->config.rule.min_effect = 0.001;
	for (size_t i = 0; i < 8; i++) {
		double x = (double)i * 0.01;
		struct number base[] = { { "ops_per_sec", 100 + x }, { "monitor.x", 100 + x } };
		struct number new[] = { { "ops_per_sec", 99.5 + x }, { "monitor.x", 103 + x } };

		samples_add(&fixture->base, NULL, base, 2);
		samples_add(&fixture->new, NULL, new, 2);
	}
	build(fixture);
	/* primary: what the user asks for */
	assert_int_equal(find_row(fixture, "ops_per_sec")->verdict, VERDICT_REGRESSION);
	/* 3 % of something that is no performance is nothing */
	assert_int_equal(find_row(fixture, "monitor.x")->verdict, VERDICT_NO_DIFFERENCE);
	assert_false(find_row(fixture, "monitor.x")->is_relevant);
}

static void add_two_jobs(struct side *side, double first, double second)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };
	double iops[] = { first, second };

	for (int i = 0; i < 2; i++) {
		struct job_result *job = result_add_job(&result);

		job->name = xstrdup("randrw");
		given_append(&job->given, "read.iops", iops[i], 1);
	}
	given_append(&result.given, "read.iops", first + second, 0);
	side_add_result(side, &result, COHORT_JOBS_USUAL);
}

static void test_rows_of_jobs(void **state)
{
	struct fixture *fixture = *state;
	const struct metric_row *last;

	add_two_jobs(&fixture->base, 50, 57);
	add_two_jobs(&fixture->new, 73, 52);
	build(fixture);
	assert_int_equal(fixture->table.nr, 3);
	assert_null(fixture->table.rows[0].job);
	last = &fixture->table.rows[2];
	assert_int_equal(last->use, ROW_JOB);
	assert_string_equal(last->job->name, "randrw");
	assert_int_equal(last->job->ordinal, 2);
	assert_true(metric_row_value(last, false) == 57 && metric_row_value(last, true) == 52);
}

static void test_nothing_in_common(void **state)
{
	struct fixture *fixture = *state;
	struct number a = { "a", 1 }, b = { "b", 1 };

	samples_add(&fixture->base, "w", &a, 1);
	samples_add(&fixture->new, "w", &b, 1);
	build(fixture);
	assert_int_equal(fixture->table.nr, 0);
	assert_int_equal(metric_table_verdict(&fixture->table), VERDICT_UNDECIDED);
}

/* Bandwidth is IOPS times a size, whatever becomes of its p among many others. */
static void test_adjusting_makes_no_second_fact(void **state)
{
	struct fixture *fixture = *state;
	const struct metric_row *bw;

	for (size_t i = 0; i < 5; i++) {
		CLEANUP(arena) struct arena arena = ARENA_INIT;
		struct number base[42], new[42];

		for (size_t j = 0; j < 40; j++) {
			const char *name = arena_printf(&arena, "mon.m%zu", j);

			base[j] = (struct number){ name, 100 + (double)((i * 3 + j * 7) % 11) };
			new[j] = (struct number){ name, 100 + (double)((i * 5 + j * 3) % 11) };
		}
		for (size_t j = 0; j < 2; j++) {
			const char *name = j ? "read.iops" : "read.bw_bytes_per_sec";
			double size = j ? 1 : 4096;

			base[40 + j] = (struct number){ name, size * (2000 + (double)(i * 3 % 5)) };
			new[40 + j] = (struct number){ name, size * (1000 + (double)(i * 2 % 5)) };
		}
		samples_add(&fixture->base, NULL, base, 42);
		samples_add(&fixture->new, NULL, new, 42);
	}
	build(fixture);
	bw = find_row(fixture, "read.bw_bytes_per_sec");
	assert_int_equal(find_row(fixture, "read.iops")->verdict, VERDICT_REGRESSION);
	assert_int_equal(bw->verdict, VERDICT_UNDECIDED);
	assert_ptr_equal(bw->same_as, find_row(fixture, "read.iops"));
}

/* With requests that are held back latency and speed are two facts, but latency is only one. */
static void test_latency_in_two_clothes(void **state)
{
	struct fixture *fixture = *state;
	struct number base[] = { { "read.iops", 1000 },
				 { "read.clat_ns.mean", 1e6 },
				 { "read.lat_ns.mean", 1.01e6 } };
	struct number new[] = { { "read.iops", 980 },
				{ "read.clat_ns.mean", 2e6 },
				{ "read.lat_ns.mean", 2.02e6 } };

	samples_add(&fixture->base, NULL, base, 3);
	samples_add(&fixture->new, NULL, new, 3);
	build(fixture);
	assert_null(find_row(fixture, "read.clat_ns.mean")->same_as);
	assert_ptr_equal(find_row(fixture, "read.lat_ns.mean")->same_as,
			 find_row(fixture, "read.clat_ns.mean"));
}

static void test_the_worst_of_several(void **state)
{
	struct fixture *fixture = *state;
	struct number base[] = { { "read.iops", 1000 }, { "read.bw_bytes_per_sec", 4.096e6 } };
	struct number new[] = { { "read.iops", 970 }, { "read.bw_bytes_per_sec", 3.97e6 } };

	samples_add(&fixture->base, "first", base, 2);
	samples_add(&fixture->new, "first", new, 2);
	samples_add(&fixture->base, "gets better", base, 2);
	base[0].value = 1400;
	samples_add(&fixture->new, "gets better", base, 2);
	samples_add(&fixture->base, "last", base, 2);
	samples_add(&fixture->new, "last", new, 2);
	assert_null(metric_table_worst(&fixture->table));
	build(fixture);
	assert_int_equal(metric_table_verdict(&fixture->table), VERDICT_UNDECIDED);
	assert_true(metric_row_value(metric_table_worst(&fixture->table), false) == 1400);
}

static void test_groups(void **state)
{
	static const struct {
		const char *metric, *group;
		bool is_one_fact;
	} rows[] = {
		{ "write.iops", "write speed", true },
		{ "write.clat_ns.mean", "write speed", true },
		{ "write.clat_ns.p99", "write latency", false },
		{ "write.short_ios", "write", false },
		{ "disk.dm-0.write_merges", "disk dm-0", false },
		{ "cpu.usr_percent", "cpu", false },
		{ "aiol.ops_per_sec", "aiol speed", true },
		{ "perf-stat.i.ipc", "perf-stat", false },
		{ "lonely", "lonely", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct metric_group group;

		metric_group_init(&group, rows[i].metric);
		assert_string_equal(group.name, rows[i].group);
		assert_int_equal(group.is_one_fact, rows[i].is_one_fact);
	}
	assert_true(metric_is_performance("aiol.ops_per_sec"));
	assert_false(metric_is_performance("cpu.usr_percent"));
	assert_false(metric_is_performance("iostat.sda.await"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_posted_arrays_match_golden),
		TEST(test_primary_first_and_one_fact),
		TEST(test_metric_by_name),
		TEST(test_unknown_metric),
		TEST(test_one_run_a_side),
		TEST(test_runs_needed_from_the_spread),
		TEST(test_runs_needed_within_the_interval),
		TEST(test_means_have_an_effect_and_no_verdict),
		TEST(test_failures_are_counted_apart),
		TEST(test_a_single_failure_decides_nothing),
		TEST(test_counters_that_are_mostly_zero),
		TEST(test_too_few_runs_for_many_metrics),
		TEST(test_floor_below_the_effect_asked_for),
		TEST(test_rows_of_jobs),
		TEST(test_nothing_in_common),
		TEST(test_adjusting_makes_no_second_fact),
		TEST(test_latency_in_two_clothes),
		TEST(test_the_worst_of_several),
		cmocka_unit_test(test_groups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
