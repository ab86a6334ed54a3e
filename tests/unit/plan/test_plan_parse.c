/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_parse: what a plan says, and one line with the place for what is wrong in it. */
#include "plan_text.h"

static void test_everything(void **state)
{
	struct matrix_plan plan = PLAN_DEFAULTS;

	(void)state;
	plan_from("name: all keys\n"
		  "compare: {nomerges: '0'}\n" /* before its factor: the order does not matter */
		  "job: [a.fio, /abs/b.fio]\n"
		  "options: {rw: randread, time_based: }\n"
		  "stack: loop:1G,{fs}\n"
		  "set: {sysctl.vm.swappiness: 1, bs: 8k}\n"
		  "factors:\n"
		  "  fs: [btrfs, ext4]\n"
		  "  queue.nomerges: [0, 2]\n"
		  "  iodepth: 4\n"
		  "exclude: [{fs: ext4, iodepth: 4}]\n"
		  "include: [{fs: [xfs, ext4], iodepth: 8}]\n"
		  "when: [{match: {fs: xfs}, set: {job.direct: 0}}]\n"
		  "max_pairs: 12\nwarmup: 2\nmetric: iops\nbetter: lower\nmin_effect: 10%\n"
		  "alpha: 0.01\nbudget: {time: 10m, trials: 99}\ntrial_time: 2s\nseed: 42\n"
		  "on: vm\ntime: virtual\n",
		  &plan);
	assert_string_equal(plan.name, "all keys");
	assert_int_equal(plan.workload, PLAN_JOB);
	assert_int_equal(plan.words.nr, 4);
	assert_string_equal(plan.words.items[0], "dir/a.fio");
	assert_string_equal(plan.words.items[1], "/abs/b.fio");
	assert_string_equal(plan.words.items[2], "--rw=randread");
	assert_string_equal(plan.words.items[3], "--time_based");
	assert_string_equal(plan.stack, "loop:1G,{fs}");
	assert_int_equal(plan.settings.nr, 2);
	assert_string_equal(plan.settings.items[1].text, "job.bs=8k");
	assert_int_equal(plan.factors.nr, 3);
	assert_string_equal(plan.factors.items[0].key, "stack.fs");
	assert_string_equal(plan.factors.items[0].name, "fs");
	assert_int_equal(plan.factors.items[0].line, 8);
	assert_int_equal(plan.factors.items[0].values.nr, 3);
	assert_int_equal(plan.factors.items[0].nr_listed, 2);
	assert_string_equal(plan.factors.items[2].key, "job.iodepth");
	assert_int_equal(plan.exclude.nr, 1);
	assert_int_equal(plan.include.items[0].picks.nr, 3);
	assert_int_equal(plan.when.nr, 1);
	assert_int_equal(plan.compared, 1);
	assert_int_equal(plan.baseline, 0);
	assert_true(plan.is_sequential);
	assert_int_equal(plan.repeats, 12);
	assert_int_equal(plan.nr_warmups, 2);
	assert_true(plan.min_effect == 0.1);
	assert_true(plan.alpha == 0.01);
	assert_true(plan.budget_ns == 600000000000u);
	assert_int_equal(plan.budget_trials, 99);
	assert_true(plan.trial_ns == 2000000000u);
	assert_true(plan.seed == 42);
	assert_string_equal(plan.target, "vm");
	assert_string_equal(plan.time, "virtual");
	assert_true(plan.has_min_effect);
	assert_false(plan.has_repeats);
	matrix_plan_release(&plan);
}

/* Settings that are a whole namespace, as factors. */
static void test_guests(void **state)
{
	struct matrix_plan plan = PLAN_DEFAULTS;

	(void)state;
	plan_from(
		"job: a.fio\non: vm\nfactors:\n  kernel: [6.1, 6.12]\n  stack: [a.yaml, b.yaml]\n",
		&plan);
	assert_string_equal(plan.factors.items[0].key, "kernel");
	assert_string_equal(plan.factors.items[1].key, "stack");
	assert_string_equal(plan.target, "vm");
	assert_null(plan.time);
	matrix_plan_release(&plan);
}

#define HEAD "cmd: true\nfactors: {a: [1, 2], b: [x, y]}\n"

static void test_bad(void **state)
{
	(void)state;
	assert_refused("", 1, "nothing in it");
	assert_refused("- a\n- b\n", 1, "a plan is a mapping");
	assert_refused("just text", 1, "a plan is a mapping");
	assert_refused("job: a.fio\n", 1, "no factors");
	assert_refused("factors: {a: [1, 2]}\n", 1, "no workload");
	assert_refused(HEAD "repeat: 3\n", 3, "did you mean 'repeats'");
	assert_refused(HEAD "job: x.fio\n", 1, "another workload");
	assert_refused("cmd: true\nfactors:\n  a: []\n", 3, "a has no values");
	assert_refused("cmd: true\nfactors:\n  a: [1, 2, 1]\n", 3, "'1' stands twice");
	assert_refused("cmd: true\nfactors:\n  a: [1]\n  job.a: [2]\n", 4, "same setting");
	assert_refused("cmd: true\nfactors:\n  a: [1]\n  a: [2]\n", 4, "stands twice");
	assert_refused("cmd: true\nfactors:\n  a: [[1]]\n", 3, "one value");
	assert_refused("cmd: true\nfactors:\n  a: [1, ]\n  b:\n", 4, "b has no value");
	assert_refused("cmd: true\nfactors: [1]\n", 2, "they look like");
	assert_refused(HEAD "compare: {c: 1}\n", 3, "no factor 'c'");
	assert_refused(HEAD "compare: {a: 3}\n", 3, "no value '3'");
	assert_refused(HEAD "compare: {a: 1, b: x}\n", 3, "a factor and its baseline");
	assert_refused(HEAD "exclude:\n- {a: 1}\n- {b: z}\n", 5, "no value 'z'");
	assert_refused(HEAD "exclude: {a: 1}\n", 3, "a list of combinations");
	assert_refused(HEAD "include: [[a]]\n", 3, "a combination looks like");
	assert_refused(HEAD "when: [{match: {a: 1}}]\n", 3, "match: and set:");
	assert_refused(HEAD "repeats: 0\n", 3, "1 to 1000");
	assert_refused(HEAD "repeats: -1\n", 3, "not a whole number");
	assert_refused(HEAD "max_pairs: 4\n", 3, "5 to 60");
	assert_refused(HEAD "max_pairs: 9\n", 1, "needs compare");
	assert_refused(HEAD "compare: {a: 1}\nmax_pairs: 9\nrepeats: 9\n", 1, "only one");
	assert_refused(HEAD "compare: {a: 1}\nmax_pairs: 9\nalpha: 0.02\n", 1, "0.05 or 0.01");
	assert_refused(HEAD "time: virtual\n", 3, "time is the clock of guests: it needs on: vm");
	assert_refused(HEAD "min_effect: 5\n", 3, "no share");
	assert_refused(HEAD "alpha: nan\n", 3, "no chance");
	assert_refused(HEAD "better: faster\n", 3, "neither lower nor higher");
	assert_refused(HEAD "budget: 10m\n", 3, "budget:");
	assert_refused(HEAD "budget: {time: soon}\n", 3, "no time");
	assert_refused(HEAD "budget: {tries: 3}\n", 3, "budget:");
	assert_refused(HEAD "seed: 0\n", 3, "above 0");
	assert_refused(HEAD "set: [a=b]\n", 3, "settings look like");
	assert_refused(HEAD "timeout: 3\n", 3, "no time");
	assert_refused(HEAD "---\nname: x\n", 4, "a second document");
	assert_refused("options: {rw: [a, b]}\n", 1, "make it a factor");
}

/* libyaml's own complaints have the place too; what would not be bounded is refused. */
static void test_bad_yaml(void **state)
{
	(void)state;
	assert_refused("a: [1, 2\nb: 3\n", 2, "");
	assert_refused("a:\n\t- b\n", 2, "");
	assert_refused("a: &x 1\nb: *x\n", 1, "anchors and aliases");
	assert_refused("a: \"x\\0y\"\n", 1, "NUL");
	assert_refused("a: 1\n? [b]\n: c\n", 2, "a key that is no text");
	assert_refused(
		"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
		1, "nested too deeply");
}

static void test_keys_are_told(void **state)
{
	const char *name, *summary;
	size_t nr = 0;

	(void)state;
	while (plan_key_info(nr, &name, &summary)) {
		assert_true(*name && *summary);
		nr++;
	}
	assert_true(nr > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_everything),    cmocka_unit_test(test_guests),
		cmocka_unit_test(test_bad),	      cmocka_unit_test(test_bad_yaml),
		cmocka_unit_test(test_keys_are_told),
	};

	return cmocka_run_group_tests_name("plan_parse", tests, NULL, NULL);
}
