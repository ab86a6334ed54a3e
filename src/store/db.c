/* SPDX-License-Identifier: GPL-2.0-or-later */
/* db: calls of sqlite3 with errors in words. What is stored is left to put.c and query.c. */
#include "store/db.h"

#include "base/arena.h"
#include "base/err.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>

struct failure {
	int rc; /* primary result code of sqlite3 */
	enum err_code code;
	const char *text;
};

static const struct failure failures[] = {
	{ SQLITE_BUSY, ERR_SYSTEM, "another program holds it locked" },
	{ SQLITE_LOCKED, ERR_SYSTEM, "another program holds it locked" },
	{ SQLITE_READONLY, ERR_SYSTEM, "it is read-only" },
	{ SQLITE_NOMEM, ERR_SYSTEM, "out of memory" },
	{ SQLITE_FULL, ERR_SYSTEM, NULL },
	{ SQLITE_CANTOPEN, ERR_SYSTEM, NULL },
	{ SQLITE_PERM, ERR_SYSTEM, NULL },
	{ SQLITE_IOERR, ERR_SYSTEM, NULL },
	{ SQLITE_PROTOCOL, ERR_SYSTEM, NULL },
	{ SQLITE_NOTADB, ERR_INPUT, "it is not a regio store" },
	{ SQLITE_CORRUPT, ERR_INPUT, "the file is damaged" },
	{ SQLITE_CONSTRAINT, ERR_INPUT, NULL },
	{ SQLITE_TOOBIG, ERR_INPUT, NULL },
	/* All statements are correct for an intact schema. */
	{ SQLITE_ERROR, ERR_INPUT, "the file is damaged" },
	{ SQLITE_SCHEMA, ERR_INPUT, "the file is damaged" },
	{ SQLITE_MISMATCH, ERR_INPUT, "the file is damaged" },
};

static const struct failure *failure_find(int rc)
{
	static const struct failure unknown = { 0, ERR_SYSTEM, NULL };

	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		if (failures[i].rc == (rc & 0xff))
			return &failures[i];
	}
	return &unknown;
}

/* What sqlite3 says may quote the file, and a message is one line. */
static void detail_copy(const struct store *store, char *buf, size_t len)
{
	(void)snprintf(buf, len, "%s", sqlite3_errmsg(store->db));
	for (; *buf; buf++) {
		if (iscntrl((unsigned char)*buf))
			*buf = '?';
	}
}

/* errno of the system call that failed; 0 when it was none. */
static int failure_errno(const struct store *store, const struct failure *failure)
{
	if (failure->rc == SQLITE_FULL)
		return ENOSPC;
	return failure->text ? 0 : sqlite3_system_errno(store->db);
}

int db_fail(const struct store *store, int rc, const char *what, struct err *err)
{
	const struct failure *failure = failure_find(rc);
	char detail[ERR_MSG_LEN];

	errno = failure_errno(store, failure);
	if (failure->code == ERR_SYSTEM && errno != 0)
		return err_set_errno(err, "store '%s': cannot %s", store->path, what);
	detail_copy(store, detail, sizeof(detail));
	if (!failure->text)
		return err_set(err, failure->code, "store '%s': cannot %s: %s", store->path, what,
			       detail);
	if (failure->code == ERR_INPUT)
		return err_set(err, ERR_INPUT, "store '%s': cannot %s: %s (%s)", store->path, what,
			       failure->text, detail);
	return err_set(err, failure->code, "store '%s': cannot %s: %s", store->path, what,
		       failure->text);
}

int db_exec(struct store *store, const char *sql, const char *what, struct err *err)
{
	int rc = sqlite3_exec(store->db, sql, NULL, NULL, NULL);

	return rc == SQLITE_OK ? 0 : db_fail(store, rc, what, err);
}

int db_prepare(struct store *store, const char *sql, const char *what, sqlite3_stmt **ret_stmt,
	       struct err *err)
{
	sqlite3_stmt *stmt = NULL;
	int rc = sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &stmt, NULL);

	if (rc != SQLITE_OK)
		return db_fail(store, rc, what, err);
	*ret_stmt = stmt;
	return 0;
}

int db_step(struct store *store, sqlite3_stmt *stmt, const char *what, struct err *err)
{
	int rc = sqlite3_step(stmt);

	if (rc == SQLITE_ROW)
		return 1;
	if (rc == SQLITE_DONE)
		return 0;
	return db_fail(store, rc, what, err);
}

int db_run(struct store *store, sqlite3_stmt *stmt, const char *what, struct err *err)
{
	int ret = db_step(store, stmt, what, err);

	(void)sqlite3_reset(stmt); /* repeats the error of the step */
	(void)sqlite3_clear_bindings(stmt);
	return ret;
}

int db_query_int64(struct store *store, const char *sql, const char *what, int64_t *ret_value,
		   struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	int ret = db_prepare(store, sql, what, &stmt, err);

	if (ret == 0)
		ret = db_step(store, stmt, what, err);
	if (ret < 0)
		return ret;
	*ret_value = ret == 1 ? sqlite3_column_int64(stmt, 0) : 0;
	return 0;
}

void db_bind_text(sqlite3_stmt *stmt, int index, const char *text)
{
	/* Fails only for a wrong index or out of memory, which the step reports. */
	(void)sqlite3_bind_text(stmt, index, text, -1, SQLITE_STATIC);
}

char *db_column_text(sqlite3_stmt *stmt, int index)
{
	const char *text = (const char *)sqlite3_column_text(stmt, index);

	return xstrdup(text ? text : "");
}

int db_begin_write(struct store *store, const char *what, struct err *err)
{
	if (store->is_batch)
		return 0;
	return db_exec(store, "BEGIN IMMEDIATE", what, err);
}

int db_end(struct store *store, int ret, const char *what, struct err *err)
{
	if (store->is_batch)
		return ret;
	if (ret >= 0)
		ret = db_exec(store, "COMMIT", what, err);
	/* A full disk may have ended the transaction already; then this says so and is right. */
	if (ret < 0 && !sqlite3_get_autocommit(store->db))
		(void)sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	return ret;
}
