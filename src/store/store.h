/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STORE_STORE_H
#define REGIO_STORE_STORE_H

/*
 * The store keeps every result, in one SQLite file (WAL). This folder is the only user of
 * sqlite3; no type of it leaves it. A result is one transaction, on the disk when
 * store_put_result returns: after a kill -9 it is there as a whole or not at all, and after a
 * power cut too as far as the disk obeys fsync. Metrics are rows (run, metric, value), never
 * columns. Several processes may use one store at the same time; a store handle belongs to one
 * thread and does not cross fork.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/vec.h"
#include "model/io.h"
#include "model/note.h"
#include "model/result.h"

struct err;
struct hist;

struct store;

/*
 * The file a path option means: path itself, or for NULL $REGIO_STORE, else
 * $XDG_DATA_HOME/regio/regio.db, else ~/.local/share/regio/regio.db. A new string (caller
 * frees), or NULL and ERR_USAGE without a home directory.
 */
char *store_path_resolve(const char *path, struct err *err);

/*
 * Opens, creating the file and its directories (0700) and bringing an older store to this
 * version. path as for store_path_resolve. A file that is not a store or belongs to a newer
 * regio is -ERR_INPUT and is not changed.
 */
int store_open(const char *path, struct store **ret_store, struct err *err);
void store_close(struct store *store); /* NULL is fine */
CLEANUP_DEFINE_PTR(store, struct store, store_close)
const char *store_path(const struct store *store);

/* An experiment groups the runs of one command. command: argv joined; plan_json: may be NULL. */
int store_begin_experiment(struct store *store, const char *kind, const char *command,
			   const char *plan_json, int64_t *ret_id, struct err *err);
/* Final document of the experiment (e.g. the ab JSON) and its verdict; either may be NULL. */
int store_end_experiment(struct store *store, int64_t id, const char *verdict,
			 const char *document_json, struct err *err);

/* What was planned has grown. */
int store_change_plan(struct store *store, int64_t id, const char *plan_json, struct err *err);

/* The command that began it: "ab". A new string, "" if there is no such experiment. */
int store_experiment_kind(struct store *store, int64_t id, char **ret_kind, struct err *err);

struct store_experiment {
	int64_t id; /* 0 = there is none */
	char *kind, *command, *plan_json, *verdict;
	int has_ended;
};
/* That experiment; for id 0 the newest one of that kind that has a trial or goes on. */
int store_get_experiment(struct store *store, const char *kind, int64_t id,
			 struct store_experiment *ret_experiment, struct err *err);
void store_experiment_release(struct store_experiment *experiment);
CLEANUP_DEFINE(store_experiment, struct store_experiment, store_experiment_release)

/* Where a result belongs. */
struct store_place {
	int64_t experiment;
	const char *label; /* sample: "A"; NULL = the label of the result */
	unsigned sequence; /* position in the experiment */
	int used;	   /* 0 for a discarded warm-up or failed run */
	const char *trial; /* name in a plan, once in an experiment; NULL = none */
};

/*
 * The newest experiment of that kind whose plan has this "digest" and which has not ended, and its
 * plan; *ret_id is 0 and the plan "" if there is none. Caller frees the plan.
 */
int store_find_unfinished(struct store *store, const char *kind, const char *digest,
			  int64_t *ret_id, char **ret_plan_json, struct err *err);

/*
 * From now until the store is closed no other process gets the plan of this digest:
 * -ERR_SYSTEM, with its number, when one has it. The file PATH-lock stays, empty. At most once for
 * each store.
 */
int store_lock_plan(struct store *store, const char *digest, struct err *err);

/* A trial that was stored, in the order of storing. */
struct store_trial {
	char *name;
	int64_t run;
	int used;
	unsigned sequence;
	uint64_t elapsed_ms;
};

struct store_trial_list VEC_BODY(struct store_trial);
int store_list_trials(struct store *store, int64_t experiment, struct store_trial_list *ret_list,
		      struct err *err);
void store_trial_list_release(struct store_trial_list *list);
CLEANUP_DEFINE(store_trial_list, struct store_trial_list, store_trial_list_release)

/* Stores one result with all its metrics, histograms, environment, settings and notes. */
int store_put_result(struct store *store, const struct store_place *place,
		     const struct result *result, int64_t *ret_run, struct err *err);

/*
 * Between these, results are stored as a whole or not at all, as are the experiments begun between
 * them: another process sees nothing of it before the end, and a killed one leaves nothing. ret
 * below 0 forgets all of it. Returns ret, or the error of the end. Nothing is read in between.
 */
int store_begin_batch(struct store *store, struct err *err);
int store_end_batch(struct store *store, int ret, struct err *err);

/* The whole result back, as it was put, but for its attachments. */
int store_get_result(struct store *store, int64_t run, struct result *ret_result, struct err *err);
/* The text of an attachment by its digest, which is the fact NAME_sha256 of a run. A new string,
 * NULL if the store has none. */
int store_get_attachment(struct store *store, const char *name, const char *sha256, char **ret_text,
			 struct err *err);

/* Which runs a query is about. Both zero: all runs there are. */
struct store_sample {
	int64_t experiment; /* 0 = of any experiment */
	const char *label;  /* NULL = of any label */
};

struct store_run {
	int64_t id, experiment;
	char *label;
	unsigned sequence;
	int used;
	int error; /* errno of the first failed job */
	int interrupted;
	int64_t started_at_unix_ms;
	char *tool, *tool_version;
	char *workload; /* as of result_workload() */
	char *source;	/* "FILE:LINE", "" for none */
	int is_plain;	/* as of result_is_plain(): its metrics say all, no need for the result */
};

struct store_run_list VEC_BODY(struct store_run);
/* In the order of experiment and sequence, the unused ones too. */
int store_list_runs(struct store *store, const struct store_sample *sample,
		    struct store_run_list *ret_list, struct err *err);
void store_run_list_release(struct store_run_list *list);
CLEANUP_DEFINE(store_run_list, struct store_run_list, store_run_list_release)

/* Values of one metric over the used runs of a sample, in order; caller frees. */
int store_metric_values(struct store *store, const struct store_sample *sample, const char *metric,
			double **ret_values, size_t *ret_nr, struct err *err);

/* All metrics of the used runs of a sample, one column of values for each metric. */
struct store_matrix {
	char **metrics; /* in the order in which the store first saw them */
	size_t nr_metrics;
	int64_t *runs;
	size_t nr_runs;
	double *values; /* [metric * nr_runs + run]; NAN where the run has no such metric */
};
int store_metric_matrix(struct store *store, const struct store_sample *sample,
			struct store_matrix *ret_matrix, struct err *err);
void store_matrix_release(struct store_matrix *matrix);
CLEANUP_DEFINE(store_matrix, struct store_matrix, store_matrix_release)
/* The nr_runs values of a metric, NULL if no run has it. */
const double *store_matrix_column(const struct store_matrix *matrix, const char *metric);

/* What the used runs of a sample say beside their numbers, each different thing once. */
struct store_facts {
	struct result_pair *env;
	size_t nr_env;
	struct result_pair *settings;
	size_t nr_settings;
	struct note_list notes;
};
int store_sample_facts(struct store *store, const struct store_sample *sample,
		       struct store_facts *ret_facts, struct err *err);
void store_facts_release(struct store_facts *facts);
CLEANUP_DEFINE(store_facts, struct store_facts, store_facts_release)

/*
 * An earlier experiment's run under this label with the same numbers: of the same place of the
 * same file, or of enough metrics to exclude chance. *ret_run is 0 if there is none.
 */
int store_find_same(struct store *store, const struct store_place *place,
		    const struct result *result, int64_t *ret_run, struct err *err);

/* The latencies of one kind of one run, summed over its jobs. */
struct store_hist {
	int64_t run;
	enum io_dir dir; /* IO_SYNC has only one kind: LATENCY_LAT */
	enum latency_kind kind;
	const struct hist *hist; /* valid during the call */
};
/* Calls take for each there is of the used runs of a sample, run by run. */
int store_each_histogram(struct store *store, const struct store_sample *sample,
			 void (*take)(void *context, const struct store_hist *hist), void *context,
			 struct err *err);

/* Adds up one kind of latency ("clat") over the jobs of the used runs of a sample. For sync: "lat". */
int store_merge_histogram(struct store *store, const struct store_sample *sample, enum io_dir dir,
			  const char *kind, struct hist *into, struct err *err);

#endif
