/* SPDX-License-Identifier: GPL-2.0-or-later */
/* put: writes experiments and results, each in one transaction. Reading is left to query.c. */
#include "store/put.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "model/metric.h"
#include "model/metric_digest.h"
#include "model/result.h"
#include "model/result_json.h"
#include "model/result_workload.h"
#include "store/db.h"
#include "store/environment.h"
#include "store/sparse.h"
#include "store/store.h"
#include "store/trial.h"

#include <math.h>

static const char *const prepared_sql[DB_NR_PREPARED] = {
	[DB_PUT_RUN] = "INSERT INTO run (experiment_id, label, sequence, used, error, interrupted, "
		       "tool, tool_version, target, clock, method_version, seed, "
		       "started_at_unix_ms, elapsed_ms, workload, plain, source, nr_metrics, "
		       "digest, env_set_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
		       "?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, nullif(?20, 0))",
	[DB_PUT_ARCHIVE] = "INSERT INTO archive (run_id, json) VALUES (?1, ?2)",
	/* No row when the name is new. The first of two values of one name counts, as in
	 * metric_find. */
	[DB_PUT_METRIC] = "INSERT OR IGNORE INTO metric_value (run_id, metric_id, value) "
			  "SELECT ?1, id, ?3 FROM metric_name WHERE name = ?2",
	[DB_PUT_METRIC_NAME] = "INSERT OR IGNORE INTO metric_name (name, unit) VALUES (?1, ?2)",
	[DB_PUT_HISTOGRAM] = "INSERT INTO histogram (run_id, job, direction, kind, counts) "
			     "VALUES (?1, ?2, ?3, ?4, ?5)",
	[DB_FIND_ENV_SET] = "SELECT id FROM env_set WHERE digest = ?1",
	[DB_PUT_ENV_SET] = "INSERT INTO env_set (digest) VALUES (?1)",
	[DB_PUT_ENV_FACT] = "INSERT INTO env_fact (env_set_id, position, key, value) "
			    "VALUES (?1, ?2, ?3, ?4)",
	[DB_PUT_ATTACHMENT] = "INSERT OR IGNORE INTO attachment (name, sha256, text) "
			      "VALUES (?1, ?2, ?3)",
	[DB_PUT_SETTING] = "INSERT INTO setting (run_id, position, key, value) "
			   "VALUES (?1, ?2, ?3, ?4)",
	[DB_PUT_NOTE] = "INSERT INTO note (run_id, position, kind, text) VALUES (?1, ?2, ?3, ?4)",
};

int put_prepare(struct store *store, struct err *err)
{
	for (size_t i = 0; i < DB_NR_PREPARED; i++) {
		int ret = db_prepare(store, prepared_sql[i], "use it", &store->prepared[i], err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

static int64_t wall_now_ms(void)
{
	return (int64_t)(clock_wall_ns() / 1000000u);
}

int store_begin_experiment(struct store *store, const char *kind, const char *command,
			   const char *plan_json, int64_t *ret_id, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	int ret = db_prepare(store,
			     "INSERT INTO experiment (kind, command, plan, started_at_unix_ms) "
			     "VALUES (?1, ?2, ?3, ?4)",
			     "begin an experiment", &stmt, err);

	if (ret < 0)
		return ret;
	db_bind_text(stmt, 1, kind);
	db_bind_text(stmt, 2, command);
	db_bind_text(stmt, 3, plan_json);
	(void)sqlite3_bind_int64(stmt, 4, wall_now_ms());
	ret = db_run(store, stmt, "begin an experiment", err);
	if (ret < 0)
		return ret;
	*ret_id = sqlite3_last_insert_rowid(store->db);
	return 0;
}

static int run_update(struct store *store, sqlite3_stmt *stmt, int64_t id, const char *what,
		      struct err *err)
{
	int ret;

	(void)sqlite3_bind_int64(stmt, 1, id);
	ret = db_run(store, stmt, what, err);
	if (ret == 0 && sqlite3_changes(store->db) == 0)
		return err_set(err, ERR_INPUT, "store '%s' has no experiment %lld", store->path,
			       (long long)id);
	return ret;
}

int store_change_plan(struct store *store, int64_t id, const char *plan_json, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	int ret = db_prepare(store, "UPDATE experiment SET plan = ?2 WHERE id = ?1",
			     "change the plan", &stmt, err);

	if (ret < 0)
		return ret;
	db_bind_text(stmt, 2, plan_json);
	return run_update(store, stmt, id, "change the plan", err);
}

int store_end_experiment(struct store *store, int64_t id, const char *verdict,
			 const char *document_json, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	int ret = db_prepare(store,
			     "UPDATE experiment SET verdict = ?2, document = ?3, "
			     "ended_at_unix_ms = ?4 WHERE id = ?1",
			     "end the experiment", &stmt, err);

	if (ret < 0)
		return ret;
	db_bind_text(stmt, 2, verdict);
	db_bind_text(stmt, 3, document_json);
	(void)sqlite3_bind_int64(stmt, 4, wall_now_ms());
	return run_update(store, stmt, id, "end the experiment", err);
}

int store_begin_batch(struct store *store, struct err *err)
{
	int ret = db_begin_write(store, PUT_WHAT, err);

	if (ret == 0)
		store->is_batch = 1;
	return ret;
}

int store_end_batch(struct store *store, int ret, struct err *err)
{
	store->is_batch = 0;
	return db_end(store, ret, PUT_WHAT, err);
}

/* All that one result becomes. */
struct put {
	const struct store_place *place;
	const struct result *result;
	const char *json;
	const struct metric_list *metrics;
	int64_t env_set; /* 0 = none */
};

char *store_source(const struct result *result)
{
	if (!result->source_file)
		return xstrdup("");
	return xasprintf("%s:%u", result->source_file, result->source_line);
}

static int put_run(struct store *store, const struct put *put, struct err *err)
{
	const struct store_place *place = put->place;
	const struct result *result = put->result;
	const char *result_label = result->label ? result->label : "";
	CLEANUP(free) char *seed = xasprintf("%llu", (unsigned long long)result->seed);
	CLEANUP(free) char *workload = result_workload(result);
	CLEANUP(free) char *source = store_source(result);
	sqlite3_stmt *stmt = store->prepared[DB_PUT_RUN];

	(void)sqlite3_bind_int64(stmt, 1, place->experiment);
	db_bind_text(stmt, 2, place->label ? place->label : result_label);
	(void)sqlite3_bind_int64(stmt, 3, place->sequence);
	(void)sqlite3_bind_int(stmt, 4, place->used != 0);
	(void)sqlite3_bind_int(stmt, 5, result_error(result));
	(void)sqlite3_bind_int(stmt, 6, result->interrupted);
	db_bind_text(stmt, 7, result->tool);
	db_bind_text(stmt, 8, result->tool_version);
	db_bind_text(stmt, 9, result->target);
	db_bind_text(stmt, 10, result->clock);
	(void)sqlite3_bind_int64(stmt, 11, result->method_version);
	db_bind_text(stmt, 12, seed);
	(void)sqlite3_bind_int64(stmt, 13, result->started_at_unix_ms);
	(void)sqlite3_bind_int64(stmt, 14, (int64_t)result->elapsed_ms);
	db_bind_text(stmt, 15, workload);
	(void)sqlite3_bind_int(stmt, 16, result_is_plain(result));
	db_bind_text(stmt, 17, source);
	(void)sqlite3_bind_int64(stmt, 18, (int64_t)put->metrics->nr);
	(void)sqlite3_bind_int64(stmt, 19, (int64_t)metric_list_digest(put->metrics));
	(void)sqlite3_bind_int64(stmt, 20, put->env_set);
	return db_run(store, stmt, PUT_WHAT, err);
}

static int put_archive(struct store *store, int64_t run, const char *json, struct err *err)
{
	sqlite3_stmt *stmt = store->prepared[DB_PUT_ARCHIVE];

	(void)sqlite3_bind_int64(stmt, 1, run);
	db_bind_text(stmt, 2, json);
	return db_run(store, stmt, PUT_WHAT, err);
}

/* Sets *ret_nr to the rows added: 0 when the name is not known yet. */
static int put_metric_row(struct store *store, int64_t run, const struct metric *metric,
			  int *ret_nr, struct err *err)
{
	sqlite3_stmt *stmt = store->prepared[DB_PUT_METRIC];
	int ret;

	(void)sqlite3_bind_int64(stmt, 1, run);
	db_bind_text(stmt, 2, metric->name);
	(void)sqlite3_bind_double(stmt, 3, metric->value);
	ret = db_run(store, stmt, PUT_WHAT, err);
	if (ret == 0)
		*ret_nr = sqlite3_changes(store->db);
	return ret;
}

static int put_metric(struct store *store, int64_t run, const struct metric *metric,
		      struct err *err)
{
	sqlite3_stmt *stmt = store->prepared[DB_PUT_METRIC_NAME];
	int nr_rows = 0;
	int ret;

	if (!isfinite(metric->value))
		return 0; /* not measured */
	ret = put_metric_row(store, run, metric, &nr_rows, err);
	if (ret < 0 || nr_rows > 0)
		return ret;
	db_bind_text(stmt, 1, metric->name);
	db_bind_text(stmt, 2, metric_unit(metric->name));
	ret = db_run(store, stmt, PUT_WHAT, err);
	return ret < 0 ? ret : put_metric_row(store, run, metric, &nr_rows, err);
}

static int put_metrics(struct store *store, int64_t run, const struct metric_list *metrics,
		       struct err *err)
{
	for (size_t i = 0; i < metrics->nr; i++) {
		int ret = put_metric(store, run, &metrics->items[i], err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

struct hist_place {
	int64_t run;
	size_t job;
	enum io_dir dir;
	enum latency_kind kind;
};

static int put_histogram(struct store *store, const struct hist_place *place,
			 const struct latency *latency, struct err *err)
{
	CLEANUP(strbuf) struct strbuf counts = STRBUF_INIT;
	sqlite3_stmt *stmt = store->prepared[DB_PUT_HISTOGRAM];

	if (!latency->hist)
		return 0;
	sparse_encode(latency->hist, &counts);
	(void)sqlite3_bind_int64(stmt, 1, place->run);
	(void)sqlite3_bind_int64(stmt, 2, (int64_t)place->job);
	db_bind_text(stmt, 3, io_dir_name(place->dir));
	db_bind_text(stmt, 4, latency_kind_name(place->kind));
	(void)sqlite3_bind_blob64(stmt, 5, strbuf_str(&counts), counts.len, SQLITE_STATIC);
	return db_run(store, stmt, PUT_WHAT, err);
}

static int put_job_histograms(struct store *store, int64_t run, size_t nr,
			      const struct job_result *job, struct err *err)
{
	struct hist_place place = { .run = run, .job = nr, .dir = IO_SYNC, .kind = LATENCY_LAT };
	int ret = put_histogram(store, &place, &job->sync, err);

	for (int dir = 0; ret == 0 && dir < IO_NR_DATA_DIRS; dir++) {
		for (int kind = 0; ret == 0 && kind < LATENCY_NR_KINDS; kind++) {
			place.dir = (enum io_dir)dir;
			place.kind = (enum latency_kind)kind;
			ret = put_histogram(store, &place, &job->dir[dir].latency[kind], err);
		}
	}
	return ret;
}

static int put_histograms(struct store *store, int64_t run, const struct result *result,
			  struct err *err)
{
	for (size_t i = 0; i < result->nr_jobs; i++) {
		int ret = put_job_histograms(store, run, i, &result->jobs[i], err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

/* The shape of the tables setting and note. */
static void bind_position(sqlite3_stmt *stmt, int64_t run, size_t position, const char *key,
			  const char *value)
{
	(void)sqlite3_bind_int64(stmt, 1, run);
	(void)sqlite3_bind_int64(stmt, 2, (int64_t)position);
	db_bind_text(stmt, 3, key);
	db_bind_text(stmt, 4, value ? value : "");
}

static int put_settings(struct store *store, int64_t run, const struct result *result,
			struct err *err)
{
	sqlite3_stmt *stmt = store->prepared[DB_PUT_SETTING];
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < result->nr_settings; i++) {
		bind_position(stmt, run, i, result->settings[i].key, result->settings[i].value);
		ret = db_run(store, stmt, PUT_WHAT, err);
	}
	return ret;
}

static int put_notes(struct store *store, int64_t run, const struct note_list *notes,
		     struct err *err)
{
	sqlite3_stmt *stmt = store->prepared[DB_PUT_NOTE];
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < notes->nr; i++) {
		const struct note *note = &notes->items[i];

		bind_position(stmt, run, i, note_kind(note->id)->name, note->text);
		ret = db_run(store, stmt, PUT_WHAT, err);
	}
	return ret;
}

/* Inside the transaction. */
static int put_rows(struct store *store, struct put *put, int64_t *ret_run, struct err *err)
{
	int64_t run;
	int ret = environment_put(store, put->result, &put->env_set, err);

	if (ret == 0)
		ret = put_run(store, put, err);
	if (ret < 0)
		return ret;
	run = sqlite3_last_insert_rowid(store->db);
	ret = put_archive(store, run, put->json, err);
	if (ret == 0)
		ret = put_metrics(store, run, put->metrics, err);
	if (ret == 0)
		ret = put_histograms(store, run, put->result, err);
	if (ret == 0)
		ret = put_settings(store, run, put->result, err);
	if (ret == 0)
		ret = put_notes(store, run, &put->result->notes, err);
	if (ret == 0)
		ret = trial_put(store, put->place, run, err);
	if (ret == 0)
		*ret_run = run;
	return ret;
}

/* Archive JSON without what the store keeps elsewhere. Caller frees. */
static char *archive_of(const struct result *result)
{
	struct result bare = *result;

	bare.nr_env = 0;
	bare.nr_attachments = 0;
	return result_to_json(&bare, 0);
}

int store_put_result(struct store *store, const struct store_place *place,
		     const struct result *result, int64_t *ret_run, struct err *err)
{
	CLEANUP(free) char *json = archive_of(result);
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };
	struct put put = { .place = place, .result = result, .json = json, .metrics = &metrics };
	int64_t run = 0;
	int ret;

	result_metrics(result, &metrics);
	ret = db_begin_write(store, PUT_WHAT, err);
	if (ret < 0)
		return ret;
	ret = put_rows(store, &put, &run, err);
	ret = db_end(store, ret, PUT_WHAT, err);
	if (ret == 0)
		*ret_run = run;
	return ret;
}
