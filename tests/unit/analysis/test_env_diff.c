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

static char d0_kind[] = "disk.loop0.kind", d3_kind[] = "disk.loop3.kind", d0_on[] = "disk.loop0.on",
	    d3_on[] = "disk.loop3.on", fs_on[] = "fs.1.on", loop[] = "loop", zram[] = "zram",
	    fs2[] = "fs.2", on0[] = "disk.loop0", on3[] = "disk.loop3",
	    wbt[] = "disk.sda.queue.wbt_lat_usec", batch[] = "disk.sda.iosched.fifo_batch",
	    requests[] = "disk.sda.queue.nr_requests", depth[] = "job.iodepth",
	    config[] = "kernel.config",
	    config_a[] = "CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=\"x\"\n",
	    config_b[] = "# comment\nCONFIG_A=y\nCONFIG_B=m\nCONFIG_D=y\n";

/* The same place of the stack under another name: only the name differs. */
static void test_disk_of_another_name(void **state)
{
	static const struct result_pair base_env[] = { { d0_kind, loop },
						       { d0_on, fs2 },
						       { fs_on, on0 } };
	static const struct result_pair new_env[] = { { d3_kind, zram },
						      { d3_on, fs2 },
						      { fs_on, on3 } };
	struct env_facts base = { .env = base_env, .nr_env = 3 };
	struct env_facts new = { .env = new_env, .nr_env = 3 };
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	(void)state;
	env_diff_init(&diff, &base, &new);
	assert_int_equal(diff.nr, 2);
	assert_string_equal(diff.rows[0].key, "disk.loop0.name");
	assert_string_equal(diff.rows[0].new, "loop3");
	assert_string_equal(diff.rows[1].key, "disk.loop0.kind");
}

/* Settings, what follows from them, the rest by weight. */
static void test_order(void **state)
{
	static const struct result_pair base_env[] = { { k_machine, x86 }, { batch, one },
						       { requests, one },  { d_rot, one },
						       { wbt, one },	   { d_sched, none } };
	static const struct result_pair new_env[] = { { k_machine, arm },
						      { requests, zero },
						      { d_rot, zero },
						      { wbt, zero },
						      { d_sched, bfq } };
	static const struct result_pair base_set[] = { { s_sched, none } };
	static const struct result_pair new_set[] = { { s_sched, bfq } };
	static const char *const keys[] = { "queue.scheduler",
					    "disk.sda.queue.scheduler",
					    "disk.sda.queue.wbt_lat_usec",
					    "disk.sda.queue.nr_requests",
					    "disk.sda.iosched.fifo_batch",
					    "disk.sda.queue.rotational",
					    "kernel.machine" };
	struct env_facts base = {
		.env = base_env, .nr_env = 6, .settings = base_set, .nr_settings = 1
	};
	struct env_facts new = {
		.env = new_env, .nr_env = 5, .settings = new_set, .nr_settings = 1
	};
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	(void)state;
	env_diff_init(&diff, &base, &new);
	assert_int_equal(diff.nr, sizeof(keys) / sizeof(keys[0]));
	assert_int_equal(diff.nr_settings, 1);
	assert_int_equal(diff.nr_meant, 5);
	for (size_t i = 0; i < diff.nr; i++)
		assert_string_equal(diff.rows[i].key, keys[i]);
	assert_null(diff.rows[4].new);
	assert_string_equal(diff.rows[4].setting, "queue.scheduler");
}

/* Another filesystem by setting: that its layer has another name follows from it. */
static void test_stack_by_setting(void **state)
{
	static char fs[] = "stack.fs", ext4[] = "ext4", xfs[] = "xfs", mount[] = "/tmp/mount";
	static char of_ext4[] = "stack.ext4", of_xfs[] = "stack.xfs";
	static const struct result_pair base_env[] = { { of_ext4, mount } };
	static const struct result_pair new_env[] = { { of_xfs, mount } };
	static const struct result_pair base_set[] = { { fs, ext4 } };
	static const struct result_pair new_set[] = { { fs, xfs } };
	struct env_facts base = {
		.env = base_env, .nr_env = 1, .settings = base_set, .nr_settings = 1
	};
	struct env_facts new = {
		.env = new_env, .nr_env = 1, .settings = new_set, .nr_settings = 1
	};
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	(void)state;
	env_diff_init(&diff, &base, &new);
	assert_int_equal(diff.nr, 3);
	assert_int_equal(diff.nr_meant, 3);
	assert_string_equal(diff.rows[1].setting, "stack.fs");
	assert_string_equal(diff.rows[2].setting, "stack.fs");
}

/* Both sides had both values: no difference between them, and no steady machine either. */
static void test_unsteady(void **state)
{
	static const struct result_pair env[] = { { wbt, one }, { wbt, zero } };
	struct env_facts facts = { .env = env, .nr_env = 2 };
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	(void)state;
	env_diff_init(&diff, &facts, &facts);
	assert_int_equal(diff.nr, 1);
	assert_true(diff.rows[0].is_unsteady);
	assert_false(diff.rows[0].is_meant);
	assert_string_equal(diff.rows[0].base, "1 | 0");
}

/* What a setting leaves open on one side, the fact of the same key tells. */
static void test_setting_of_one_side(void **state)
{
	static const struct result_pair base_env[] = { { depth, one } };
	static const struct result_pair new_env[] = { { depth, zero } };
	static const struct result_pair new_set[] = { { depth, zero } };
	struct env_facts base = { .env = base_env, .nr_env = 1 };
	struct env_facts new = {
		.env = new_env, .nr_env = 1, .settings = new_set, .nr_settings = 1
	};
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	(void)state;
	env_diff_init(&diff, &base, &new);
	assert_int_equal(diff.nr, 1);
	assert_string_equal(diff.rows[0].base, "1");
	assert_string_equal(diff.rows[0].new, "0");
}

static void test_configurations(void **state)
{
	static const struct result_pair env[] = { { k_release, v61 } };
	static const struct result_pair base_text[] = { { config, config_a } };
	static const struct result_pair new_text[] = { { config, config_b } };
	struct env_facts base = {
		.env = env, .nr_env = 1, .attachments = base_text, .nr_attachments = 1
	};
	struct env_facts new = {
		.env = env, .nr_env = 1, .attachments = new_text, .nr_attachments = 1
	};
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

	(void)state;
	env_diff_init(&diff, &base, &new);
	assert_int_equal(diff.nr, 3);
	assert_string_equal(find_row(&diff, "kernel.config.CONFIG_B")->base, "n");
	assert_string_equal(find_row(&diff, "kernel.config.CONFIG_B")->new, "m");
	assert_null(find_row(&diff, "kernel.config.CONFIG_C")->new);
	assert_null(find_row(&diff, "kernel.config.CONFIG_D")->base);
	assert_int_equal(env_diff_nr_things(&diff), 1);
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
		cmocka_unit_test(test_disk_of_another_name),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_stack_by_setting),
		cmocka_unit_test(test_unsteady),
		cmocka_unit_test(test_setting_of_one_side),
		cmocka_unit_test(test_configurations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
