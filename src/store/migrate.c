/* SPDX-License-Identifier: GPL-2.0-or-later */
/* migrate: recognises a regio store and brings older versions up to date. */
#include "store/migrate.h"

#include "base/arena.h"
#include "base/err.h"
#include "store/db.h"

/* "REGI", in the header of the file: tells a store from other SQLite files. */
#define MIGRATE_APPLICATION_ID 0x52454749

const struct migration *migration_table(size_t *ret_nr)
{
	static const struct migration table[] = {
		{ (const char *)store_schema_sql },
		{ (const char *)store_schema_2_sql },
		{ (const char *)store_schema_3_sql },
		{ (const char *)store_schema_4_sql },
	};

	*ret_nr = sizeof(table) / sizeof(table[0]);
	return table;
}

struct stamp {
	int64_t application_id;
	int64_t version;
	int64_t nr_objects; /* tables and the like */
};

static int stamp_read(struct store *store, struct stamp *ret_stamp, struct err *err)
{
	struct stamp stamp = { .version = 0 };
	int ret;

	ret = db_query_int64(store, "PRAGMA application_id", "open it", &stamp.application_id, err);
	if (ret == 0)
		ret = db_query_int64(store, "PRAGMA user_version", "open it", &stamp.version, err);
	if (ret == 0)
		ret = db_query_int64(store, "SELECT count(*) FROM sqlite_schema", "open it",
				     &stamp.nr_objects, err);
	if (ret == 0)
		*ret_stamp = stamp;
	return ret;
}

int migrate_check(struct store *store, size_t nr, int64_t *ret_version, struct err *err)
{
	struct stamp stamp = { .version = 0 };
	/* One transaction, because another process may just be making the store; it nests. */
	int ret = db_exec(store, "SAVEPOINT migrate_check", "open it", err);

	if (ret < 0)
		return ret;
	ret = stamp_read(store, &stamp, err);
	(void)db_exec(store, "RELEASE migrate_check", "open it", NULL); /* nothing was written */
	if (ret < 0)
		return ret;
	if (stamp.application_id != MIGRATE_APPLICATION_ID &&
	    (stamp.nr_objects > 0 || stamp.version != 0))
		return err_set(err, ERR_INPUT, "store '%s' is a database of another program",
			       store->path);
	if (stamp.version < 0 || (uint64_t)stamp.version > nr)
		return err_set(err, ERR_INPUT,
			       "store '%s' has version %lld, this regio knows versions up to %zu; "
			       "use a newer regio or another --store",
			       store->path, (long long)stamp.version, nr);
	*ret_version = stamp.version;
	return 0;
}

/* Inside the transaction. */
static int migrate_steps(struct store *store, const struct migration *steps, size_t nr,
			 struct err *err)
{
	CLEANUP(free)
	char *stamp = xasprintf("PRAGMA application_id = %d; PRAGMA user_version = %zu",
				MIGRATE_APPLICATION_ID, nr);
	int64_t version = 0;
	int64_t nr_orphans;
	int ret = migrate_check(store, nr, &version, err);

	/* Another process may have been faster. */
	for (size_t i = (size_t)version; ret == 0 && i < nr; i++)
		ret = db_exec(store, steps[i].sql, "bring it to this version", err);
	if (ret == 0)
		ret = db_exec(store, stamp, "bring it to this version", err);
	if (ret == 0)
		ret = db_query_int64(store, "SELECT count(*) FROM pragma_foreign_key_check",
				     "check it", &nr_orphans, err);
	if (ret == 0 && nr_orphans > 0)
		return err_set(
			err, ERR_INPUT,
			"store '%s': cannot bring it to version %zu: %lld rows would have lost "
			"what they belong to",
			store->path, nr, (long long)nr_orphans);
	return ret;
}

int migrate_run(struct store *store, const struct migration *steps, size_t nr, struct err *err)
{
	int64_t version = 0;
	int ret = migrate_check(store, nr, &version, err);

	if (ret < 0 || (uint64_t)version == nr)
		return ret;
	/* A step may rebuild a table that others refer to; off before the transaction. */
	ret = db_exec(store, "PRAGMA foreign_keys = OFF", "open it", err);
	if (ret == 0)
		ret = db_begin_write(store, "bring it to this version", err);
	if (ret < 0)
		return ret;
	ret = migrate_steps(store, steps, nr, err);
	return db_end(store, ret, "bring it to this version", err);
}
