/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STORE_STORE_H
#define REGIO_STORE_STORE_H

/*
 * The store keeps every result, in one SQLite file (WAL). This folder is the only user of
 * sqlite3; no type of it leaves it. A result is one transaction: after a kill -9 it is
 * there as a whole or not at all. Metrics are rows (run, metric, value), never columns.
 */

#include <stddef.h>
#include <stdint.h>

struct err;
struct result;

struct store;

/* path NULL: $REGIO_STORE, else $XDG_DATA_HOME/regio/regio.db, else ~/.local/share/.. */
int store_open(const char *path, struct store **ret_store, struct err *err);
void store_close(struct store *store);

/* An experiment groups the runs of one command. command: argv joined; json: its plan. */
int store_begin_experiment(struct store *store, const char *kind, const char *command,
			   const char *plan_json, int64_t *ret_id, struct err *err);
/* Final document of the experiment (e.g. the ab JSON) and its verdict. */
int store_end_experiment(struct store *store, int64_t id, const char *verdict,
			 const char *document_json, struct err *err);

/*
 * Stores one result with all its metrics, histograms, environment, settings and notes.
 * label: sample it belongs to ("A"); sequence: position in the experiment; used: 0 for a
 * discarded warm-up run.
 */
int store_put_result(struct store *store, int64_t experiment, const char *label,
		     unsigned sequence, int used, const struct result *result,
		     int64_t *ret_run, struct err *err);

/* The whole result back, as it was put (from the archive JSON kept with it). */
int store_get_result(struct store *store, int64_t run, struct result *ret_result,
		     struct err *err);

struct store_run {
	int64_t id, experiment;
	char *label;
	unsigned sequence;
	int used;
	int error; /* errno of the first failed job */
	int64_t started_at_unix_ms;
};

struct store_run_list {
	struct store_run *items;
	size_t nr;
};
/* Runs of one experiment, or of a label in any (experiment 0, label not NULL), in order. */
int store_list_runs(struct store *store, int64_t experiment, const char *label,
		    struct store_run_list *ret_list, struct err *err);
void store_run_list_release(struct store_run_list *list);

/* Values of one metric over the used runs of a label, in order; caller frees. */
int store_metric_values(struct store *store, int64_t experiment, const char *label,
			const char *metric, double **ret_values, size_t *ret_nr,
			struct err *err);

#endif
