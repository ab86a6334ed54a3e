/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_files: what is found under the paths of data files. */
#include "load/files.h"

#include <errno.h>

#include "base/err.h"
#include "fixture.h"
#include "test.h"

static void test_kinds(void **state)
{
	char *folder = fixture_folder();
	char *file = xasprintf("%s/file", folder);
	char *absent = xasprintf("%s/absent", folder);
	char *below;
	struct file_table table = { .nr = 0 };
	struct err err = { .code = 0 };
	size_t index;

	(void)state;
	fixture_write(file, 5000, 'x');
	assert_int_equal(file_table_add(&table, file, false, &index, &err), 0);
	assert_int_equal(table.items[index].kind, FILE_REGULAR);
	assert_int_equal(table.items[index].size_bytes, 5000);
	assert_int_equal(file_table_add(&table, absent, false, &index, &err), 0);
	assert_int_equal(table.items[index].kind, FILE_ABSENT);
	assert_int_equal(file_table_add(&table, "/dev/null", false, &index, &err), 0);
	assert_int_equal(table.items[index].kind, FILE_CHAR);
	assert_int_equal(file_table_add(&table, "no/such/file", true, &index, &err), 0);
	assert_int_equal(table.items[index].kind, FILE_VIRTUAL);
	assert_int_equal(table.nr, 4);

	assert_int_equal(file_table_add(&table, folder, false, &index, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, folder));
	assert_non_null(strstr(err.msg, "is a directory"));
	below = xasprintf("%s/below-a-file", file);
	assert_int_equal(file_table_add(&table, below, false, &index, &err), -ERR_SYSTEM);
	assert_int_equal(err.saved_errno, ENOTDIR);
	assert_int_equal(table.nr, 4); /* what was refused left nothing behind */

	file_table_release(&table);
	free(file);
	free(absent);
	free(below);
	fixture_remove_folder(folder);
}

static void test_each_path_once(void **state)
{
	enum { NR = 1000 };
	char *paths[NR];
	struct file_table table = { .nr = 0 };
	size_t index;

	(void)state;
	for (unsigned i = 0; i < NR; i++)
		paths[i] = xasprintf("job.%u.0", i);
	for (unsigned round = 0; round < 2; round++) {
		for (unsigned i = 0; i < NR; i++) {
			char *copy = xstrdup(paths[i]);

			assert_int_equal(
				file_table_add(&table, round ? copy : paths[i], true, &index, NULL),
				0);
			assert_int_equal(index, i);
			free(copy);
		}
	}
	assert_int_equal(table.nr, NR);
	file_table_release(&table);
	for (unsigned i = 0; i < NR; i++)
		free(paths[i]);
}

static void test_folder_of_path(void **state)
{
	static const char *const cases[][2] = {
		{ "file", "." }, { "/file", "/" }, { "a/b/file", "a/b" }, { "/a/file", "/a" }
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *folder = file_folder(cases[i][0]);

		assert_string_equal(folder, cases[i][1]);
		free(folder);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_each_path_once),
		cmocka_unit_test(test_folder_of_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
