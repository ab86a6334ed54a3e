/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_candidate_list: the lines of a file in their order, and what is no list. */
#include "candidate_files.h"

static void test_lines(void **state)
{
	CLEANUP(candidate_source) struct candidate_source source = { .ops = NULL };
	CLEANUP(candidate_setup) struct candidate_setup setup = { .tree = NULL };
	struct err err = { .code = 0 };

	(void)state;
	files_write("list", "# versions\nv1\n\n  v2 with blanks \r\nv10");
	assert_int_equal(files_open("list", "list", NULL, NULL, &source, &err), 0);
	assert_int_equal(source.list.nr, 3);
	assert_string_equal(source.list.items[0].id, "v1");
	assert_string_equal(source.list.items[1].id, "v2 with blanks");
	assert_string_equal(source.list.items[2].name, "v10");
	assert_int_equal(candidate_prepare(&source, 1, &setup, &err), 0);
	assert_null(setup.why_untestable);
	assert_null(setup.tree);
}

static void refused(const char *name, const char *wanted)
{
	struct candidate_source source = { .ops = NULL };
	struct err err = { .code = 0 };

	assert_true(files_open("list", name, NULL, NULL, &source, &err) < 0);
	if (!strstr(err.msg, wanted))
		fail_msg("'%s' does not say '%s'", err.msg, wanted);
	assert_null(source.ops);
}

static void test_refused(void **state)
{
	(void)state;
	refused("none", "No such file");
	refused(".", "is a directory");
	files_write("empty", "# nothing\n");
	refused("empty", "0 candidates to choose from");
	files_write("one", "a\n");
	refused("one", "1 candidate to choose from");
	files_write("twice", "a\nb\na\n");
	refused("twice", "twice:3: candidate 'a' stands in the list twice");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
