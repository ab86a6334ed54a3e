/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STORE_DB_H
#define REGIO_STORE_DB_H

/*
 * Private to src/store: one connection and the few calls of sqlite3 that the folder needs, each
 * with its failure turned into a struct err. `what` completes "cannot ..": "open it",
 * "keep the result".
 */

#include "base/cleanup.h"

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct store;

/* Statements that are prepared once, when the store is opened; their text is in put.c. */
enum db_prepared {
	DB_PUT_RUN,
	DB_PUT_ARCHIVE,
	DB_PUT_METRIC,
	DB_PUT_METRIC_NAME,
	DB_PUT_HISTOGRAM,
	DB_FIND_ENV_SET,
	DB_PUT_ENV_SET,
	DB_PUT_ENV_FACT,
	DB_PUT_ATTACHMENT,
	DB_PUT_SETTING,
	DB_PUT_NOTE,
	DB_NR_PREPARED,
};

struct store {
	sqlite3 *db;
	char *path;
	sqlite3_stmt *prepared[DB_NR_PREPARED];
	int is_batch; /* one transaction around several results */
	int lock_fd;  /* of PATH-lock; -1 = no plan is ours */
};

/* Writers wait so long for another process's transaction, which takes milliseconds. */
#define DB_BUSY_TIMEOUT_MS 30000

/* Explains the last failure of the connection, which returned `rc`. Returns -ERR_x. */
int db_fail(const struct store *store, int rc, const char *what, struct err *err);

int db_exec(struct store *store, const char *sql, const char *what, struct err *err);
int db_prepare(struct store *store, const char *sql, const char *what, sqlite3_stmt **ret_stmt,
	       struct err *err);
/* 1 = a row is there, 0 = done, negative = error. */
int db_step(struct store *store, sqlite3_stmt *stmt, const char *what, struct err *err);
/* Runs a statement that yields no rows and makes it ready for the next values. */
int db_run(struct store *store, sqlite3_stmt *stmt, const char *what, struct err *err);
/* First column of the first row of a query, as a number. */
int db_query_int64(struct store *store, const char *sql, const char *what, int64_t *ret_value,
		   struct err *err);

/* NULL binds NULL. The text must live until the statement ran. */
void db_bind_text(sqlite3_stmt *stmt, int index, const char *text);
/* A new string, never NULL: NULL columns give "". */
char *db_column_text(sqlite3_stmt *stmt, int index);

static inline void db_finalize(sqlite3_stmt *stmt)
{
	(void)sqlite3_finalize(stmt); /* repeats the error of the last step */
}
CLEANUP_DEFINE_PTR(stmt, sqlite3_stmt, db_finalize)

/*
 * Takes the write lock at once, so that a transaction cannot fail for it halfway. Inside a batch
 * both do nothing, as the batch ends as a whole.
 */
int db_begin_write(struct store *store, const char *what, struct err *err);
/* Commits when ret is 0 and rolls back otherwise; returns ret or the error of the commit. */
int db_end(struct store *store, int ret, const char *what, struct err *err);

#endif
