/* SPDX-License-Identifier: GPL-2.0-or-later */
/* query: reads results and samples back. What they mean is left to analysis. */
#include "store/query.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "model/result.h"
#include "model/result_json.h"
#include "stats/hist.h"
#include "store/db.h"
#include "store/environment.h"
#include "store/sparse.h"
#include "store/store.h"

int sample_prepare(struct store *store, const struct store_sample *sample, const char *select,
		   struct sqlite3_stmt **ret_stmt, struct err *err)
{
	CLEANUP(strbuf) struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *stmt;
	int ret;

	/* Written out rather than "?1 = 0 OR ..", so that an index serves them and gives the order. */
	strbuf_add_str(&sql, select);
	if (sample->experiment != 0)
		strbuf_add_str(&sql, " AND run.experiment_id = ?1");
	if (sample->label)
		strbuf_add_str(&sql, " AND run.label = ?2");
	strbuf_add_str(&sql, " ORDER BY run.experiment_id, run.sequence, run.id");
	ret = db_prepare(store, strbuf_str(&sql), QUERY_WHAT, &stmt, err);
	if (ret < 0)
		return ret;
	/* Binding a parameter that the text does not use fails, and means nothing. */
	(void)sqlite3_bind_int64(stmt, 1, sample->experiment);
	(void)sqlite3_bind_text(stmt, 2, sample->label, -1, SQLITE_STATIC);
	*ret_stmt = stmt;
	return 0;
}

int store_experiment_kind(struct store *store, int64_t id, char **ret_kind, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	int ret = db_prepare(store, "SELECT kind FROM experiment WHERE id = ?1", QUERY_WHAT, &stmt,
			     err);

	if (ret < 0)
		return ret;
	(void)sqlite3_bind_int64(stmt, 1, id);
	ret = db_step(store, stmt, QUERY_WHAT, err);
	if (ret < 0)
		return ret;
	*ret_kind = ret == 1 ? db_column_text(stmt, 0) : xstrdup("");
	return 0;
}

int store_get_result(struct store *store, int64_t run, struct result *ret_result, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	const char *json;
	int ret = db_prepare(store, "SELECT json FROM archive WHERE run_id = ?1", QUERY_WHAT, &stmt,
			     err);

	if (ret < 0)
		return ret;
	(void)sqlite3_bind_int64(stmt, 1, run);
	ret = db_step(store, stmt, QUERY_WHAT, err);
	if (ret < 0)
		return ret;
	if (ret == 0)
		return err_set(err, ERR_INPUT, "store '%s' has no run %lld", store->path,
			       (long long)run);
	json = (const char *)sqlite3_column_text(stmt, 0);
	ret = result_from_json(json ? json : "", (size_t)sqlite3_column_bytes(stmt, 0), ret_result,
			       err);
	if (ret < 0)
		return err_prefix(err, "store '%s': run %lld", store->path, (long long)run);
	if (!ret_result->nr_env) /* runs of older versions have it in their archive */
		ret = environment_get(store, run, ret_result, err);
	if (ret < 0) {
		result_release(ret_result);
		*ret_result = (struct result){ .nr_jobs = 0 };
	}
	return ret;
}

void store_run_list_release(struct store_run_list *list)
{
	for (size_t i = 0; i < list->nr; i++) {
		free(list->items[i].label);
		free(list->items[i].tool);
		free(list->items[i].tool_version);
		free(list->items[i].workload);
		free(list->items[i].source);
	}
	free(list->items);
	*list = (struct store_run_list){ .nr = 0 };
}

int store_list_runs(struct store *store, const struct store_sample *sample,
		    struct store_run_list *ret_list, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	struct store_run_list list = VEC_INIT;
	int ret = sample_prepare(store, sample,
				 "SELECT id, experiment_id, label, sequence, used, error, "
				 "started_at_unix_ms, interrupted, tool, tool_version, workload, "
				 "source, plain FROM run WHERE TRUE",
				 &stmt, err);

	while (ret >= 0 && (ret = db_step(store, stmt, QUERY_WHAT, err)) == 1)
		vec_push(&list, (struct store_run){
					.id = sqlite3_column_int64(stmt, 0),
					.experiment = sqlite3_column_int64(stmt, 1),
					.label = db_column_text(stmt, 2),
					.sequence = (unsigned)sqlite3_column_int64(stmt, 3),
					.used = sqlite3_column_int(stmt, 4),
					.error = sqlite3_column_int(stmt, 5),
					.started_at_unix_ms = sqlite3_column_int64(stmt, 6),
					.interrupted = sqlite3_column_int(stmt, 7),
					.tool = db_column_text(stmt, 8),
					.tool_version = db_column_text(stmt, 9),
					.workload = db_column_text(stmt, 10),
					.source = db_column_text(stmt, 11),
					.is_plain = sqlite3_column_int(stmt, 12), /* NULL: 0 */
				});
	if (ret < 0)
		store_run_list_release(&list);
	else
		*ret_list = list;
	return ret;
}

int store_metric_values(struct store *store, const struct store_sample *sample, const char *metric,
			double **ret_values, size_t *ret_nr, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	VEC(double) values = VEC_INIT;
	int ret = sample_prepare(store, sample,
				 "SELECT metric_value.value FROM run CROSS JOIN metric_value "
				 "ON metric_value.run_id = run.id AND metric_value.metric_id = "
				 "(SELECT id FROM metric_name WHERE name = ?3) "
				 "WHERE run.used = 1",
				 &stmt, err);

	if (ret < 0)
		return ret;
	db_bind_text(stmt, 3, metric);
	while ((ret = db_step(store, stmt, QUERY_WHAT, err)) == 1)
		vec_push(&values, sqlite3_column_double(stmt, 0));
	if (ret < 0) {
		vec_release(&values);
		return ret;
	}
	*ret_values = values.items;
	*ret_nr = values.nr;
	return 0;
}

int store_merge_histogram(struct store *store, const struct store_sample *sample, enum io_dir dir,
			  const char *kind, struct hist *into, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	CLEANUP(free) struct hist *sum = xcalloc(1, sizeof(*sum));
	int ret = sample_prepare(store, sample,
				 "SELECT histogram.counts FROM run CROSS JOIN histogram "
				 "ON histogram.run_id = run.id AND histogram.direction = ?3 "
				 "AND histogram.kind = ?4 WHERE run.used = 1",
				 &stmt, err);

	if (ret < 0)
		return ret;
	db_bind_text(stmt, 3, io_dir_name(dir));
	db_bind_text(stmt, 4, kind);
	while ((ret = db_step(store, stmt, QUERY_WHAT, err)) == 1) {
		const void *counts = sqlite3_column_blob(stmt, 0);

		if (sparse_decode(counts, (size_t)sqlite3_column_bytes(stmt, 0), sum) < 0)
			return err_set(err, ERR_INPUT, "store '%s': a %s histogram is damaged",
				       store->path, kind);
	}
	if (ret == 0)
		hist_merge(into, sum);
	return ret;
}
