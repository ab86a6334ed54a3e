/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_SWEEP_H
#define REGIO_CMD_SWEEP_H

/* A matrix as cmd_matrix runs it, sweep_trials answers it and sweep_report tells it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/matrix_answer.h"
#include "base/name_index.h"
#include "bench/matrix.h"
#include "cmd/trial_options.h"
#include "model/note.h"
#include "plan/plan.h"
#include "plan/plan_expand.h"
#include "store/store.h"

struct doc;
struct job_set;

struct sweep_config {
	struct trial_options trial;
	const char *format;
	bool json;
	bool dry_run;
	bool restart;
	bool is_help;
};

struct sweep {
	const struct sweep_config *config;
	struct trial_options trial; /* with stack and command of the plan */
	struct matrix_plan plan;
	struct plan_points points;
	struct matrix matrix;
	struct session session;
	char *metric;			/* full name, known after the first result */
	struct note_list notes;		/* the first of each kind that trials brought, and more */
	size_t nr_of_note[NOTE_NR_IDS]; /* how many trials brought one of the kind */
	char *command;

	/* What an interrupted call has measured already, by name. */
	struct store_trial_list stored;
	struct name_index by_name;
	size_t nr_stored_used; /* answered from there */
	size_t nr_run;	       /* measured by this call */
	size_t nr_failed;
	uint64_t run_ns; /* time of these */
	uint64_t start_ns;
	uint64_t estimate_ns; /* of one trial by the jobs; 0 = unknown */
	size_t nr_planned;
	const char *why_stopped; /* NULL = ran to its end */

	bool is_virtual; /* guests whose clock counts instructions; repeats are seeds */
	char *said;	 /* by the guest of the self-test, until it was compared */
	bool is_proven;	 /* the self-test has passed */
};

/* ---- sweep_trials ---- */

/* The answers of struct matrix_config: from the store, else by a trial. */
int sweep_answer(void *arg, const struct matrix_trial *trial, enum matrix_outcome *ret_answer,
		 double *ret_value, struct err *err);
/* Reads what is stored of the experiment that the session goes on with. */
int sweep_load_stored(struct sweep *sweep, struct err *err);
const struct plan_point *sweep_point(const struct sweep *sweep, size_t cell, size_t side);
/* "ID.REPEAT.ATTEMPT" */
#define SWEEP_NAME_LEN 48
void sweep_trial_name(const struct sweep *sweep, const struct matrix_trial *trial,
		      char ret_name[SWEEP_NAME_LEN]);
/* -ERR_USAGE of a trial is a mistake in the plan, for nobody typed it. */
int sweep_blame_plan(int ret, struct err *err);
/* Parses the job of every point, so that mistakes show before the first trial; sets estimate_ns. */
int sweep_check_points(struct sweep *sweep, struct err *err);
uint64_t sweep_trial_ns(const struct sweep *sweep);
/* What can be wrong with the target of a point before the first trial: the kernels of guests. */
int sweep_check_targets(struct sweep *sweep, struct err *err);
/*
 * What counts as a difference. The levels of a sequential decision cannot be corrected for the
 * number of cells, so with several cells each is decided at 1 %.
 */
struct effect_rule sweep_rule(const struct sweep *sweep);

/* ---- what is known of one candidate ---- */

struct sweep_view {
	size_t candidate; /* value of the compared factor; SIZE_MAX = nothing is compared */
	struct matrix_factor *factors;
	size_t *plan_factors; /* of each: its index in the plan */
	size_t nr_factors;
	struct matrix_input_cell *cells;
	size_t *plan_cells; /* of each: its index in the plan */
	size_t *levels;
	struct matrix_input input; /* refers to all above */
	struct matrix_answer answer;
};

/* One view for each candidate, in the order of its values. */
void sweep_view_init(struct sweep_view *view, const struct sweep *sweep, size_t candidate);
void sweep_view_release(struct sweep_view *view);
/* Calls take for each candidate, or once where nothing is compared. */
void sweep_each_view(const struct sweep *sweep,
		     void (*take)(void *arg, const struct sweep_view *view), void *arg);
/* Of all candidates together. */
enum verdict sweep_verdict(const struct sweep *sweep);

/* ---- sweep_report, sweep_json ---- */

/* The document refers to strings of the sweep. Caller frees both. */
struct doc *sweep_report(struct sweep *sweep);
char *sweep_report_json(const struct sweep *sweep);
/* The order of the trials and how long they take. */
struct doc *sweep_report_plan(struct sweep *sweep);

#endif
