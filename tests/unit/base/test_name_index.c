/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/name_index.h"

#include "../test.h"

#include "base/arena.h"

#include <stdlib.h>

static void test_empty(void **state)
{
	CLEANUP(name_index) struct name_index index = { .nr = 0 };

	(void)state;
	assert_null(name_index_find(&index, "x"));
	name_index_rename(&index, "x");
	assert_int_equal(index.nr, 0);
}

static void test_first_place_stays(void **state)
{
	CLEANUP(name_index) struct name_index index = { .nr = 0 };

	(void)state;
	assert_int_equal(*name_index_place(&index, "read.iops", 7), 7);
	assert_int_equal(*name_index_place(&index, "read.iops", 9), 7);
	assert_int_equal(*name_index_find(&index, "read.iops"), 7);
	assert_null(name_index_find(&index, "read.iop"));
	assert_null(name_index_find(&index, ""));
	assert_int_equal(index.nr, 1);
}

/* Far beyond the first size, so that it has grown several times and names have met. */
static void test_many_names(void **state)
{
	CLEANUP(name_index) struct name_index index = { .nr = 0 };
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	const size_t nr = 5000;

	(void)state;
	for (size_t i = 0; i < nr; i++)
		assert_int_equal(*name_index_place(&index, arena_printf(&arena, "m.%zu", i), i), i);
	assert_int_equal(index.nr, nr);
	for (size_t i = 0; i < nr; i++) {
		const size_t *place = name_index_find(&index, arena_printf(&arena, "m.%zu", i));

		assert_non_null(place);
		assert_int_equal(*place, i);
	}
	assert_null(name_index_find(&index, "m.5000"));
}

static void test_name_may_move(void **state)
{
	CLEANUP(name_index) struct name_index index = { .nr = 0 };
	char *first = xstrdup("write.iops");
	static const char second[] = "write.iops";

	(void)state;
	(void)name_index_place(&index, first, 3);
	name_index_rename(&index, second);
	first[0] = 'X';
	free(first);
	assert_int_equal(*name_index_find(&index, "write.iops"), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_first_place_stays),
		cmocka_unit_test(test_many_names),
		cmocka_unit_test(test_name_may_move),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
