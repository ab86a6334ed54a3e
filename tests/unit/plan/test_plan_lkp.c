/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_lkp: job files of LKP: their factors, documents and defaults, and what is refused. */
#include "plan_text.h"

#include <unistd.h>

#include "base/arena.h"
#include "model/setting.h"
#include "plan/plan_expand.h"

static size_t expand(const char *text, struct matrix_plan *plan, struct plan_points *points)
{
	struct err err = { .code = 0 };

	plan_from(text, plan);
	if (plan_expand(plan, points, &err) < 0)
		fail_msg("refused: %s", err.msg);
	return points->points.nr;
}

#define HEAD "suite: fio-basic\ntestcase: fio-basic\ncategory: benchmark\n"

static void test_fio(void **state)
{
	struct matrix_plan plan = PLAN_DEFAULTS;
	CLEANUP(plan_points) struct plan_points points = { .points = { .nr = 0 } };
	struct setting_list settings = { .nr = 0 };
	CLEANUP(free) char *text = NULL;
	struct err err = { .code = 0 };

	(void)state;
	assert_int_equal(expand(HEAD "disk: 1HDD\nfs: [btrfs, ext4]\nruntime: 20m\nnr_task: 4t\n"
				     "time_based: 1\nfio-setup-basic:\n  rw: [write, randwrite]\n"
				     "  bs: 4k\n  test_size: 1G\nfio:\n",
				&plan, &points),
			 4);
	assert_int_equal(plan.workload, PLAN_JOB);
	assert_string_equal(plan.stack, "loop:2048M,{stack.fs}");
	assert_string_equal(plan.words.items[0], "--name=task");
	assert_string_equal(plan.words.items[2], "--directory=${mount}");
	assert_string_equal(plan.words.items[3], "--time_based=1");
	assert_int_equal(plan_point_settings(&plan, &points.points.items[0], &settings, &err), 0);
	text = setting_list_text(&settings);
	assert_non_null(strstr(text, "job.numjobs=4"));
	assert_non_null(strstr(text, "job.size=268435456"));
	assert_non_null(strstr(text, "job.runtime=20m"));
	assert_non_null(strstr(text, "job.iodepth=32")); /* LKP's default, in silence */
	assert_non_null(strstr(text, "job.ioengine=sync"));
	setting_list_release(&settings);
	matrix_plan_release(&plan);
}

static void test_tasks(void **state)
{
	struct matrix_plan plan = PLAN_DEFAULTS;
	CLEANUP(plan_points) struct plan_points points = { .points = { .nr = 0 } };
	char expected[32];
	size_t nr;

	(void)state;
	/* 1 and a share that makes 1 are one point: identities are unique */
	nr = expand(HEAD "nr_task: [1, 100%, 8t, 1t]\n", &plan, &points);
	assert_int_equal(nr, sysconf(_SC_NPROCESSORS_ONLN) == 1	  ? 2
			     : sysconf(_SC_NPROCESSORS_ONLN) == 8 ? 2
								  : 3);
	(void)snprintf(expected, sizeof(expected), "%ld", sysconf(_SC_NPROCESSORS_ONLN));
	assert_string_equal(plan.factors.items[plan.factors.nr - 1].key, "job.numjobs");
	assert_string_equal(plan.factors.items[plan.factors.nr - 1].values.items[nr == 3],
			    expected);
	matrix_plan_release(&plan);
}

/* The first document alone, then the first with each later one over it; nothing twice. */
static void test_documents(void **state)
{
	struct matrix_plan plan = PLAN_DEFAULTS;
	CLEANUP(plan_points) struct plan_points points = { .points = { .nr = 0 } };

	(void)state;
	assert_int_equal(expand(HEAD "bs: [4k, 4M]\nrw: [write, randwrite]\n---\ndirect: 1\n---\n"
				     "rw: write\nbs: 4k\n",
				&plan, &points),
			 4 + 4);
	matrix_plan_release(&plan);
}

static void test_stress_ng(void **state)
{
	struct matrix_plan plan = PLAN_DEFAULTS;
	CLEANUP(plan_points) struct plan_points points = { .points = { .nr = 0 } };

	(void)state;
	assert_int_equal(
		expand("suite: stress-ng\ntestcase: stress-ng\ndisk: 1HDD\nfs: [xfs, ext4]\n"
		       "testtime: 60s\nnr_threads: 100%\nstress-ng:\n  test: [aiol, hdd]\n",
		       &plan, &points),
		4);
	assert_int_equal(plan.workload, PLAN_COMMAND);
	assert_non_null(strstr(plan.command, "--{test} {nr_threads} -t {testtime}"));
	assert_string_equal(plan.stack, "loop:1024M,{stack.fs}");
	matrix_plan_release(&plan);
}

static void test_refused(void **state)
{
	(void)state;
	assert_refused(HEAD "commit: [v6.1, v6.2]\n", 4, "other kernels");
	assert_refused(HEAD "fs2: nfsv4\n", 4, "network filesystems");
	assert_refused(HEAD "disk: 4HDD\n", 4, "'4HDD' is not 1HDD or 1SSD");
	assert_refused(HEAD "nr_tsk: 3\n", 4, "did you mean 'nr_task'");
	assert_refused(HEAD "mdadm: x\n", 4, "no meaning on this machine alone");
	assert_refused(HEAD "nr_task: [1, some]\n", 4, "'some' is not understood");
	assert_refused(HEAD "runtime: '{{ x }}'\n", 4, "expressions");
	assert_refused(HEAD "bs: [[4k]]\n", 4, "one value");
	assert_refused(HEAD "test_size: big\n", 1, "no size");
	assert_refused(HEAD "---\nramp_time: 5\n", 1, "'ramp_time' stands in another document");
	assert_refused("suite: stress-ng\nstress-ng:\n", 1, "no test");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fio),	  cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_documents), cmocka_unit_test(test_stress_ng),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests_name("plan_lkp", tests, NULL, NULL);
}
