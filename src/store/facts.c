/* SPDX-License-Identifier: GPL-2.0-or-later */
/* facts: what the runs of a sample have beside metrics: environment, settings, notes. */
#include "store/store.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/name_index.h"
#include "base/vec.h"
#include "model/metric.h"
#include "model/metric_digest.h"
#include "model/result.h"
#include "stats/hist.h"
#include "store/db.h"
#include "store/environment.h"
#include "store/put.h"
#include "store/query.h"
#include "store/sparse.h"

#include <string.h>

/* ---- pairs of texts ---- */

struct pair_list VEC_BODY(struct result_pair);

/* Takes each different pair once. */
struct pair_reader {
	struct pair_list *pairs;
	struct name_index seen;
	struct arena arena;
};

static void pair_reader_release(struct pair_reader *reader)
{
	name_index_release(&reader->seen);
	arena_release(&reader->arena);
}
CLEANUP_DEFINE(pair_reader, struct pair_reader, pair_reader_release)

static void take_pair(void *context, const char *key, const char *value)
{
	struct pair_reader *reader = context;
	CLEANUP(free) char *both = xasprintf("%s=%s", key, value);
	size_t nr_before = reader->seen.nr;

	(void)name_index_place(&reader->seen, both, nr_before);
	if (reader->seen.nr == nr_before)
		return;
	name_index_rename(&reader->seen, arena_strdup(&reader->arena, both));
	vec_push(reader->pairs,
		 (struct result_pair){ .key = xstrdup(key), .value = xstrdup(value) });
}

/* Pairs of all used runs. */
static int read_pairs(struct store *store, const struct store_sample *sample, const char *select,
		      struct pair_list *pairs, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	CLEANUP(pair_reader) struct pair_reader reader = { .pairs = pairs };
	int ret = sample_prepare(store, sample, select, &stmt, err);

	while (ret >= 0 && (ret = db_step(store, stmt, QUERY_WHAT, err)) == 1) {
		CLEANUP(free) char *key = db_column_text(stmt, 0);
		CLEANUP(free) char *value = db_column_text(stmt, 1);

		take_pair(&reader, key, value);
	}
	return ret;
}

/* A thousand runs mostly share one environment. */
static int read_env(struct store *store, const struct store_sample *sample, struct pair_list *pairs,
		    struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	CLEANUP(pair_reader) struct pair_reader reader = { .pairs = pairs };
	int ret = sample_prepare(store, sample,
				 "SELECT DISTINCT run.env_set_id FROM run "
				 "WHERE run.used = 1 AND run.env_set_id IS NOT NULL",
				 &stmt, err);

	while (ret >= 0 && (ret = db_step(store, stmt, QUERY_WHAT, err)) == 1)
		ret = environment_each_fact(store, sqlite3_column_int64(stmt, 0), take_pair,
					    &reader, err);
	return ret;
}

static void pairs_release(struct result_pair *pairs, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		free(pairs[i].key);
		free(pairs[i].value);
	}
	free(pairs);
}

static int read_notes(struct store *store, const struct store_sample *sample,
		      struct note_list *notes, struct err *err)
{
	struct pair_list pairs = VEC_INIT;
	int ret = read_pairs(store, sample,
			     "SELECT note.kind, note.text FROM run CROSS JOIN note "
			     "ON note.run_id = run.id WHERE run.used = 1",
			     &pairs, err);

	for (size_t i = 0; ret == 0 && i < pairs.nr; i++) {
		int id = note_id_by_name(pairs.items[i].key);

		if (id >= 0) /* else of a newer regio */
			note_add(notes, (enum note_id)id, "%s", pairs.items[i].value);
	}
	pairs_release(pairs.items, pairs.nr);
	return ret;
}

void store_facts_release(struct store_facts *facts)
{
	pairs_release(facts->env, facts->nr_env);
	pairs_release(facts->settings, facts->nr_settings);
	note_list_release(&facts->notes);
	*facts = (struct store_facts){ .nr_env = 0 };
}

int store_sample_facts(struct store *store, const struct store_sample *sample,
		       struct store_facts *ret_facts, struct err *err)
{
	struct pair_list env = VEC_INIT;
	struct pair_list settings = VEC_INIT;
	struct store_facts facts = { .nr_env = 0 };
	int ret = read_env(store, sample, &env, err);

	if (ret == 0)
		ret = read_pairs(store, sample,
				 "SELECT setting.key, setting.value FROM run CROSS JOIN setting "
				 "ON setting.run_id = run.id WHERE run.used = 1",
				 &settings, err);
	if (ret == 0)
		ret = read_notes(store, sample, &facts.notes, err);
	facts.env = env.items;
	facts.nr_env = env.nr;
	facts.settings = settings.items;
	facts.nr_settings = settings.nr;
	if (ret < 0)
		store_facts_release(&facts);
	else
		*ret_facts = facts;
	return ret;
}

/* ---- the same result again ---- */

int store_find_same(struct store *store, const struct store_place *place,
		    const struct result *result, int64_t *ret_run, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };
	CLEANUP(free) char *source = store_source(result);
	const char *label = place->label ? place->label : result->label;
	int ret = db_prepare(store,
			     "SELECT id FROM run WHERE digest = ?1 AND digest IS NOT NULL "
			     "AND label = ?2 AND experiment_id <> ?3 AND nr_metrics = ?4 "
			     "AND (nr_metrics >= ?5 OR source = ?6) ORDER BY id LIMIT 1",
			     QUERY_WHAT, &stmt, err);

	if (ret < 0)
		return ret;
	result_metrics(result, &metrics);
	(void)sqlite3_bind_int64(stmt, 1, (int64_t)metric_list_digest(&metrics));
	db_bind_text(stmt, 2, label ? label : "");
	(void)sqlite3_bind_int64(stmt, 3, place->experiment);
	(void)sqlite3_bind_int64(stmt, 4, (int64_t)metrics.nr);
	(void)sqlite3_bind_int64(stmt, 5, METRIC_DIGEST_MIN_METRICS);
	db_bind_text(stmt, 6, source);
	ret = db_step(store, stmt, QUERY_WHAT, err);
	if (ret < 0)
		return ret;
	*ret_run = ret == 1 ? sqlite3_column_int64(stmt, 0) : 0;
	return 0;
}

/* ---- histograms ---- */

#define NR_DIRS (IO_NR_DATA_DIRS + 1) /* and IO_SYNC */

struct hist_reader {
	void (*take)(void *context, const struct store_hist *hist);
	void *context;
	int64_t run;
	struct hist *sums[NR_DIRS][LATENCY_NR_KINDS]; /* of that run; NULL = none yet */
};

/* Hands over what there is of the run, and begins another one. */
static void next_run(struct hist_reader *reader, int64_t run)
{
	for (size_t dir = 0; dir < NR_DIRS; dir++) {
		for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++) {
			struct store_hist hist = { .run = reader->run,
						   .dir = (enum io_dir)dir,
						   .kind = (enum latency_kind)kind,
						   .hist = reader->sums[dir][kind] };

			if (!hist.hist)
				continue;
			reader->take(reader->context, &hist);
			free(reader->sums[dir][kind]);
			reader->sums[dir][kind] = NULL;
		}
	}
	reader->run = run;
}

/* Index of a direction or kind by its name; nr if there is none. */
static size_t dir_index(const char *name)
{
	size_t i = 0;

	while (i < NR_DIRS && strcmp(io_dir_name((enum io_dir)i), name) != 0)
		i++;
	return i;
}

static size_t kind_index(const char *name)
{
	size_t i = 0;

	while (i < LATENCY_NR_KINDS && strcmp(latency_kind_name((enum latency_kind)i), name) != 0)
		i++;
	return i;
}

static int add_row(struct hist_reader *reader, sqlite3_stmt *stmt)
{
	CLEANUP(free) char *dir_name = db_column_text(stmt, 1);
	CLEANUP(free) char *kind_name = db_column_text(stmt, 2);
	size_t dir = dir_index(dir_name);
	size_t kind = kind_index(kind_name);
	const void *counts = sqlite3_column_blob(stmt, 3);

	if (dir == NR_DIRS || kind == LATENCY_NR_KINDS)
		return -1;
	if (!reader->sums[dir][kind])
		reader->sums[dir][kind] = xcalloc(1, sizeof(struct hist));
	return sparse_decode(counts, (size_t)sqlite3_column_bytes(stmt, 3),
			     reader->sums[dir][kind]);
}

int store_each_histogram(struct store *store, const struct store_sample *sample,
			 void (*take)(void *context, const struct store_hist *hist), void *context,
			 struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	struct hist_reader reader = { .take = take, .context = context };
	int ret = sample_prepare(store, sample,
				 "SELECT run.id, histogram.direction, histogram.kind, "
				 "histogram.counts FROM run CROSS JOIN histogram "
				 "ON histogram.run_id = run.id WHERE run.used = 1",
				 &stmt, err);

	while (ret >= 0 && (ret = db_step(store, stmt, QUERY_WHAT, err)) == 1) {
		int64_t run = sqlite3_column_int64(stmt, 0);

		if (run != reader.run)
			next_run(&reader, run);
		if (add_row(&reader, stmt) < 0)
			ret = err_set(err, ERR_INPUT,
				      "store '%s': a histogram of run %lld is damaged", store->path,
				      (long long)run);
	}
	next_run(&reader, 0);
	return ret;
}
