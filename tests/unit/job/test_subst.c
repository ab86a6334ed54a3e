/* SPDX-License-Identifier: GPL-2.0-or-later */
/* subst: variables, keywords of the machine and their arithmetic. */
#include "job/subst.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "test.h"

static const struct variable_case {
	const char *line, *expected, *unset;
} variable_cases[] = {
	{ "bs=4k", "bs=4k", NULL },
	{ "bs=${SUBST_SIZE}", "bs=64k", NULL },
	{ "bs=${SUBST_SIZE}b", "bs=64kb", NULL },
	{ "${SUBST_KEY}=${SUBST_SIZE}", "bs=64k", NULL },
	{ "bs=${SUBST_MISSING}", "bs=", "SUBST_MISSING" },
	{ "a${SUBST_MISSING}b${SUBST_OTHER}c", "abc", "SUBST_MISSING" },
	{ "bs=$SUBST_SIZE", "bs=$SUBST_SIZE", NULL },
	{ "bs=${SUBST_SIZE", "bs=${SUBST_SIZE", NULL },
	{ "bs=$", "bs=$", NULL },
	{ "bs=}${SUBST_SIZE}", "bs=}64k", NULL },
	{ "bs=}${SUBST_SIZE", "bs=}${SUBST_SIZE", NULL },
	{ "bs=${}", "bs=", "" },
	{ "x=$jobname.$jobnum", "x=$jobname.$jobnum", NULL },
	{ "x=4-2+1", "x=4-2+1", NULL }, /* arithmetic needs a keyword */
	{ "x=${SUBST_SUM}", "x=1+1", NULL },
};

static void test_variables(void **state)
{
	(void)state;
	assert_int_equal(setenv("SUBST_SIZE", "64k", 1), 0);
	assert_int_equal(setenv("SUBST_KEY", "bs", 1), 0);
	assert_int_equal(setenv("SUBST_SUM", "1+1", 1), 0);
	assert_int_equal(unsetenv("SUBST_MISSING"), 0);
	assert_int_equal(unsetenv("SUBST_OTHER"), 0);
	for (size_t i = 0; i < sizeof(variable_cases) / sizeof(variable_cases[0]); i++) {
		const struct variable_case *row = &variable_cases[i];
		CLEANUP(arena) struct arena arena = ARENA_INIT;
		struct subst subst;

		assert_int_equal(subst_line(row->line, 1000, &arena, &subst, NULL), 0);
		assert_string_equal(subst.text, row->expected);
		if (row->unset)
			assert_string_equal(subst.unset_variable, row->unset);
		else
			assert_null(subst.unset_variable);
	}
}

static const char *subst_text(struct arena *arena, const char *line)
{
	struct subst subst;
	struct err err = { .code = 0 };

	if (subst_line(line, 1000, arena, &subst, &err) < 0)
		fail_msg("%s: %s", line, err.msg);
	return subst.text;
}

static void test_keywords(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	const long page = sysconf(_SC_PAGESIZE);
	const long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	const long mib = sysconf(_SC_PHYS_PAGES) / (1048576 / page);
	const char *text;

	(void)state;
	text = subst_text(&arena, "bs=$pagesize");
	assert_string_equal(text, arena_printf(&arena, "bs=%ld", page));
	text = subst_text(&arena, "bs=${SUBST_NOTHING}$pagesize");
	assert_string_equal(text, arena_printf(&arena, "bs=%ld", page));
	text = subst_text(&arena, "size=$mb_memory");
	assert_string_equal(text, arena_printf(&arena, "size=%ld", mib));
	text = subst_text(&arena, "numjobs=$ncpus");
	assert_string_equal(text, arena_printf(&arena, "numjobs=%ld", cpus));
	text = subst_text(&arena, "numjobs=4*$ncpus");
	assert_string_equal(text, arena_printf(&arena, "numjobs=%ld", 4 * cpus));
	text = subst_text(&arena, "size = ($ncpus + 1) * $pagesize");
	assert_string_equal(text, arena_printf(&arena, "size =%ld", (cpus + 1) * page));
	text = subst_text(&arena, "filename=/dev/shm/$ncpus-x");
	assert_string_equal(text, arena_printf(&arena, "filename=/dev/shm/%ld-x", cpus));
	text = subst_text(&arena, "bs=2*$pagesizek");
	assert_string_equal(text, arena_printf(&arena, "bs=2*%ldk", page));
}

static void test_line_limit(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;
	struct err err = { .code = 0 };
	struct subst subst;

	(void)state;
	assert_int_equal(setenv("SUBST_LONG", "0123456789", 1), 0);
	for (int i = 0; i < 100; i++)
		strbuf_add_str(&line, "${SUBST_LONG}");
	assert_int_equal(subst_line(line.buf, 1000, &arena, &subst, &err), 0);
	assert_int_equal(strlen(subst.text), 1000);
	assert_int_equal(subst_line(line.buf, 999, &arena, &subst, &err), -ERR_INPUT);
	assert_string_equal(err.msg, "the line is longer than 999 bytes with its variables");
}

static void test_division_by_zero(void **state)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct err err = { .code = 0 };
	struct subst subst;

	(void)state;
	assert_int_equal(subst_line("numjobs=8/($ncpus-$ncpus)", 1000, &arena, &subst, &err),
			 -ERR_INPUT);
	assert_non_null(strstr(err.msg, "cannot be computed"));
}

static const struct sum_case {
	const char *text;
	int ret;
	long long value;
} sum_cases[] = {
	{ "1", 0, 1 },
	{ " 12 ", 0, 12 },
	{ "1+2*3", 0, 7 },
	{ "(1+2)*3", 0, 9 },
	{ "10-2-3", 0, 5 },
	{ "100/7/2", 0, 7 },
	{ "7/2*2", 0, 6 },
	{ "-3+5", 0, 2 },
	{ "2*-3", 0, -6 },
	{ "--4", 0, 4 },
	{ "-(2+3)", 0, -5 },
	{ "((((5))))", 0, 5 },
	{ "-7/2", 0, -3 },
	{ "9223372036854775807", 0, LLONG_MAX },
	{ "", -EINVAL, 0 },
	{ "+1", -EINVAL, 0 },
	{ "1+", -EINVAL, 0 },
	{ "1 2", -EINVAL, 0 },
	{ "(1", -EINVAL, 0 },
	{ "1)", -EINVAL, 0 },
	{ "()", -EINVAL, 0 },
	{ "4k*2", -EINVAL, 0 },
	{ "/dev/sda", -EINVAL, 0 },
	{ "1/0", -ERANGE, 0 },
	{ "1/(2-2)", -ERANGE, 0 },
	{ "9223372036854775808", -ERANGE, 0 },
	{ "9223372036854775807+1", -ERANGE, 0 },
	{ "9223372036854775807*2", -ERANGE, 0 },
	{ "(0-9223372036854775807-1)/-1", -ERANGE, 0 },
	{ "-(0-9223372036854775807-1)", -ERANGE, 0 },
};

static void test_arithmetic(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(sum_cases) / sizeof(sum_cases[0]); i++) {
		const struct sum_case *row = &sum_cases[i];
		long long value = 0;

		if (subst_evaluate(row->text, &value) != row->ret || value != row->value)
			fail_msg("'%s' gives %lld", row->text, value);
	}
}

static void test_nesting_is_bounded(void **state)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	long long value;

	(void)state;
	strbuf_add_repeat(&text, '(', 500000);
	assert_int_equal(subst_evaluate(text.buf, &value), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_variables),  cmocka_unit_test(test_keywords),
		cmocka_unit_test(test_line_limit), cmocka_unit_test(test_division_by_zero),
		cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_nesting_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
