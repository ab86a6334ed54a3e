/* SPDX-License-Identifier: GPL-2.0-or-later */
/* store: where the store is, opening and closing it. Rows are left to put.c and query.c. */
#include "store/store.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "store/db.h"
#include "store/migrate.h"
#include "store/put.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STORE_DIR_MODE 0700 /* results name devices, files and commands of their owner */
#define STORE_WAL_RETRY_NS 10000000u

/* NULL when the variable is unset or empty. */
static const char *env_get(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

char *store_path_resolve(const char *path, struct err *err)
{
	const char *store_path = env_get("REGIO_STORE");
	const char *data_home = env_get("XDG_DATA_HOME");
	const char *home = env_get("HOME");
	const struct passwd *user;

	if (path)
		return xstrdup(path);
	if (store_path)
		return xstrdup(store_path);
	/* The XDG base directory specification: a relative path is to be ignored. */
	if (data_home && data_home[0] == '/')
		return xasprintf("%s/regio/regio.db", data_home);
	if (!home) {
		user = getpwuid(getuid());
		home = user ? user->pw_dir : NULL;
	}
	if (home)
		return xasprintf("%s/.local/share/regio/regio.db", home);
	(void)err_set(err, ERR_USAGE, "no home directory for the store; name one with --store");
	return NULL;
}

static int parent_make(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	CLEANUP(free) char *dir = NULL;
	int ret;

	if (!slash || slash == path)
		return 0;
	dir = xstrndup(path, (size_t)(slash - path));
	ret = file_make_dirs(dir, STORE_DIR_MODE, err);
	return ret < 0 ? err_prefix(err, "store '%s'", path) : 0;
}

/* Refuses what sqlite3 would read from or wait for, without opening it. */
static int file_check(const char *path, struct err *err)
{
	struct stat st;

	if (*path == '\0')
		return err_set(err, ERR_USAGE, "the path of the store is empty");
	if (stat(path, &st) < 0) {
		if (errno == ENOENT)
			return parent_make(path, err);
		return err_set_errno(err, "store '%s'", path);
	}
	if (S_ISDIR(st.st_mode))
		return err_set(err, ERR_INPUT, "store '%s' is a directory; name a file", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_INPUT, "store '%s' is not a regular file", path);
	return 0;
}

static int connection_open(struct store *store, struct err *err)
{
	/* sqlite3 gives ":memory:" and the like a meaning; a path that starts with / or . is a path. */
	CLEANUP(free)
	char *path = xasprintf("%s%s", store->path[0] == '/' ? "" : "./", store->path);
	int rc =
		sqlite3_open_v2(path, &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);

	if (rc != SQLITE_OK)
		return db_fail(store, rc, "open it", err);
	if (sqlite3_db_readonly(store->db, "main") == 1)
		return db_fail(store, SQLITE_READONLY, "open it for writing", err);
	(void)sqlite3_busy_timeout(store->db, DB_BUSY_TIMEOUT_MS); /* cannot fail */
	/* Files come from other people too: their schema must not run anything. */
	(void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	return db_exec(store, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON", "open it",
		       err);
}

/*
 * WAL: readers and one writer do not disturb each other, and a commit is one append. Switching
 * needs the file alone and sqlite3 does not wait for that itself. Where the filesystem cannot do
 * WAL the file keeps its rollback journal, which is as safe.
 */
static int wal_enable(struct store *store, struct err *err)
{
	uint64_t deadline_ns = clock_now_ns() + (uint64_t)DB_BUSY_TIMEOUT_MS * 1000000u;
	int rc;

	for (;;) {
		rc = sqlite3_exec(store->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
		if ((rc & 0xff) != SQLITE_BUSY || clock_now_ns() >= deadline_ns)
			break;
		(void)clock_sleep_until_ns(clock_now_ns() + STORE_WAL_RETRY_NS); /* woken: retry */
	}
	if (rc != SQLITE_OK)
		return db_fail(store, rc, "open it", err);
	/* FULL: one fsync for each result. It is taken when no job runs, and a tool for finding
	 * kernel bugs should expect the kernel to crash. */
	return db_exec(store, "PRAGMA synchronous = FULL", "open it", err);
}

int store_open_steps(const char *path, const struct migration *steps, size_t nr_steps,
		     struct store **ret_store, struct err *err)
{
	struct store *store = xcalloc(1, sizeof(*store));
	int64_t version = 0;
	int ret;

	store->lock_fd = -1;
	store->path = store_path_resolve(path, err);
	ret = store->path ? file_check(store->path, err) : -ERR_USAGE;
	if (ret == 0)
		ret = connection_open(store, err);
	if (ret == 0)
		ret = migrate_check(store, nr_steps, &version, err); /* before the first change */
	if (ret == 0)
		ret = wal_enable(store, err);
	if (ret == 0)
		ret = migrate_run(store, steps, nr_steps, err);
	if (ret == 0)
		ret = db_exec(store, "PRAGMA foreign_keys = ON", "open it", err);
	if (ret < 0) {
		store_close(store);
		return ret;
	}
	*ret_store = store;
	return 0;
}

int store_open(const char *path, struct store **ret_store, struct err *err)
{
	size_t nr_steps;
	const struct migration *steps = migration_table(&nr_steps);
	struct store *store;
	int ret = store_open_steps(path, steps, nr_steps, &store, err);

	if (ret < 0)
		return ret;
	ret = put_prepare(store, err);
	if (ret < 0) {
		store_close(store);
		return ret;
	}
	*ret_store = store;
	return 0;
}

const char *store_path(const struct store *store)
{
	return store->path;
}

void store_close(struct store *store)
{
	if (!store)
		return;
	for (size_t i = 0; i < DB_NR_PREPARED; i++)
		db_finalize(store->prepared[i]);
	(void)sqlite3_close(store->db); /* every result is committed already */
	cleanup_fd(&store->lock_fd);
	free(store->path);
	free(store);
}
