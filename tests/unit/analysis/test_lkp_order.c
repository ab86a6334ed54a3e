/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of rows in LKP's table. */
#include <math.h>
#include <string.h>

#include "analysis/lkp_compare.h"
#include "model/lkp_table.h"
#include "test.h"

static const struct lkp_options today = { .is_all = false };
static const struct lkp_options formerly = { .are_tests_last = true };

struct row {
	const char *name;
	double change;
};

static void sort(const struct row *rows, size_t nr, const struct lkp_options *options,
		 struct lkp_table *table)
{
	lkp_table_release(table);
	lkp_table_add_column(table, "a", NULL, NULL);
	lkp_table_add_column(table, "b", NULL, NULL);
	for (size_t i = 0; i < nr; i++)
		lkp_table_add_row(table, rows[i].name)->cells[1].change = rows[i].change;
	lkp_sort_rows(table, options);
}

static void assert_names(const struct lkp_table *table, const char *const *names, size_t nr)
{
	assert_int_equal(table->nr_rows, nr);
	for (size_t i = 0; i < nr; i++)
		assert_string_equal(table->rows[i].name, names[i]);
}

#define SORT(rows, options, table) sort(rows, sizeof(rows) / sizeof((rows)[0]), options, table)
#define ASSERT_NAMES(table, ...)                                                                   \
	assert_names(table, (const char *const[]){ __VA_ARGS__ },                                  \
		     sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static void test_small_groups_first(void **state)
{
	static const struct row rows[] = {
		{ "vmstat.b", 0 },   { "vmstat.a", 0 }, { "meminfo.z", 0 },
		{ "fio.time.x", 0 }, { "fio.iops", 0 }, { "vmstat.Capital", 0 },
		{ "iostat.x", 0 },   { "fio.bw", 0 },	{ "meminfo.y", 0 },
	};
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

	(void)state;
	SORT(rows, &today, &table);
	ASSERT_NAMES(&table, "fio.bw", "fio.iops", "fio.time.x", "iostat.x", "meminfo.y",
		     "meminfo.z", "vmstat.Capital", "vmstat.a", "vmstat.b");
	SORT(rows, &formerly, &table);
	ASSERT_NAMES(&table, "iostat.x", "meminfo.y", "meminfo.z", "fio.bw", "fio.iops",
		     "fio.time.x", "vmstat.Capital", "vmstat.a", "vmstat.b");
}

static void test_failures_before_all(void **state)
{
	static const struct row rows[] = { { "fio.iops", 0 },
					   { "dmesg.BUG", 0 },
					   { "iostat.x", 0 } };
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

	(void)state;
	SORT(rows, &today, &table);
	ASSERT_NAMES(&table, "dmesg.BUG", "fio.iops", "iostat.x");
}

/* Of a profile the first two parts of the name, then the change. */
static void test_profiles_by_change(void **state)
{
	static const struct row rows[] = {
		{ "perf-profile.self.cycles-pp.a", 3.7 },
		{ "perf-profile.children.cycles-pp.c", 0.7 },
		{ "perf-profile.self.cycles-pp.b", -1.4 },
		{ "perf-profile.children.cycles-pp.b", -2.4 },
		{ "perf-profile.children.cycles-pp.a", NAN },
		{ "perf-profile.calltrace.cycles-pp.x.y", 9.0 },
		{ "perf-profile.self.cycles-pp.d", 3.7 }, /* after its equal */
	};
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

	(void)state;
	SORT(rows, &today, &table);
	ASSERT_NAMES(&table, "perf-profile.calltrace.cycles-pp.x.y",
		     "perf-profile.children.cycles-pp.a", "perf-profile.children.cycles-pp.b",
		     "perf-profile.children.cycles-pp.c", "perf-profile.self.cycles-pp.b",
		     "perf-profile.self.cycles-pp.a", "perf-profile.self.cycles-pp.d");
}

static void test_empty_table(void **state)
{
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };

	(void)state;
	lkp_sort_rows(&table, &today);
	assert_int_equal(table.nr_rows, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_groups_first),
		cmocka_unit_test(test_failures_before_all),
		cmocka_unit_test(test_profiles_by_change),
		cmocka_unit_test(test_empty_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
