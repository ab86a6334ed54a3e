/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_layout: files are made long enough and never lose what is in them. */
#include "load/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/err.h"
#include "fixture.h"
#include "load/files.h"
#include "test.h"

/* A table with one file of a new folder. */
struct one_file {
	char *folder, *path;
	struct file_table table;
	struct file_entry *entry;
};

static void one_file_init(struct one_file *one, const char *name, int64_t size)
{
	size_t index;

	*one = (struct one_file){ .folder = fixture_folder() };
	one->path = xasprintf("%s/%s", one->folder, name);
	if (size >= 0)
		fixture_write(one->path, (size_t)size, 'x');
	assert_int_equal(file_table_add(&one->table, one->path, false, &index, NULL), 0);
	one->entry = &one->table.items[index];
	one->entry->needs_file = true;
}

static void one_file_release(struct one_file *one)
{
	file_table_release(&one->table);
	free(one->path);
	fixture_remove_folder(one->folder);
}

static char *content_of(const char *path, size_t len)
{
	char *content = xcalloc(len, 1);
	FILE *file = fopen(path, "re");

	assert_non_null(file);
	assert_int_equal(fread(content, 1, len, file), len);
	(void)fclose(file);
	return content;
}

static int make(struct one_file *one, struct err *err)
{
	const struct layout_config config = { .seed = 5 };

	return layout_make(&one->table, &config, err);
}

static void test_content_for_readers(void **state)
{
	struct one_file one;
	char *content;
	size_t nr_zero = 0;

	(void)state;
	one_file_init(&one, "new", -1);
	one.entry->needed_bytes = 2 * MIB + 100;
	one.entry->needs_content = true;
	assert_int_equal(make(&one, NULL), 0);
	assert_int_equal(fixture_size(one.path), 2 * MIB + 100);
	assert_int_equal(one.entry->size_bytes, 2 * MIB + 100);
	content = content_of(one.path, 2 * MIB + 100);
	for (size_t i = 0; i < 2 * MIB; i++)
		nr_zero += content[i] == 0;
	assert_in_range(nr_zero, 1, 2 * MIB / 20); /* random: 1 in 256, stamps have more */
	assert_memory_not_equal(content, content + MIB, 512); /* the chunks differ */
	free(content);
	one_file_release(&one);
}

static void test_data_stay(void **state)
{
	static const bool readers[] = { false, true };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct one_file one;
		char *content;

		one_file_init(&one, "old", 5000);
		one.entry->needed_bytes = 100000;
		one.entry->needs_content = readers[i];
		assert_int_equal(make(&one, NULL), 0);
		content = content_of(one.path, 5000);
		for (size_t at = 0; at < 5000; at++)
			assert_int_equal(content[at], 'x');
		free(content);
		assert_true(fixture_size(one.path) == 100000 || !readers[i]);
		one_file_release(&one);

		one_file_init(&one, "longer", 5000); /* long enough: not touched */
		one.entry->needed_bytes = 4096;
		one.entry->needs_content = readers[i];
		assert_int_equal(make(&one, NULL), 0);
		assert_int_equal(fixture_size(one.path), 5000);
		one_file_release(&one);
	}
}

static void test_fallocate_modes(void **state)
{
	static const struct {
		enum fallocate_mode mode;
		bool is_extended;
	} cases[] = {
		{ FALLOCATE_NONE, false },
		{ FALLOCATE_KEEP, false },
		{ FALLOCATE_POSIX, true },
		{ FALLOCATE_TRUNCATE, true },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct one_file one;

		one_file_init(&one, "new", -1);
		one.entry->needed_bytes = 65536;
		one.entry->fallocate = cases[i].mode;
		assert_int_equal(make(&one, NULL), 0);
		assert_int_equal(fixture_size(one.path), cases[i].is_extended ? 65536 : 0);
		assert_true(one.entry->is_created);
		one_file_release(&one);
	}
}

static void test_folders_are_made(void **state)
{
	struct one_file one;
	struct stat info;
	char *folder;

	(void)state;
	one_file_init(&one, "a/b/file", -1);
	one.entry->needed_bytes = 4096;
	one.entry->needs_content = true;
	assert_int_equal(make(&one, NULL), 0);
	folder = xasprintf("%s/a", one.folder);
	assert_int_equal(stat(folder, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0700);
	assert_int_equal(fixture_size(one.path), 4096);
	free(folder);
	one_file_release(&one);
}

/* A file size limit stands for a full disk: write fails in the middle. */
static void test_failure_leaves_things_as_they_were(void **state)
{
	static const int64_t sizes[] = { -1, 5000 };
	struct rlimit before, limit;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	(void)signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < 2; i++) {
		struct err err = { .code = 0 };
		struct one_file one;
		int ret;

		one_file_init(&one, "file", sizes[i]);
		one.entry->needed_bytes = 4 * MIB;
		one.entry->needs_content = true;
		limit = before;
		limit.rlim_cur = 2 * MIB + 4096;
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		ret = make(&one, &err);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
		assert_int_equal(ret, -ERR_SYSTEM);
		assert_int_equal(err.saved_errno, EFBIG);
		assert_non_null(strstr(err.msg, one.path));
		assert_int_equal(fixture_size(one.path), sizes[i]);
		one_file_release(&one);
	}
}

static void test_stop(void **state)
{
	const atomic_bool stop = true;
	const struct layout_config config = { .stop = &stop };
	struct err err = { .code = 0 };
	struct one_file one;

	(void)state;
	one_file_init(&one, "file", -1);
	one.entry->needed_bytes = MIB;
	one.entry->needs_content = true;
	assert_int_equal(layout_make(&one.table, &config, &err), -ERR_INTERRUPTED);
	assert_int_equal(fixture_size(one.path), -1);
	one_file_release(&one);
}

static void test_unlink(void **state)
{
	struct one_file one;

	(void)state;
	one_file_init(&one, "file", 10);
	layout_unlink(&one.table);
	assert_int_equal(fixture_size(one.path), 10);
	one.entry->is_unlinked = true;
	layout_unlink(&one.table);
	assert_int_equal(fixture_size(one.path), -1);
	one_file_release(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_content_for_readers),
		cmocka_unit_test(test_data_stay),
		cmocka_unit_test(test_fallocate_modes),
		cmocka_unit_test(test_folders_are_made),
		cmocka_unit_test(test_failure_leaves_things_as_they_were),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_unlink),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
