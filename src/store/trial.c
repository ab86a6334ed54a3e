/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial: the trials of an experiment that can be interrupted and taken up again. */
#include "store/trial.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "store/db.h"
#include "store/query.h"
#include "store/store.h"

int trial_put(struct store *store, const struct store_place *place, int64_t run, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	int ret;

	if (!place->trial)
		return 0;
	ret = db_prepare(store,
			 "INSERT OR IGNORE INTO trial (experiment_id, name, run_id) "
			 "VALUES (?1, ?2, ?3)",
			 "keep the result", &stmt, err);
	if (ret < 0)
		return ret;
	(void)sqlite3_bind_int64(stmt, 1, place->experiment);
	db_bind_text(stmt, 2, place->trial);
	(void)sqlite3_bind_int64(stmt, 3, run);
	ret = db_run(store, stmt, "keep the result", err);
	if (ret == 0 && sqlite3_changes(store->db) == 0)
		return err_set(err, ERR_SYSTEM,
			       "store '%s': another regio has stored trial '%s' of experiment %lld "
			       "meanwhile",
			       store->path, place->trial, (long long)place->experiment);
	return ret;
}

int store_find_unfinished(struct store *store, const char *kind, const char *digest,
			  int64_t *ret_id, char **ret_plan_json, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	int ret = db_prepare(store,
			     "SELECT id, plan FROM experiment WHERE kind = ?1 "
			     "AND ended_at_unix_ms IS NULL AND json_valid(plan) "
			     "AND json_extract(plan, '$.digest') = ?2 ORDER BY id DESC LIMIT 1",
			     QUERY_WHAT, &stmt, err);

	if (ret < 0)
		return ret;
	db_bind_text(stmt, 1, kind);
	db_bind_text(stmt, 2, digest);
	ret = db_step(store, stmt, QUERY_WHAT, err);
	if (ret < 0)
		return ret;
	*ret_id = ret == 1 ? sqlite3_column_int64(stmt, 0) : 0;
	*ret_plan_json = ret == 1 ? db_column_text(stmt, 1) : xstrdup("");
	return 0;
}

int store_get_experiment(struct store *store, const char *kind, int64_t id,
			 struct store_experiment *ret_experiment, struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	int ret =
		db_prepare(store,
			   "SELECT id, kind, command, plan, verdict, ended_at_unix_ms IS NOT NULL "
			   "FROM experiment WHERE kind = ?1 AND (id = ?2 OR (?2 = 0 AND "
			   "(ended_at_unix_ms IS NULL OR EXISTS "
			   "(SELECT 1 FROM trial WHERE experiment_id = experiment.id)))) "
			   "ORDER BY id DESC LIMIT 1",
			   QUERY_WHAT, &stmt, err);

	if (ret < 0)
		return ret;
	db_bind_text(stmt, 1, kind);
	(void)sqlite3_bind_int64(stmt, 2, id);
	ret = db_step(store, stmt, QUERY_WHAT, err);
	if (ret < 0)
		return ret;
	*ret_experiment = (struct store_experiment){ .id = 0 };
	if (ret == 1)
		*ret_experiment = (struct store_experiment){
			.id = sqlite3_column_int64(stmt, 0),
			.kind = db_column_text(stmt, 1),
			.command = db_column_text(stmt, 2),
			.plan_json = db_column_text(stmt, 3),
			.verdict = db_column_text(stmt, 4),
			.has_ended = sqlite3_column_int(stmt, 5),
		};
	return 0;
}

void store_experiment_release(struct store_experiment *experiment)
{
	free(experiment->kind);
	free(experiment->command);
	free(experiment->plan_json);
	free(experiment->verdict);
	*experiment = (struct store_experiment){ .id = 0 };
}

int store_list_trials(struct store *store, int64_t experiment, struct store_trial_list *ret_list,
		      struct err *err)
{
	CLEANUP(stmt) sqlite3_stmt *stmt = NULL;
	struct store_trial_list list = VEC_INIT;
	int ret = db_prepare(store,
			     "SELECT trial.name, run.id, run.used, run.sequence, run.elapsed_ms "
			     "FROM trial JOIN run ON run.id = trial.run_id "
			     "WHERE trial.experiment_id = ?1 ORDER BY run.sequence, run.id",
			     QUERY_WHAT, &stmt, err);

	if (ret < 0)
		return ret;
	(void)sqlite3_bind_int64(stmt, 1, experiment);
	while ((ret = db_step(store, stmt, QUERY_WHAT, err)) == 1)
		vec_push(&list, (struct store_trial){
					.name = db_column_text(stmt, 0),
					.run = sqlite3_column_int64(stmt, 1),
					.used = sqlite3_column_int(stmt, 2),
					.sequence = (unsigned)sqlite3_column_int64(stmt, 3),
					.elapsed_ms = (uint64_t)sqlite3_column_int64(stmt, 4),
				});
	if (ret < 0)
		store_trial_list_release(&list);
	else
		*ret_list = list;
	return ret;
}

void store_trial_list_release(struct store_trial_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->items[i].name);
	free(list->items);
	*list = (struct store_trial_list){ .nr = 0 };
}
