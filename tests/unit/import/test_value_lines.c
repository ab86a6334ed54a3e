/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_value_lines: which lines are numbers, their names and units. */
#include "import/value_lines.h"

#include "model/given.h"
#include "test.h"

static void assert_value(const struct given_list *list, const char *name, double value)
{
	const struct given_metric *metric = given_find(list, name);

	if (!metric)
		fail_msg("no metric '%s'", name);
	assert_true(metric->value == value);
}

static void test_units(void **state)
{
	CLEANUP(given_list) struct given_list list = { .nr = 0 };

	(void)state;
	assert_int_equal(value_lines_read("ops 12.5\n"
					  "lat\t3 ms\n"
					  "  write.p99_ns 7 us  \n"
					  "bw 2 MiB/s\r\n"
					  "size 4 KiB\n"
					  "rate 1e3 ops/s\n"
					  "busy 99 %\n"
					  "odd 5 frobs",
					  &list),
			 8);
	assert_int_equal(list.nr, 8);
	assert_value(&list, "ops", 12.5);
	assert_value(&list, "lat_ns", 3e6);
	assert_value(&list, "write.p99_ns", 7e3);
	assert_value(&list, "bw_bytes_per_sec", 2097152);
	assert_value(&list, "size_bytes", 4096);
	assert_value(&list, "rate_per_sec", 1000);
	assert_value(&list, "busy_percent", 99);
	assert_value(&list, "odd", 5);
}

static void test_other_lines(void **state)
{
	CLEANUP(given_list) struct given_list list = { .nr = 0 };

	(void)state;
	assert_int_equal(value_lines_read("\n"
					  "ops\n"
					  "ops many\n"
					  "3 ops\n"
					  "ops: 3\n"
					  "it took 5 seconds\n"
					  "nan nan\n"
					  "inf inf\n"
					  "x 0x10\n"
					  "x 1e308 GB\n"
					  "a b c d e\n"
					  "-x 3\n",
					  &list),
			 1);
	assert_value(&list, "ops", 3);
}

static void test_later_replaces(void **state)
{
	CLEANUP(given_list) struct given_list list = { .nr = 0 };

	(void)state;
	assert_int_equal(value_lines_read("x 1\nx 2\ny 3\n", &list), 3);
	assert_int_equal(list.nr, 2);
	assert_value(&list, "x", 2);
	assert_int_equal(given_find(&list, "y")->line, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_other_lines),
		cmocka_unit_test(test_later_replaces),
	};

	return cmocka_run_group_tests_name("value_lines", tests, NULL, NULL);
}
