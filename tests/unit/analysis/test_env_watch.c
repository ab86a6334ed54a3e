/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/env_watch.h"

#include "model/result.h"
#include "test.h"

static size_t watch(struct env_watch *watch, const char *scheduler, const char *wbt)
{
	CLEANUP(result) struct result result = { .nr_env = 0 };

	result_add_env(&result, "disk.sda.queue.scheduler", scheduler);
	if (wbt)
		result_add_env(&result, "disk.sda.queue.wbt_lat_usec", wbt);
	return env_watch_add(watch, &result);
}

static void test_changes_from_run_to_run(void **state)
{
	CLEANUP(env_watch) struct env_watch it = { .has_last = 0 };

	(void)state;
	assert_int_equal(watch(&it, "none", "75000"), 0); /* nothing before it */
	assert_int_equal(watch(&it, "none", "75000"), 0);
	assert_int_equal(watch(&it, "none", "0"), 1);
	assert_string_equal(it.changes.items[0].key, "disk.sda.queue.wbt_lat_usec");
	assert_string_equal(it.changes.items[0].before, "75000");
	assert_string_equal(it.changes.items[0].after, "0");
	assert_int_equal(watch(&it, "none", "0"), 0);
	assert_int_equal(watch(&it, "bfq", NULL), 2);
	assert_null(it.changes.items[1].after);
	assert_int_equal(watch(&it, "bfq", "0"), 1);
	assert_null(it.changes.items[0].before);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_changes_from_run_to_run) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
