/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STORE_QUERY_H
#define REGIO_STORE_QUERY_H

/* Private to src/store; the rest of query.c is declared in store.h. */

struct err;
struct sqlite3_stmt;
struct store;
struct store_sample;

#define QUERY_WHAT "read from it"

/*
 * Prepares `select`, which ends in a WHERE clause on the table run, with the conditions and the
 * order of a sample. It binds ?1 and ?2; the text may use more.
 */
int sample_prepare(struct store *store, const struct store_sample *sample, const char *select,
		   struct sqlite3_stmt **ret_stmt, struct err *err);

#endif
