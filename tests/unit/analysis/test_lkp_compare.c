/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells and rows of LKP's table, from runs and from posted averages. */
#include "analysis/lkp_compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/lkp_table.h"
#include "test.h"
#include "golden.h"

#define VALUES(...)                                                                                \
	.values = (const double[]){ __VA_ARGS__ },                                                 \
	.nr_values = sizeof((const double[]){ __VA_ARGS__ }) / sizeof(double)
#define AVERAGE(average_, spread_)                                                                 \
	.has_average = true, .average = (average_), .spread_percent = (spread_), .change = NAN
#define SAMPLE(title_, runs_, ...)                                                                 \
	{                                                                                          \
		.title = (title_), .nr_runs = (runs_),                                             \
		.series = (const struct lkp_series[]){ __VA_ARGS__ },                              \
		.nr_series = sizeof((const struct lkp_series[]){ __VA_ARGS__ }) /                  \
			     sizeof(struct lkp_series)                                             \
	}

static const struct lkp_options plain = { .is_all = true };
static const struct lkp_options strict = { .is_all = true, .rule = { .is_strict = true } };
static const struct lkp_options selecting = { .is_all = false };

static void compare_two(const struct lkp_sample samples[2], const struct lkp_options *options,
			struct lkp_table *table)
{
	lkp_table_release(table);
	lkp_compare(samples, 2, options, table);
}

static const struct lkp_row *row_of(const struct lkp_table *table, const char *name)
{
	for (size_t i = 0; i < table->nr_rows; i++) {
		if (!strcmp(table->rows[i].name, name))
			return &table->rows[i];
	}
	return NULL;
}

static void test_posted_arrays(void **state)
{
	static const char *const kernels[] = { "v6.12-rc4", "a3396b9999", "e70c301fae" };
	json_t *root = golden_load();
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
	struct lkp_series series[3];
	struct lkp_sample samples[3];
	double *values[3];

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		char name[64];
		size_t nr;

		snprintf(name, sizeof(name), "aiol/mq-deadline/%s", kernels[i]);
		values[i] = golden_array(root, golden_get(golden_get(root, "data"), name), &nr);
		series[i] = (struct lkp_series){ .name = "stress-ng.aiol.ops_per_sec",
						 .values = values[i],
						 .nr_values = nr };
		samples[i] = (struct lkp_sample){
			.title = kernels[i], .nr_runs = nr, .series = &series[i], .nr_series = 1
		};
	}
	lkp_compare(samples, 3, &selecting, &table);
	assert_int_equal(table.nr_rows, 1); /* one column has changed, so all are shown */
	assert_string_equal(table.columns[1].name, "a3396b9999");
	assert_true(fabs(table.rows[0].cells[0].mean - 187.641667) < 1e-6);
	assert_true(fabs(table.rows[0].cells[0].spread_percent - 5.9598) < 1e-4);
	assert_true(isnan(table.rows[0].cells[0].change));
	assert_true(fabs(table.rows[0].cells[1].change - -0.617422) < 1e-6);
	assert_true(fabs(table.rows[0].cells[2].change - -47.617889) < 1e-6);
	assert_true(fabs(table.rows[0].cells[2].spread_percent - 17.2769) < 1e-4);
	for (size_t i = 0; i < 3; i++)
		free(values[i]);
	json_decref(root);
}

static void test_what_a_run_lacks_is_not_zero(void **state)
{
	const struct lkp_sample samples[2] = {
		SAMPLE("base", 4, { .name = "x.a", VALUES(10, 20) },
		       { .name = "x.gone", VALUES(5) }),
		SAMPLE("new", 2, { .name = "x.a", VALUES(15, 15) },
		       { .name = "x.new", VALUES(7, 9) }),
	};
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

	(void)state;
	compare_two(samples, &plain, &table);
	assert_int_equal(table.nr_rows, 3);
	assert_true(row_of(&table, "x.a")->cells[0].mean == 15);
	assert_true(row_of(&table, "x.a")->cells[1].change == 0);
	assert_false(row_of(&table, "x.gone")->cells[1].is_present);
	assert_true(isnan(row_of(&table, "x.gone")->cells[1].change));
	assert_true(isnan(row_of(&table, "x.gone")->cells[0].spread_percent));
	assert_false(row_of(&table, "x.new")->cells[0].is_present);
	assert_true(isnan(row_of(&table, "x.new")->cells[1].change));

	compare_two(samples, &strict, &table);
	assert_true(row_of(&table, "x.a")->cells[0].mean == 7.5);
	assert_true(row_of(&table, "x.a")->cells[1].change == 100);
	assert_true(row_of(&table, "x.gone")->cells[0].mean == 1.25);
	assert_true(row_of(&table, "x.gone")->cells[1].is_present);
	assert_true(row_of(&table, "x.gone")->cells[1].mean == 0);
	assert_true(row_of(&table, "x.gone")->cells[1].change == -100);
	assert_true(row_of(&table, "x.new")->cells[1].change > 1e102);
}

static void test_failures_are_counted(void **state)
{
	const struct lkp_sample samples[2] = {
		SAMPLE("base", 3, { .name = "dmesg.BUG", VALUES(1, 0, 0) }),
		SAMPLE("new", 2, { .name = "dmesg.BUG", VALUES(1, 1) },
		       { .name = "kmsg.X", VALUES(1, 1) }),
	};
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
	const struct lkp_row *row;

	(void)state;
	compare_two(samples, &plain, &table);
	row = row_of(&table, "dmesg.BUG");
	assert_true(row->is_failure);
	assert_int_equal(row->cells[0].nr_fails, 1);
	assert_int_equal(row->cells[0].nr_runs, 3);
	assert_int_equal(row->cells[1].nr_fails, 2);
	assert_int_equal(row->cells[1].nr_runs, 2);
	assert_int_equal(lround(row->cells[1].change), 67);
	assert_int_equal(lround(row_of(&table, "kmsg.X")->cells[1].change), 100);

	compare_two(samples, &strict, &table);
	assert_int_equal(lround(row_of(&table, "dmesg.BUG")->cells[1].change), 33);
	assert_int_equal(lround(row_of(&table, "kmsg.X")->cells[1].change), 67);
}

static void test_posted_averages(void **state)
{
	const struct lkp_sample samples[2] = {
		SAMPLE("base", 0, { .name = "z.fits", AVERAGE(0.37, 6), .line = 1 },
		       { .name = "a.lies", AVERAGE(0.37, 6), .line = 2 },
		       { .name = "m.none", AVERAGE(100, NAN), .line = 3 },
		       { .name = "dmesg.x", AVERAGE(2.0 / 6, NAN), .average_runs = 6, .line = 4 }),
		SAMPLE("new", 0,
		       { .name = "z.fits",
			 .has_average = true,
			 .average = 0.38,
			 .spread_percent = 9,
			 .change = 2.6 },
		       { .name = "a.lies",
			 .has_average = true,
			 .average = 0.38,
			 .spread_percent = 9,
			 .change = 22.6 },
		       { .name = "m.none", AVERAGE(110, 3) },
		       { .name = "dmesg.x", AVERAGE(1, NAN), .average_runs = 4 }),
	};
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

	(void)state;
	compare_two(samples, &selecting, &table);
	assert_int_equal(table.nr_rows, 4); /* whoever posted them has selected them */
	assert_string_equal(table.rows[0].name, "z.fits"); /* and ordered them */
	assert_string_equal(table.rows[2].name, "m.none");
	/* 2.7 % by the rounded averages, which may have differed by 2.6 */
	assert_true(table.rows[0].cells[1].change == 2.6);
	assert_true(fabs(table.rows[1].cells[1].change - 2.7027) < 1e-4);
	assert_true(table.rows[2].cells[1].change == 10);
	/* printed without its decimals */
	assert_true(table.rows[0].cells[0].spread_percent == 6.5);
	assert_true(isnan(table.rows[2].cells[0].spread_percent));
	assert_int_equal(table.rows[3].cells[0].nr_fails, 2);
	assert_int_equal(table.rows[3].cells[0].nr_runs, 6);
	assert_int_equal(table.rows[3].cells[1].nr_fails, 4);
	assert_int_equal(lround(table.rows[3].cells[1].change), 67);
}

/* A change against another column than the base does not belong here. */
static void test_change_of_another_base_is_not_used(void **state)
{
	const struct lkp_sample samples[2] = {
		SAMPLE("base", 0, { .name = "x.a", AVERAGE(186.48, 7) }),
		SAMPLE("new", 0,
		       { .name = "x.a",
			 .has_average = true,
			 .average = 98.29,
			 .spread_percent = 17,
			 .change = -47.6 }),
	};
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

	(void)state;
	compare_two(samples, &selecting, &table);
	assert_true(fabs(table.rows[0].cells[1].change - -47.292) < 1e-3);
}

static void test_values_count_before_an_average(void **state)
{
	const struct lkp_sample samples[2] = {
		SAMPLE("base", 3, { .name = "x.a", VALUES(1, 2, 3), AVERAGE(99, 9) }),
		SAMPLE("new", 0, { .name = "x.a", AVERAGE(4, NAN) }),
	};
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

	(void)state;
	compare_two(samples, &plain, &table);
	assert_true(table.rows[0].cells[0].mean == 2);
	assert_true(table.rows[0].cells[1].change == 100);
}

/* Whoever posts a table has selected its rows, and may post the runs below it. */
static void test_posted_rows_stay_when_their_runs_are_known(void **state)
{
	const struct lkp_sample samples[2] = {
		SAMPLE("base", 3, { .name = "z.same", VALUES(1, 2, 3), AVERAGE(2, NAN), .line = 1 },
		       { .name = "a.other", AVERAGE(7, NAN), .line = 2 },
		       { .name = "m.same", VALUES(1, 2, 3) }),
		SAMPLE("new", 3, { .name = "z.same", VALUES(3, 2, 1), AVERAGE(2, NAN) },
		       { .name = "a.other", AVERAGE(8, NAN) },
		       { .name = "m.same", VALUES(1, 2, 3) }),
	};
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

	(void)state;
	compare_two(samples, &selecting, &table);
	assert_int_equal(table.nr_rows, 2);
	assert_string_equal(table.rows[0].name, "z.same"); /* as posted */
	assert_string_equal(table.rows[1].name, "a.other");
	assert_true(fabs(table.rows[0].cells[0].spread_percent - 100 * sqrt(2.0 / 3) / 2) < 1e-9);
}

static void test_selection(void **state)
{
	const struct lkp_sample samples[2] = {
		SAMPLE("base", 3, { .name = "fio.read_iops", VALUES(100, 101, 102) },
		       { .name = "fio.same", VALUES(100, 101, 102) },
		       { .name = "dmesg.same", VALUES(0, 1, 0) },
		       { .name = "ltp.a.pass", VALUES(1, 1, 1) },
		       { .name = "perf-profile.self.cycles-pp.f", VALUES(1, 1, 1) }),
		SAMPLE("new", 3, { .name = "fio.read_iops", VALUES(90, 91, 92) },
		       { .name = "fio.same", VALUES(101, 100, 102) },
		       { .name = "fio.first", VALUES(5, 5, 5) },
		       { .name = "dmesg.same", VALUES(1, 0, 0) },
		       { .name = "dmesg.first", VALUES(0, 0, 1) },
		       { .name = "ltp.a.fail", VALUES(1, 1, 1) },
		       { .name = "ltp.b.fail", VALUES(1, 1, 1) },
		       { .name = "perf-profile.self.cycles-pp.g", VALUES(9, 9, 9) }),
	};
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

	(void)state;
	compare_two(samples, &selecting, &table);
	assert_non_null(row_of(&table, "fio.read_iops"));
	assert_non_null(row_of(&table, "dmesg.first"));
	assert_non_null(row_of(&table, "ltp.a.fail"));
	assert_non_null(row_of(&table, "perf-profile.self.cycles-pp.g"));
	/* not: the same, measured only now, a test that the base did not run */
	assert_int_equal(table.nr_rows, 4);
}

static void test_names_of_columns(void **state)
{
	const struct lkp_sample samples[2] = {
		{ .title = "f7de4886fe8f008a" },
		{ .title = "8c5035dfbb9475b67c82b3fdb73", .name = "mine", .subject = "blk-wbt: x" },
	};
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

	(void)state;
	compare_two(samples, &plain, &table);
	assert_int_equal(table.nr_rows, 0);
	assert_string_equal(table.columns[0].name, "f7de4886fe");
	assert_null(table.columns[0].subject);
	assert_string_equal(table.columns[1].name, "mine");
	assert_string_equal(table.columns[1].subject, "blk-wbt: x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_posted_arrays),
		cmocka_unit_test(test_what_a_run_lacks_is_not_zero),
		cmocka_unit_test(test_failures_are_counted),
		cmocka_unit_test(test_posted_averages),
		cmocka_unit_test(test_change_of_another_base_is_not_used),
		cmocka_unit_test(test_values_count_before_an_average),
		cmocka_unit_test(test_posted_rows_stay_when_their_runs_are_known),
		cmocka_unit_test(test_selection),
		cmocka_unit_test(test_names_of_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
