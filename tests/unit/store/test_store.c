/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include "../test.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void check_path(const char *path, const char *want)
{
	CLEANUP(free) char *got = store_path_resolve(path, NULL);

	assert_non_null(got);
	assert_string_equal(got, want);
}

static void test_path_order(void **state)
{
	(void)state;
	assert_int_equal(setenv("REGIO_STORE", "/s/own.db", 1), 0);
	assert_int_equal(setenv("XDG_DATA_HOME", "/data", 1), 0);
	assert_int_equal(setenv("HOME", "/home/u", 1), 0);
	check_path("/x/y.db", "/x/y.db");
	check_path(NULL, "/s/own.db");
	assert_int_equal(setenv("REGIO_STORE", "", 1), 0);
	check_path(NULL, "/data/regio/regio.db");
	assert_int_equal(setenv("XDG_DATA_HOME", "not/absolute", 1), 0);
	check_path(NULL, "/home/u/.local/share/regio/regio.db");
	assert_int_equal(unsetenv("XDG_DATA_HOME"), 0);
	check_path(NULL, "/home/u/.local/share/regio/regio.db");
}

static void test_creates_directories(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(free) char *path = xasprintf("%s/a/b/regio.db", fixture->dir);
	struct store *store = fixture_open(path);
	struct stat st;

	assert_string_equal(store_path(store), path);
	store_close(store);
	assert_int_equal(stat(fixture_file(fixture, "a"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(stat(fixture_file(fixture, "a/b"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(fixture_query(path, "PRAGMA user_version"), 4);
}

static void test_settings_of_the_file(void **state)
{
	struct fixture *fixture = *state;

	store_close(fixture_open(fixture->path));
	assert_int_equal(fixture_query(fixture->path, "SELECT journal_mode = 'wal' "
						      "FROM pragma_journal_mode"),
			 1);
	assert_int_equal(fixture_query(fixture->path, "PRAGMA application_id"), 0x52454749);
}

/* sqlite3 itself would keep such a store in memory only. */
static void test_memory_is_a_file_name(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(chdir(fixture->dir), 0);
	store_close(fixture_open(":memory:"));
	assert_true(file_exists(fixture_file(fixture, ":memory:")));
	assert_int_equal(chdir("/"), 0);
}

static void check_refused(const char *path, int code, const char *what)
{
	struct store *store = NULL;
	struct err err = { 0 };

	assert_int_equal(store_open(path, &store, &err), -code);
	assert_null(store);
	if (!strstr(err.msg, what) || strchr(err.msg, '\n'))
		fail_msg("'%s' does not say '%s'", err.msg, what);
	if (*path && !strstr(err.msg, path))
		fail_msg("'%s' does not name '%s'", err.msg, path);
}

static void test_bad_paths(void **state)
{
	struct fixture *fixture = *state;

	check_refused("", ERR_USAGE, "empty");
	check_refused(fixture->dir, ERR_INPUT, "is a directory");
	check_refused("/dev/null", ERR_INPUT, "not a regular file");
	assert_int_equal(mkfifo(fixture_file(fixture, "fifo"), 0600), 0);
	check_refused(fixture_file(fixture, "fifo"), ERR_INPUT, "not a regular file");
	assert_int_equal(symlink("nowhere/x", fixture_file(fixture, "link")), 0);
	check_refused(fixture_file(fixture, "link"), ERR_SYSTEM, "No such file");
	check_refused("/proc/regio/regio.db", ERR_SYSTEM, "create");
	assert_int_equal(file_write_atomic(fixture->path, "x", 1, 0600, NULL), 0);
	check_refused(fixture_file(fixture, "regio.db/x.db"), ERR_SYSTEM, "Not a directory");
}

/* The file is refused and not a byte of it is changed. */
static void check_untouched(const char *path, int code, const char *what)
{
	CLEANUP(strbuf) struct strbuf before = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf after = STRBUF_INIT;

	assert_int_equal(file_read(path, 1 << 20, &before, NULL), 0);
	check_refused(path, code, what);
	assert_int_equal(file_read(path, 1 << 20, &after, NULL), 0);
	assert_int_equal(before.len, after.len);
	assert_memory_equal(strbuf_str(&before), strbuf_str(&after), before.len);
}

static void test_not_a_store(void **state)
{
	struct fixture *fixture = *state;
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	strbuf_add_repeat(&text, 'x', 5000);
	assert_int_equal(file_write_atomic(fixture->path, text.buf, text.len, 0600, NULL), 0);
	check_untouched(fixture->path, ERR_INPUT, "not a regio store");
	assert_int_equal(file_write_atomic(fixture->path, "[job]\n", 6, 0600, NULL), 0);
	check_untouched(fixture->path, ERR_INPUT, "not a regio store");
}

static void test_other_database(void **state)
{
	struct fixture *fixture = *state;

	fixture_exec(fixture->path, "CREATE TABLE bookmark (url TEXT)");
	check_untouched(fixture->path, ERR_INPUT, "database of another program");
	fixture_exec(fixture->path, "PRAGMA user_version = 1");
	check_untouched(fixture->path, ERR_INPUT, "database of another program");
}

static void test_newer_version(void **state)
{
	struct fixture *fixture = *state;

	store_close(fixture_open(fixture->path));
	fixture_exec(fixture->path, "PRAGMA journal_mode = DELETE; PRAGMA user_version = 99");
	check_untouched(fixture->path, ERR_INPUT,
			"has version 99, this regio knows versions up to 4");
	fixture_exec(fixture->path, "PRAGMA user_version = -1");
	check_untouched(fixture->path, ERR_INPUT, "has version -1");
}

/* Claims to be a store, but a table is gone: found when opened, not when a result is there. */
static void test_missing_table(void **state)
{
	struct fixture *fixture = *state;

	store_close(fixture_open(fixture->path));
	fixture_exec(fixture->path, "DROP TABLE note");
	check_refused(fixture->path, ERR_INPUT, "damaged (no such table: note)");
}

static void test_empty_file_becomes_a_store(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(file_write_atomic(fixture->path, "", 0, 0600, NULL), 0);
	store_close(fixture_open(fixture->path));
	assert_int_equal(fixture_check(fixture->path), 0);
}

/* Root may write anything, so root looks at its own file as somebody else. */
static void test_read_only(void **state)
{
	struct fixture *fixture = *state;
	struct store *store = fixture_open(fixture->path);
	struct store_place place = { .experiment = fixture_begin(store), .label = "A", .used = 1 };

	(void)fixture_put(store, &place, 1);
	store_close(store);
	assert_int_equal(chmod(fixture->dir, 0755), 0);
	assert_int_equal(chmod(fixture->path, 0444), 0);
	if (geteuid() == 0 && seteuid(65534) != 0)
		test_skip("may not become another user");
	check_refused(fixture->path, ERR_SYSTEM, "read-only");
	if (getuid() == 0)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(chmod(fixture->path, 0644), 0);
	assert_int_equal(fixture_check(fixture->path), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_path_order),
		cmocka_unit_test_setup_teardown(test_creates_directories, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_settings_of_the_file, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_memory_is_a_file_name, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_bad_paths, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_not_a_store, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_other_database, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_newer_version, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_missing_table, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_empty_file_becomes_a_store, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_read_only, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
