/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include "../test.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "model/result.h"
#include "store/migrate.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The released steps and planted ones after them. */
static struct migration planted[8];

static size_t steps_plant(const char *const *more, size_t nr_more)
{
	size_t nr;
	const struct migration *table = migration_table(&nr);

	assert_true(nr + nr_more <= sizeof(planted) / sizeof(planted[0]));
	for (size_t i = 0; i < nr; i++)
		planted[i] = table[i];
	for (size_t i = 0; i < nr_more; i++)
		planted[nr + i] = (struct migration){ .sql = more[i] };
	return nr + nr_more;
}

static void store_fill(const char *path)
{
	struct store *store = fixture_open(path);
	struct store_place place = { .experiment = fixture_begin(store), .label = "A", .used = 1 };

	(void)fixture_put(store, &place, 1);
	(void)fixture_put(store, &place, 2);
	store_close(store);
}

static void open_with(const char *path, size_t nr)
{
	struct store *store = NULL;
	struct err err = { 0 };

	if (store_open_steps(path, planted, nr, &store, &err) != 0)
		fail_msg("%s", err.msg);
	store_close(store);
}

static void test_steps_in_order(void **state)
{
	struct fixture *fixture = *state;
	static const char *const more[] = {
		"ALTER TABLE run ADD COLUMN host TEXT NOT NULL DEFAULT 'here'",
		"CREATE TABLE host (name TEXT); INSERT INTO host SELECT DISTINCT host FROM run",
	};
	size_t nr = steps_plant(more, 2);

	store_fill(fixture->path);
	open_with(fixture->path, nr);
	assert_int_equal(fixture_query(fixture->path, "PRAGMA user_version"), nr);
	assert_int_equal(
		fixture_query(fixture->path, "SELECT count(*) FROM run WHERE host = 'here'"), 2);
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM host"), 1);
	open_with(fixture->path, nr); /* and not a second time */
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM host"), 1);
}

/* A new file goes through the same steps. */
static void test_new_file(void **state)
{
	struct fixture *fixture = *state;
	static const char *const more[] = { "CREATE TABLE host (name TEXT)" };
	size_t nr = steps_plant(more, 1);

	open_with(fixture->path, nr);
	assert_int_equal(fixture_query(fixture->path, "PRAGMA user_version"), nr);
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM host"), 0);
}

static void check_fails(const char *path, const char *const *more, size_t nr_more, const char *what)
{
	size_t nr = steps_plant(more, nr_more);
	struct store *store = NULL;
	struct err err = { 0 };

	assert_int_equal(store_open_steps(path, planted, nr, &store, &err), -ERR_INPUT);
	if (!strstr(err.msg, what))
		fail_msg("'%s' does not say '%s'", err.msg, what);
}

static void test_failing_step_changes_nothing(void **state)
{
	struct fixture *fixture = *state;
	static const char *const more[] = { "DELETE FROM note", "DELETE FROM no_such_table" };
	static const char *const orphans[] = { "DELETE FROM run WHERE id = 1" };

	store_fill(fixture->path);
	check_fails(fixture->path, more, 2, "no such table: no_such_table");
	check_fails(fixture->path, orphans, 1, "lost what they belong to");
	assert_int_equal(fixture_query(fixture->path, "PRAGMA user_version"), 4);
	assert_int_equal(fixture_check(fixture->path), 2);
}

/* A step that rebuilds a table others refer to keeps their rows. */
static void test_rebuilt_table(void **state)
{
	struct fixture *fixture = *state;
	static const char *const more[] = {
		"CREATE TABLE new (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
		"INSERT INTO new SELECT id, name FROM metric_name;"
		"DROP TABLE metric_name; ALTER TABLE new RENAME TO metric_name",
	};
	size_t nr = steps_plant(more, 1);
	int64_t nr_values;

	store_fill(fixture->path);
	nr_values = fixture_query(fixture->path, "SELECT count(*) FROM metric_value");
	open_with(fixture->path, nr);
	assert_true(nr_values > 0);
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM metric_value "
						      "JOIN metric_name ON metric_id = id"),
			 nr_values);
}

/* Several processes open an old store, or none at all, at the same moment. */
static void test_race(void **state)
{
	struct fixture *fixture = *state;
	static const char *const more[] = { "CREATE TABLE host (name TEXT);"
					    "INSERT INTO host VALUES ('once')" };
	size_t nr = steps_plant(more, 1);
	int start[2];

	assert_int_equal(pipe(start), 0);
	for (int i = 0; i < 6; i++) {
		if (fork() == 0) {
			struct store *store = NULL;
			char byte;

			close(start[1]);
			(void)!read(start[0], &byte, 1); /* until the parent closes its end */
			if (store_open_steps(fixture->path, planted, nr, &store, NULL) != 0)
				_exit(1);
			store_close(store);
			_exit(0);
		}
	}
	close(start[0]);
	close(start[1]);
	for (int i = 0; i < 6; i++) {
		int status;

		assert_true(wait(&status) > 0);
		assert_int_equal(status, 0);
	}
	assert_int_equal(fixture_query(fixture->path, "SELECT count(*) FROM host"), 1);
}

/* What every stored file of tests/data/store holds, whatever this version would store today. */
static void check_old_results(const char *path)
{
	struct store *store = fixture_open(path);
	CLEANUP(free) double *values = NULL;
	size_t nr = 0;

	assert_int_equal(store_metric_values(store, &(struct store_sample){ .experiment = 1 },
					     "read.total_ios", &values, &nr, NULL),
			 0);
	assert_int_equal(nr, 2);
	assert_true(values[0] == 2002 && values[1] == 2004);
	for (unsigned i = 1; i <= 2; i++) {
		CLEANUP(result) struct result result = { .label = NULL };
		struct err err = { 0 };

		if (store_get_result(store, i, &result, &err) != 0)
			fail_msg("%s", err.msg);
		assert_true(result.seed == UINT64_MAX - i);
		assert_int_equal(result.nr_jobs, 2);
		assert_int_equal(result.jobs[1].dir[IO_READ].total_ios, 1000 + i);
		assert_int_equal(result.nr_env, 2);
		assert_int_equal(fixture_query(path, "SELECT count(*) FROM env"), 4);
		assert_int_equal(result.notes.nr, 1);
	}
	store_close(store);
}

/* Stores as released, kept as SQL text: every version must open and give its results back. */
static void test_old_versions(void **state)
{
	struct fixture *fixture = *state;
	const char *root = getenv("REGIO_SOURCE_ROOT");
	size_t nr_versions;

	assert_non_null(root);
	(void)migration_table(&nr_versions);
	for (size_t version = 1; version <= nr_versions; version++) {
		CLEANUP(free)
		char *source = xasprintf("%s/tests/data/store/v%zu.sql", root, version);
		CLEANUP(free) char *path = xasprintf("%s/v%zu.db", fixture->dir, version);
		CLEANUP(strbuf) struct strbuf sql = STRBUF_INIT;
		struct err err = { 0 };

		if (file_read(source, 1 << 20, &sql, &err) != 0)
			fail_msg("%s", err.msg);
		fixture_exec(path, strbuf_str(&sql));
		assert_int_equal(fixture_query(path, "PRAGMA user_version"), version);
		check_old_results(path);
		assert_int_equal(fixture_query(path, "PRAGMA user_version"), nr_versions);
		assert_int_equal(fixture_query(path, "SELECT count(*) FROM pragma_integrity_check "
						     "WHERE integrity_check <> 'ok'"),
				 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_steps_in_order, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_new_file, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_failing_step_changes_nothing, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_rebuilt_table, fixture_setup,
						fixture_teardown),
		cmocka_unit_test_setup_teardown(test_race, fixture_setup, fixture_teardown),
		cmocka_unit_test_setup_teardown(test_old_versions, fixture_setup, fixture_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
