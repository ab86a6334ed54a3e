/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_file: reading with limits, atomic replacement, attribute files, directories. */
#include "base/file.h"

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The state of each test is the path of an empty folder of its own. */
static int make_dir(void **state)
{
	char *dir = xstrdup("/tmp/regio-test-XXXXXX");

	*state = dir;
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

static int remove_dir(void **state)
{
	int ret = nftw(*state, remove_entry, 8, FTW_DEPTH | FTW_PHYS);

	free(*state);
	return ret;
}

static size_t dir_count(const char *path)
{
	DIR *dir = opendir(path);
	size_t nr = 0;

	assert_non_null(dir);
	while (readdir(dir))
		nr++;
	(void)closedir(dir);
	return nr - 2; /* . and .. */
}

static void write_plain(const char *path, const char *text)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void test_read(void **state)
{
	CLEANUP(free) char *path = xasprintf("%s/a", (char *)*state);
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	struct err err = { .code = 0 };

	write_plain(path, "hello\n");
	strbuf_add_str(&out, "> ");
	assert_int_equal(file_read(path, 6, &out, &err), 0);
	assert_string_equal(strbuf_str(&out), "> hello\n"); /* appended */

	assert_int_equal(file_read(path, 5, &out, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "larger than 5 bytes"));
	assert_string_equal(strbuf_str(&out), "> hello\n"); /* as before the failure */
}

static void test_read_large(void **state)
{
	CLEANUP(free) char *path = xasprintf("%s/a", (char *)*state);
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	strbuf_add_repeat(&content, 'x', 300000);
	write_plain(path, strbuf_str(&content));
	assert_int_equal(file_read(path, 300000, &out, NULL), 0);
	assert_int_equal(out.len, 300000);
	assert_memory_equal(out.buf, content.buf, 300001);
}

static void test_read_without_size(void **state)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	(void)state;
	assert_int_equal(file_read("/proc/self/status", 1 << 20, &out, NULL), 0);
	assert_non_null(strstr(strbuf_str(&out), "Name:"));
}

static void test_read_errors(void **state)
{
	CLEANUP(free) char *path = xasprintf("%s/missing", (char *)*state);
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	struct err err = { .code = 0 };

	assert_int_equal(file_read(path, 10, &out, &err), -ERR_SYSTEM);
	assert_int_equal(err.saved_errno, ENOENT);
	assert_non_null(strstr(err.msg, path));
	assert_int_equal(file_read(*state, 10, &out, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "is a directory"));
}

static void test_write_atomic(void **state)
{
	CLEANUP(free) char *path = xasprintf("%s/a", (char *)*state);
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	struct stat st;

	write_plain(path, "old content, longer than the new one");
	assert_int_equal(file_write_atomic(path, "new\0x", 5, 0640, NULL), 0);
	assert_int_equal(file_read(path, 100, &out, NULL), 0);
	assert_int_equal(out.len, 5);
	assert_memory_equal(out.buf, "new\0x", 5);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	assert_int_equal(dir_count(*state), 1); /* no temporary file is left */
}

static void test_write_atomic_keeps_the_open_old_file(void **state)
{
	CLEANUP(free) char *path = xasprintf("%s/a", (char *)*state);
	CLEANUP(fd) int old_fd = -1;
	char text[8] = "";

	write_plain(path, "old");
	old_fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_int_equal(file_write_atomic(path, "new", 3, 0600, NULL), 0);
	assert_int_equal(read(old_fd, text, sizeof(text)), 3);
	assert_string_equal(text, "old"); /* replaced, not written over */
}

static void test_write_atomic_failure_changes_nothing(void **state)
{
	CLEANUP(free) char *dir = xasprintf("%s/d", (char *)*state);
	CLEANUP(free) char *missing = xasprintf("%s/no/a", (char *)*state);
	struct err err = { .code = 0 };

	assert_int_equal(mkdir(dir, 0700), 0);
	assert_int_equal(file_write_atomic(dir, "x", 1, 0600, &err), -ERR_SYSTEM); /* rename */
	assert_int_equal(dir_count(*state), 1);
	assert_int_equal(file_write_atomic(missing, "x", 1, 0600, &err), -ERR_SYSTEM);
	assert_int_equal(err.saved_errno, ENOENT);
	assert_non_null(strstr(err.msg, missing));
}

static void test_write_atomic_relative(void **state)
{
	CLEANUP(fd) int cwd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_int_equal(chdir(*state), 0);
	assert_int_equal(file_write_atomic("a", "x", 1, 0600, NULL), 0);
	assert_true(file_exists("a"));
	assert_int_equal(fchdir(cwd), 0);
}

static void test_write_full_disk(void **state)
{
	CLEANUP(fd) int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);

	(void)state;
	if (fd < 0)
		test_skip("no /dev/full");
	assert_int_equal(file_write_all(fd, "x", 1), -ENOSPC);
}

static void test_make_dirs(void **state)
{
	CLEANUP(free) char *deep = xasprintf("%s/a//b/c/", (char *)*state);
	CLEANUP(free) char *file = xasprintf("%s/f", (char *)*state);
	CLEANUP(free) char *below = xasprintf("%s/f/g", (char *)*state);
	struct err err = { .code = 0 };
	struct stat st;

	assert_int_equal(file_make_dirs(deep, 0750, &err), 0);
	assert_int_equal(stat(deep, &st), 0);
	assert_true(S_ISDIR(st.st_mode));
	assert_int_equal(file_make_dirs(deep, 0750, &err), 0); /* is there already */

	write_plain(file, "");
	assert_int_equal(file_make_dirs(file, 0750, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "not a directory"));
	assert_true(file_make_dirs(below, 0750, &err) < 0);
	assert_true(file_make_dirs("", 0750, &err) < 0);
}

static void test_exists(void **state)
{
	CLEANUP(free) char *path = xasprintf("%s/missing", (char *)*state);

	assert_true(file_exists(*state));
	assert_false(file_exists(path));
}

static void test_lines(void **state)
{
	CLEANUP(free) char *path = xasprintf("%s/attr", (char *)*state);
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	struct err err = { .code = 0 };

	write_plain(path, "[none] mq-deadline\nsecond\n");
	strbuf_add_str(&out, "old");
	assert_int_equal(file_read_line(path, &out, &err), 0);
	assert_string_equal(strbuf_str(&out), "[none] mq-deadline"); /* replaced */

	assert_int_equal(file_write_line(path, "bfq", &err), 0);
	assert_int_equal(file_read_line(path, &out, &err), 0);
	assert_string_equal(strbuf_str(&out), "bfq");

	write_plain(path, "");
	assert_int_equal(file_read_line(path, &out, &err), 0);
	assert_string_equal(strbuf_str(&out), "");
}

static void test_write_line_errors(void **state)
{
	CLEANUP(free) char *path = xasprintf("%s/missing", (char *)*state);
	struct err err = { .code = 0 };

	assert_int_equal(file_write_line(path, "x", &err), -ERR_SYSTEM);
	assert_int_equal(err.saved_errno, ENOENT);
	assert_false(file_exists(path)); /* attributes are never created */
	if (!file_exists("/dev/full"))
		test_skip("no /dev/full");
	assert_int_equal(file_write_line("/dev/full", "bfq", &err), -ERR_SYSTEM);
	assert_int_equal(err.saved_errno, ENOSPC);
	assert_string_equal(err.msg, "write 'bfq' to /dev/full: No space left on device");
}

static void test_read_u64(void **state)
{
	CLEANUP(free) char *path = xasprintf("%s/attr", (char *)*state);
	struct err err = { .code = 0 };
	uint64_t value = 0;

	write_plain(path, "512\n");
	assert_int_equal(file_read_u64(path, &value, &err), 0);
	assert_int_equal(value, 512);
	write_plain(path, "  7 \n");
	assert_int_equal(file_read_u64(path, &value, &err), 0);
	assert_int_equal(value, 7);
	write_plain(path, "many\n");
	assert_int_equal(file_read_u64(path, &value, &err), -ERR_INPUT);
	assert_non_null(strstr(err.msg, "'many' is not a whole number"));
	assert_int_equal(value, 7);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, make_dir, remove_dir)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_read),
		TEST(test_read_large),
		TEST(test_read_without_size),
		TEST(test_read_errors),
		TEST(test_write_atomic),
		TEST(test_write_atomic_keeps_the_open_old_file),
		TEST(test_write_atomic_failure_changes_nothing),
		TEST(test_write_atomic_relative),
		TEST(test_write_full_disk),
		TEST(test_make_dirs),
		TEST(test_exists),
		TEST(test_lines),
		TEST(test_write_line_errors),
		TEST(test_read_u64),
	};

	return cmocka_run_group_tests_name("file", tests, NULL, NULL);
}
