/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of monitors and the choice by name. */
#include "monitor/monitor.h"

#include <string.h>

#include "base/err.h"
#include "test.h"

static bool has(const struct monitor_choice *choice, const char *name)
{
	for (size_t i = 0; i < choice->nr; i++) {
		if (strcmp(choice->items[i]->name, name) == 0)
			return true;
	}
	return false;
}

static void test_rows_are_complete(void **state)
{
	const struct monitor_ops *const *table = monitor_table();

	(void)state;
	for (size_t i = 0; table[i]; i++) {
		assert_non_null(table[i]->name);
		assert_non_null(table[i]->summary);
		assert_non_null(table[i]->open);
		assert_non_null(table[i]->sample);
		assert_non_null(table[i]->report);
		assert_non_null(table[i]->close);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(table[i]->name, table[j]->name);
	}
}

static void test_groups(void **state)
{
	struct monitor_choice some;
	struct monitor_choice all;

	(void)state;
	assert_int_equal(monitor_choose("default", &some, NULL), 0);
	assert_true(some.has_default);
	assert_true(has(&some, "disk"));
	assert_true(has(&some, "process"));
	assert_false(has(&some, "slabinfo"));
	assert_false(has(&some, "perf-record"));
	assert_int_equal(monitor_choose("all", &all, NULL), 0);
	assert_false(all.has_default);
	assert_true(has(&all, "slabinfo"));
	assert_true(has(&all, "perf-stat"));
	assert_false(has(&all, "perf-record")); /* disturbs: only by name */
	assert_int_equal(monitor_choose("none", &all, NULL), 0);
	assert_int_equal(all.nr, 0);
}

static void test_lists(void **state)
{
	struct monitor_choice choice;

	(void)state;
	assert_int_equal(monitor_choose("cpu,disk,cpu", &choice, NULL), 0);
	assert_int_equal(choice.nr, 2);
	assert_string_equal(choice.items[0]->name, "cpu");
	assert_false(choice.has_default);
	assert_int_equal(monitor_choose("default,perf-record", &choice, NULL), 0);
	assert_true(has(&choice, "perf-record"));
	assert_true(has(&choice, "meminfo"));
	assert_true(choice.has_default);
}

static void test_refusals(void **state)
{
	static const char *const lists[] = { "", ",", "cpu,", "cpu,none", "disk, cpu", "DISK" };
	struct monitor_choice choice = { .nr = 77 };
	struct err err = { .code = 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		assert_int_equal(monitor_choose(lists[i], &choice, NULL), -ERR_USAGE);
	assert_int_equal(choice.nr, 77);
	assert_int_equal(monitor_choose("cpu,interupts", &choice, &err), -ERR_USAGE);
	assert_string_equal(err.msg, "--monitors: there is no monitor 'interupts', "
				     "did you mean 'interrupts'?");
	assert_int_equal(monitor_choose("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
					"zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
					&choice, &err),
			 -ERR_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_complete),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_refusals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
