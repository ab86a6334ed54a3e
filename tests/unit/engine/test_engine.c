/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of engines: names are unique, rows complete, aliases found. */
#include "engine/engine.h"

#include <string.h>

#include "test.h"

static void test_find(void **state)
{
	(void)state;
	assert_string_equal(engine_find("psync")->name, "psync");
	assert_string_equal(engine_find("linuxaio")->name, "libaio");
	assert_string_equal(engine_find("aio")->name, "libaio");
	assert_string_equal(engine_find("uring")->name, "io_uring");
	assert_null(engine_find("psyn"));
	assert_null(engine_find("psyncs"));
	assert_null(engine_find(""));
}

static void assert_complete(const struct engine_ops *ops)
{
	assert_non_null(ops->open);
	assert_non_null(ops->submit);
	assert_non_null(ops->close);
	assert_int_equal(ops->reap != NULL, engine_is_async(ops));
	assert_true(strlen(ops->summary) > 0);
}

static void test_rows(void **state)
{
	size_t nr = 0;

	(void)state;
	for (const struct engine_ops *const *row = engine_table(); *row; row++) {
		assert_ptr_equal(engine_find((*row)->name), *row); /* no earlier row has the name */
		assert_complete(*row);
		if (nr++ > 0)
			assert_true(strcmp(row[-1]->name, (*row)->name) < 0);
	}
	assert_int_equal(nr, 22);
}

/* As in fio, null has submission latency of its own only with a queue. */
static void test_depth_one(void **state)
{
	static const struct engine_options none;
	const struct engine_ops *null = engine_find("null");

	(void)state;
	assert_true(engine_is_async(engine_choose(null, &none, 2)));
	assert_false(engine_is_async(engine_choose(null, &none, 1)));
	assert_complete(engine_choose(null, &none, 1));
	assert_ptr_equal(engine_choose(engine_find("libaio"), &none, 1), engine_find("libaio"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_depth_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
