/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_names: a device that is made anew keeps the name of the first trial. */
#include "analysis/env_names.h"

#include "model/result.h"
#include "test.h"

static void add_stack(struct result *result, const char *loop, const char *scheduler)
{
	char key[64];
	char value[32];

	(void)snprintf(value, sizeof(value), "disk.%s", loop);
	result_add_env(result, "fs./mnt.on", value);
	(void)snprintf(key, sizeof(key), "disk.%s.kind", loop);
	result_add_env(result, key, "loop");
	(void)snprintf(key, sizeof(key), "disk.%s.queue.scheduler", loop);
	result_add_env(result, key, scheduler);
	result_add_env(result, "stack.loop", loop);
	(void)snprintf(value, sizeof(value), "/dev/%s", loop);
	result_add_env(result, "fs.1.source", value);
	result_add_env(result, "fs.1.label", loop); /* a word of its owner's, not a device */
}

static void names_stay(void **state)
{
	CLEANUP(result) struct result first = { .nr_jobs = 0 };
	CLEANUP(result) struct result second = { .nr_jobs = 0 };
	CLEANUP(env_names) struct env_names names = { .nr_first = 0 };
	struct result view;

	(void)state;
	add_stack(&first, "loop9", "none");
	add_stack(&second, "loop10", "bfq");
	env_names_apply(&names, &first, &view);
	assert_int_equal(view.nr_env, 6);
	assert_string_equal(view.env[2].key, "disk.loop9.queue.scheduler");
	env_names_apply(&names, &second, &view);
	assert_int_equal(view.nr_env, 6);
	assert_string_equal(view.env[1].key, "disk.loop9.kind");
	assert_string_equal(view.env[2].key, "disk.loop9.queue.scheduler");
	assert_string_equal(view.env[2].value, "bfq");
	assert_string_equal(view.env[0].value, "disk.loop9");
	assert_string_equal(view.env[3].value, "loop9");
	assert_string_equal(view.env[4].value, "/dev/loop9");
	assert_string_equal(view.env[5].value, "loop10");
	assert_string_equal(second.env[1].key, "disk.loop10.kind");
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(names_stay) };

	return cmocka_run_group_tests_name("env_names", tests, NULL, NULL);
}
