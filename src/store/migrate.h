/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STORE_MIGRATE_H
#define REGIO_STORE_MIGRATE_H

/*
 * Private to src/store. The version of a store is its PRAGMA user_version; an empty file has
 * version 0. Row n of a table of steps is the SQL that makes version n + 1 out of version n. All
 * missing steps are one transaction: a store has its old version or the newest, nothing between.
 *
 * Adding version n + 1: one SQL file, one row in migrate.c, and a dump of version n in
 * tests/data/store/, which must open for ever.
 */

#include <stddef.h>
#include <stdint.h>

struct err;
struct store;

struct migration {
	const char *sql;
};

/* schema.sql and the steps after it, embedded by the build. */
extern const unsigned char store_schema_sql[];
extern const unsigned char store_schema_2_sql[];
extern const unsigned char store_schema_3_sql[];
extern const unsigned char store_schema_4_sql[];

/* The steps up to this program's version. */
const struct migration *migration_table(size_t *ret_nr);

/*
 * Changes nothing. Version of the file; -ERR_INPUT when it belongs to another program or comes
 * from a newer regio than one that knows nr versions.
 */
int migrate_check(struct store *store, size_t nr, int64_t *ret_version, struct err *err);

/* Brings the file to version nr; does nothing when it has it. Several processes may try at once. */
int migrate_run(struct store *store, const struct migration *steps, size_t nr, struct err *err);

/* store_open with another table of steps, for tests; the store cannot be put to. */
int store_open_steps(const char *path, const struct migration *steps, size_t nr_steps,
		     struct store **ret_store, struct err *err);

#endif
