/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "analysis/env_diff.h"

#include <string.h>

#include "test.h"
#include "model/result.h"

static char k_release[] = "kernel.release", k_machine[] = "kernel.machine",
	    d_sched[] = "disk.sda.queue.scheduler", d_rot[] = "disk.sda.queue.rotational",
	    s_sched[] = "queue.scheduler", v61[] = "6.1", v62[] = "6.2", x86[] = "x86_64",
	    arm[] = "aarch64", bfq[] = "bfq", none[] = "none", one[] = "1", zero[] = "0",
	    t_version[] = "tool.version";

static const struct env_diff_row *find_row(const struct env_diff *diff, const char *key)
{
	for (size_t i = 0; i < diff->nr; i++) {
		if (!strcmp(diff->rows[i].key, key))
			return &diff->rows[i];
	}
	return NULL;
}

static void test_only_what_differs(void **state)
{
	static const struct result_pair base_env[] = { { k_release, v61 }, { k_machine, x86 } };
	static const struct result_pair new_env[] = { { k_machine, x86 }, { k_release, v62 } };
	struct env_facts base = { .env = base_env, .nr_env = 2 };
	struct env_facts new = { .env = new_env, .nr_env = 2 };
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	(void)state;
	env_diff_init(&diff, &base, &new);
	assert_int_equal(diff.nr, 1);
	assert_string_equal(diff.rows[0].key, "kernel.release");
	assert_string_equal(diff.rows[0].base, "6.1");
	assert_string_equal(diff.rows[0].new, "6.2");
	assert_false(diff.rows[0].is_meant);
	assert_true(diff.is_comparable);
	assert_int_equal(env_diff_nr_things(&diff), 1);
}

static void test_nothing_differs(void **state)
{
	static const struct result_pair env[] = { { k_release, v61 } };
	struct env_facts facts = { .env = env, .nr_env = 1 };
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	(void)state;
	env_diff_init(&diff, &facts, &facts);
	assert_int_equal(diff.nr, 0);
	assert_true(diff.is_comparable);
	assert_int_equal(env_diff_nr_things(&diff), 0);
}

static void test_setting_and_what_it_changes_are_meant(void **state)
{
	static const struct result_pair base_env[] = { { d_sched, none }, { d_rot, one } };
	static const struct result_pair new_env[] = { { d_sched, bfq }, { d_rot, zero } };
	static const struct result_pair base_set[] = { { s_sched, none } };
	static const struct result_pair new_set[] = { { s_sched, bfq } };
	struct env_facts base = {
		.env = base_env, .nr_env = 2, .settings = base_set, .nr_settings = 1
	};
	struct env_facts new = {
		.env = new_env, .nr_env = 2, .settings = new_set, .nr_settings = 1
	};
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	(void)state;
	env_diff_init(&diff, &base, &new);
	assert_int_equal(diff.nr, 3);
	assert_string_equal(diff.rows[0].key, "queue.scheduler");
	assert_true(diff.rows[0].is_meant);
	assert_true(find_row(&diff, "disk.sda.queue.scheduler")->is_meant);
	assert_false(find_row(&diff, "disk.sda.queue.rotational")->is_meant);
	assert_int_equal(env_diff_nr_things(&diff), 2); /* the setting, and rotational */
}

static void test_what_a_side_did_not_record(void **state)
{
	static const struct result_pair base_env[] = { { k_release, v61 }, { k_machine, x86 } };
	static const struct result_pair new_env[] = { { k_release, v61 }, { t_version, v61 } };
	struct env_facts base = { .env = base_env, .nr_env = 2 };
	struct env_facts new = { .env = new_env, .nr_env = 2 };
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	(void)state;
	env_diff_init(&diff, &base, &new);
	assert_int_equal(diff.nr, 1); /* the tool is unknown on one side: no difference */
	assert_string_equal(diff.rows[0].key, "kernel.machine");
	assert_null(diff.rows[0].new);
}

static void test_runs_of_a_side_differ(void **state)
{
	static const struct result_pair base_env[] = { { k_release, v61 }, { k_release, v62 } };
	static const struct result_pair new_env[] = { { k_release, v62 } };
	struct env_facts base = { .env = base_env, .nr_env = 2 };
	struct env_facts new = { .env = new_env, .nr_env = 1 };
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	(void)state;
	env_diff_init(&diff, &base, &new);
	assert_int_equal(diff.nr, 1);
	assert_string_equal(diff.rows[0].base, "6.1 | 6.2");
}

static void test_one_kernel_is_one_thing(void **state)
{
	static const struct result_pair base_env[] = { { k_release, v61 }, { k_machine, x86 } };
	static const struct result_pair new_env[] = { { k_release, v62 }, { k_machine, arm } };
	struct env_facts base = { .env = base_env, .nr_env = 2 };
	struct env_facts new = { .env = new_env, .nr_env = 2 };
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	(void)state;
	env_diff_init(&diff, &base, &new);
	assert_int_equal(diff.nr, 2);
	assert_int_equal(env_diff_nr_things(&diff), 1);
}

static void test_no_environment(void **state)
{
	struct env_facts empty = { .env = NULL };
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	(void)state;
	env_diff_init(&diff, &empty, &empty);
	assert_int_equal(diff.nr, 0);
	assert_false(diff.is_comparable);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_only_what_differs),
		cmocka_unit_test(test_nothing_differs),
		cmocka_unit_test(test_setting_and_what_it_changes_are_meant),
		cmocka_unit_test(test_what_a_side_did_not_record),
		cmocka_unit_test(test_runs_of_a_side_differ),
		cmocka_unit_test(test_one_kernel_is_one_thing),
		cmocka_unit_test(test_no_environment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
