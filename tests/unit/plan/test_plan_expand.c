/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_plan_expand: how many points, which, their ids, cells and settings. */
#include "plan_text.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "model/setting.h"
#include "plan/plan_expand.h"

static void expand(const char *text, struct matrix_plan *plan, struct plan_points *points)
{
	struct err err = { .code = 0 };

	plan_from(text, plan);
	if (plan_expand(plan, points, &err) < 0)
		fail_msg("refused: %s", err.msg);
}

static size_t count(const char *text)
{
	struct matrix_plan plan = PLAN_DEFAULTS;
	CLEANUP(plan_points) struct plan_points points = { .points = { .nr = 0 } };

	expand(text, &plan, &points);
	matrix_plan_release(&plan);
	return points.points.nr;
}

static void test_counts(void **state)
{
	(void)state;
	assert_int_equal(count("cmd: x\nfactors: {a: [1,2,3], b: [x,y], c: q}\n"), 6);
	assert_int_equal(count("cmd: x\nfactors: {a: [1,2,3], b: [x,y]}\nexclude: [{a: 2}]\n"), 4);
	assert_int_equal(count("cmd: x\nfactors: {a: [1,2,3], b: [x,y]}\n"
			       "exclude: [{a: [1, 2], b: x}]\n"),
			 4);
	/* an include adds what is not there, also values of its own, and nothing twice */
	assert_int_equal(count("cmd: x\nfactors: {a: [1,2], b: [x,y]}\ninclude: [{a: 1, b: x}]\n"),
			 4);
	assert_int_equal(count("cmd: x\nfactors: {a: [1,2], b: [x,y]}\ninclude: [{a: 3}]\n"), 6);
	assert_int_equal(count("cmd: x\nfactors: {a: [1,2], b: [x,y]}\nexclude: [{a: 1}]\n"
			       "include: [{a: 1, b: y}]\n"),
			 3);
}

static void test_limits(void **state)
{
	struct matrix_plan plan = PLAN_DEFAULTS;
	struct plan_points points;
	struct err err = { .code = 0 };
	struct strbuf text = STRBUF_INIT;

	(void)state;
	strbuf_add_str(&text, "cmd: x\nfactors:\n");
	for (char name = 'a'; name < 'k'; name++)
		strbuf_printf(&text, "  %c: [1,2,3,4,5,6,7,8,9,10]\n", name);
	plan_from(strbuf_str(&text), &plan);
	assert_int_equal(plan_expand(&plan, &points, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "dir/p.yaml:"));
	assert_non_null(strstr(err.msg, "100000 points"));
	matrix_plan_release(&plan);
	strbuf_release(&text);
	plan_from("cmd: x\nfactors: {a: [1, 2]}\nexclude: [{a: [1, 2]}]\n", &plan);
	assert_int_equal(plan_expand(&plan, &points, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "every combination is excluded"));
	matrix_plan_release(&plan);
}

static const char *id_of(const struct plan_points *points, const struct matrix_plan *plan,
			 const char *label)
{
	for (size_t i = 0; i < points->points.nr; i++) {
		CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

		plan_point_label(plan, &points->points.items[i], &text);
		if (!strcmp(strbuf_str(&text), label))
			return points->points.items[i].id;
	}
	fail_msg("no point '%s'", label);
	return NULL;
}

static int compare_ids(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void test_ids_are_unique(void **state)
{
	struct matrix_plan plan = PLAN_DEFAULTS;
	CLEANUP(plan_points) struct plan_points points = { .points = { .nr = 0 } };
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	const char **ids;

	(void)state;
	strbuf_add_str(&text, "cmd: x\nfactors:\n");
	for (char name = 'a'; name < 'e'; name++)
		strbuf_printf(&text, "  %c: [0,1,2,3,4,5,6,7,8,9]\n", name);
	expand(strbuf_str(&text), &plan, &points);
	assert_int_equal(points.points.nr, 10000);
	ids = xcalloc(points.points.nr, sizeof(*ids));
	for (size_t i = 0; i < points.points.nr; i++)
		ids[i] = points.points.items[i].id;
	qsort(ids, points.points.nr, sizeof(*ids), compare_ids);
	for (size_t i = 1; i < points.points.nr; i++)
		assert_true(strcmp(ids[i - 1], ids[i]) < 0);
	free(ids);
	matrix_plan_release(&plan);
}

/* Another order, more values, more combinations: what was measured keeps its name. */
static void test_ids_are_stable(void **state)
{
	struct matrix_plan one = PLAN_DEFAULTS, two = PLAN_DEFAULTS;
	CLEANUP(plan_points) struct plan_points first = { .points = { .nr = 0 } };
	CLEANUP(plan_points) struct plan_points second = { .points = { .nr = 0 } };

	(void)state;
	expand("cmd: x\nfactors: {fs: [ext4, xfs], scheduler: [none, bfq]}\n", &one, &first);
	expand("cmd: x\nrepeats: 9\nfactors: {scheduler: [kyber, bfq, none], fs: [xfs, btrfs, "
	       "ext4]}\n",
	       &two, &second);
	assert_string_equal(id_of(&first, &one, "fs=xfs, scheduler=bfq"),
			    id_of(&second, &two, "scheduler=bfq, fs=xfs"));
	assert_string_equal(id_of(&first, &one, "fs=xfs, scheduler=bfq"), "905007a42f69e270");
	matrix_plan_release(&one);
	matrix_plan_release(&two);
}

static void test_cells(void **state)
{
	struct matrix_plan plan = PLAN_DEFAULTS;
	CLEANUP(plan_points) struct plan_points points = { .points = { .nr = 0 } };
	CLEANUP(strbuf) struct strbuf label = STRBUF_INIT;

	(void)state;
	expand("cmd: x\nfactors: {a: [1,2,3], side: [p, q, r]}\ncompare: {side: q}\n"
	       "exclude: [{a: 3, side: q}]\n",
	       &plan, &points);
	assert_int_equal(points.points.nr, 8);
	assert_int_equal(points.cells.nr, 3);
	for (size_t i = 0; i < 2; i++) {
		const struct plan_cell *cell = &points.cells.items[i];

		assert_int_equal(cell->points.nr, 3);
		assert_int_equal(points.points.items[cell->points.items[0]].values[1], 1);
		for (size_t j = 0; j < 3; j++)
			assert_int_equal(points.points.items[cell->points.items[j]].cell, i);
	}
	assert_int_equal(points.cells.items[2].points.nr, 2); /* without its baseline */
	plan_cell_label(&plan, &points.points.items[4], &label);
	assert_string_equal(strbuf_str(&label), "a=2");
	matrix_plan_release(&plan);
}

static void test_settings(void **state)
{
	struct matrix_plan plan = PLAN_DEFAULTS;
	CLEANUP(plan_points) struct plan_points points = { .points = { .nr = 0 } };
	struct setting_list settings = { .nr = 0 };
	struct err err = { .code = 0 };

	(void)state;
	expand("cmd: x\nset: {sysctl.vm.swappiness: 1}\nfactors: {bs: ['4k,8k'], fs: [xfs, ext4]}\n"
	       "when: [{match: {fs: ext4}, set: {queue.scheduler: bfq}}]\n",
	       &plan, &points);
	for (size_t i = 0; i < 2; i++) {
		CLEANUP(free) char *text = NULL;

		assert_int_equal(
			plan_point_settings(&plan, &points.points.items[i], &settings, &err), 0);
		text = setting_list_text(&settings);
		assert_string_equal(text, i ? "sysctl.vm.swappiness=1,job.bs=4k,8k,stack.fs=ext4,"
					      "queue.scheduler=bfq"
					    : "sysctl.vm.swappiness=1,job.bs=4k,8k,stack.fs=xfs");
		setting_list_release(&settings);
	}
	matrix_plan_release(&plan);
	points.points.items[0].values[0] = 0;
	plan_points_release(&points);
	expand("cmd: x\nfactors:\n  quue.x: [1, 2]\n", &plan, &points);
	assert_int_equal(plan_point_settings(&plan, &points.points.items[0], &settings, &err),
			 -ERR_USAGE);
	assert_non_null(strstr(err.msg, "dir/p.yaml:3: "));
	setting_list_release(&settings);
	matrix_plan_release(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts),	       cmocka_unit_test(test_limits),
		cmocka_unit_test(test_ids_are_unique), cmocka_unit_test(test_ids_are_stable),
		cmocka_unit_test(test_cells),	       cmocka_unit_test(test_settings),
	};

	return cmocka_run_group_tests_name("plan_expand", tests, NULL, NULL);
}
