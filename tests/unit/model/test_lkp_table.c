/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Columns, rows and axes of a comparison table; names that are failures. */
#include "model/lkp_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

static void test_failures_by_name(void **state)
{
	static const char *const failures[] = {
		"dmesg.BUG:soft_lockup",
		"kmsg.x",
		"last_state.is_incomplete_run",
		"stderr.mount_failed",
		"ltp.fs.killed_by_signal",
		"xfstests.generic.001.fail",
		"a.error",
		"b.warn",
		"blktests.block/001.pass",
	};
	static const char *const others[] = {
		"fio.read_iops",
		"dmesg",
		"perf-profile.children.cycles-pp.do.error",
		"perf-sched.wait_time.avg.ms.x.fail",
		"stress-ng.time.error",
		"dmesg.timestamp:last",
		"dmesg.bootstage:last",
		"a.fail_rate",
		".fail",
		"",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		if (!lkp_is_failure(failures[i]))
			fail_msg("'%s' is a failure", failures[i]);
	}
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (lkp_is_failure(others[i]))
			fail_msg("'%s' is no failure", others[i]);
	}
}

static void test_names_of_columns(void **state)
{
	static const struct {
		const char *title, *name;
	} rows[] = {
		{ "f7de4886fe8f008a", "f7de4886fe" },
		{ "e70c301faece15b618e54b613b1fd6ece3dd05b4", "e70c301fae" },
		{ "v6.12-rc4", "v6.12-rc4" },
		{ "f7de4886fe", "f7de4886fe" },
		{ "abcdef", "abcdef" },
		{ "", "" },
	};
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		lkp_table_add_column(&table, rows[i].title, NULL, NULL);
		assert_string_equal(table.columns[i].name, rows[i].name);
		assert_string_equal(table.columns[i].title, rows[i].title);
	}
}

static void test_rows_are_absent_at_first(void **state)
{
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

	(void)state;
	lkp_table_add_column(&table, "a", NULL, NULL);
	lkp_table_add_column(&table, "b", "other", "subject");
	for (size_t i = 0; i < 100; i++) {
		struct lkp_row *row = lkp_table_add_row(&table, i % 2 ? "dmesg.x" : "a.b");

		assert_int_equal(row->is_failure, i % 2);
		assert_false(row->cells[1].is_present);
		assert_true(isnan(row->cells[1].change));
		assert_true(isnan(row->cells[1].spread_percent));
	}
	assert_int_equal(table.nr_rows, 100);
}

static void assert_axis(const struct lkp_table *table, const char *axis, const char *expected)
{
	CLEANUP(free) char *value = NULL;

	assert_int_equal(lkp_table_axis(table, axis, &value), expected != NULL);
	if (expected)
		assert_string_equal(value, expected);
}

static void test_axes(void **state)
{
	struct lkp_table table = { .axes = (char[]){ "disk/fs/test" },
				   .axes_values = (char[]){ "1HDD/btrfs/aiol" } };

	(void)state;
	assert_axis(&table, "disk", "1HDD");
	assert_axis(&table, "fs", "btrfs");
	assert_axis(&table, "test", "aiol");
	assert_axis(&table, "f", NULL);
	assert_axis(&table, "fss", NULL);
	assert_axis(&table, "", NULL);
	table.axes_values = (char[]){ "1HDD/btrfs/a/b" }; /* which one has the slash? */
	assert_axis(&table, "disk", NULL);
	table.axes_values = NULL;
	assert_axis(&table, "disk", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_failures_by_name),
		cmocka_unit_test(test_names_of_columns),
		cmocka_unit_test(test_rows_are_absent_at_first),
		cmocka_unit_test(test_axes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
