/* SPDX-License-Identifier: GPL-2.0-or-later */
/* environment: facts and attachments, each different one once. */
#include "store/environment.h"

#include <sha256.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/result.h"
#include "store/db.h"
#include "store/put.h"
#include "store/query.h"
#include "store/store.h"

static void digest_of(const struct result *result, char digest[SHA256_DIGEST_STRING_LENGTH])
{
	SHA2_CTX context;

	SHA256Init(&context);
	for (size_t i = 0; i < result->nr_env; i++) {
		const struct result_pair *pair = &result->env[i];

		/* the terminators keep "a", "bc" and "ab", "c" apart */
		SHA256Update(&context, (const uint8_t *)pair->key, strlen(pair->key) + 1);
		SHA256Update(&context, (const uint8_t *)pair->value, strlen(pair->value) + 1);
	}
	(void)SHA256End(&context, digest);
}

static int put_facts(struct store *store, int64_t set, const struct result *result, struct err *err)
{
	sqlite3_stmt *stmt = store->prepared[DB_PUT_ENV_FACT];
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < result->nr_env; i++) {
		(void)sqlite3_bind_int64(stmt, 1, set);
		(void)sqlite3_bind_int64(stmt, 2, (int64_t)i);
		db_bind_text(stmt, 3, result->env[i].key);
		db_bind_text(stmt, 4, result->env[i].value);
		ret = db_run(store, stmt, PUT_WHAT, err);
	}
	return ret;
}

static int put_attachments(struct store *store, const struct result *result, struct err *err)
{
	sqlite3_stmt *stmt = store->prepared[DB_PUT_ATTACHMENT];
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < result->nr_attachments; i++) {
		const struct result_pair *pair = &result->attachments[i];
		char digest[SHA256_DIGEST_STRING_LENGTH];

		(void)SHA256Data((const uint8_t *)pair->value, strlen(pair->value), digest);
		db_bind_text(stmt, 1, pair->key);
		db_bind_text(stmt, 2, digest);
		db_bind_text(stmt, 3, pair->value);
		ret = db_run(store, stmt, PUT_WHAT, err);
	}
	return ret;
}

/* Sets *ret_set to 0 if there is none of that digest. */
static int find_set(struct store *store, const char *digest, int64_t *ret_set, struct err *err)
{
	sqlite3_stmt *stmt = store->prepared[DB_FIND_ENV_SET];
	int ret;

	db_bind_text(stmt, 1, digest);
	ret = db_step(store, stmt, PUT_WHAT, err);
	if (ret >= 0)
		*ret_set = ret == 1 ? sqlite3_column_int64(stmt, 0) : 0;
	(void)sqlite3_reset(stmt);
	return ret < 0 ? ret : 0;
}

int environment_put(struct store *store, const struct result *result, int64_t *ret_set,
		    struct err *err)
{
	char digest[SHA256_DIGEST_STRING_LENGTH];
	int64_t set = 0;
	int ret = put_attachments(store, result, err);

	if (ret == 0 && result->nr_env) {
		digest_of(result, digest);
		ret = find_set(store, digest, &set, err);
	}
	if (ret == 0 && result->nr_env && !set) {
		db_bind_text(store->prepared[DB_PUT_ENV_SET], 1, digest);
		ret = db_run(store, store->prepared[DB_PUT_ENV_SET], PUT_WHAT, err);
		set = sqlite3_last_insert_rowid(store->db);
		if (ret == 0)
			ret = put_facts(store, set, result, err);
	}
	if (ret == 0)
		*ret_set = set;
	return ret;
}

int environment_each_fact(struct store *store, int64_t set,
			  void (*take)(void *context, const char *key, const char *value),
			  void *context, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	int ret = db_prepare(store,
			     "SELECT key, value FROM env_fact WHERE env_set_id = ?1 "
			     "ORDER BY position",
			     QUERY_WHAT, &stmt, err);

	if (ret < 0)
		return ret;
	(void)sqlite3_bind_int64(stmt, 1, set);
	while ((ret = db_step(store, stmt, QUERY_WHAT, err)) == 1) {
		CLEANUP(free) char *key = db_column_text(stmt, 0);
		CLEANUP(free) char *value = db_column_text(stmt, 1);

		take(context, key, value);
	}
	return ret;
}

static void add_fact(void *context, const char *key, const char *value)
{
	result_add_env(context, key, value);
}

int environment_get(struct store *store, int64_t run, struct result *result, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	int ret = db_prepare(store, "SELECT env_set_id FROM run WHERE id = ?1", QUERY_WHAT, &stmt,
			     err);

	if (ret < 0)
		return ret;
	(void)sqlite3_bind_int64(stmt, 1, run);
	ret = db_step(store, stmt, QUERY_WHAT, err);
	if (ret != 1)
		return ret;
	return environment_each_fact(store, sqlite3_column_int64(stmt, 0), add_fact, result, err);
}

int store_get_attachment(struct store *store, const char *name, const char *sha256, char **ret_text,
			 struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	int ret = db_prepare(store, "SELECT text FROM attachment WHERE name = ?1 AND sha256 = ?2",
			     QUERY_WHAT, &stmt, err);

	if (ret < 0)
		return ret;
	db_bind_text(stmt, 1, name);
	db_bind_text(stmt, 2, sha256);
	ret = db_step(store, stmt, QUERY_WHAT, err);
	if (ret < 0)
		return ret;
	*ret_text = ret == 1 ? db_column_text(stmt, 0) : NULL;
	return 0;
}
