/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of directions are part of metric names: they may not change. */
#include "model/io.h"

#include "../test.h"

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(io_dir_name(IO_READ), "read");
	assert_string_equal(io_dir_name(IO_WRITE), "write");
	assert_string_equal(io_dir_name(IO_TRIM), "trim");
	assert_string_equal(io_dir_name(IO_SYNC), "sync");
}

/* Arrays by direction end before IO_SYNC, and rw flags are 1 << direction. */
static void test_data_directions(void **state)
{
	(void)state;
	assert_int_equal(IO_READ, 0);
	assert_int_equal(IO_NR_DATA_DIRS, IO_TRIM + 1);
	assert_int_equal(IO_SYNC, IO_NR_DATA_DIRS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_data_directions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
