/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep_trials: one trial of a matrix, from the store if it is there, else measured and stored. */
#include <stdlib.h>
#include <string.h>

#include "base/args.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "cmd/report_text.h"
#include "cmd/self_test.h"
#include "cmd/sweep.h"
#include "cmd/workload.h"
#include "journal/journal.h"
#include "model/job.h"
#include "model/metric.h"
#include "model/result.h"
#include "model/setting.h"
#include "target/guest_job.h"
#include "target/target.h"

/* The job, the settings and the stack of one point. */
static int point_work_init(struct trial_work *work, const struct sweep *sweep,
			   const struct plan_point *point, struct err *err)
{
	struct arg_list words = { .nr = 0 };
	int ret = plan_point_settings(&sweep->plan, point, &work->settings, err);

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < sweep->plan.words.nr; i++)
		arg_list_push(&words, sweep->plan.words.items[i]);
	ret = trial_work_parse(work, &words, &sweep->trial, err);
	arg_list_release(&words);
	return ret;
}

const struct plan_point *sweep_point(const struct sweep *sweep, size_t cell, size_t side)
{
	return &sweep->points.points.items[sweep->points.cells.items[cell].points.items[side]];
}

void sweep_trial_name(const struct sweep *sweep, const struct matrix_trial *trial,
		      char ret_name[SWEEP_NAME_LEN])
{
	(void)snprintf(ret_name, SWEEP_NAME_LEN, "%s.%u.%u",
		       sweep_point(sweep, trial->cell, trial->side)->id, trial->repeat,
		       trial->attempt);
}

/* ---- before the first trial ---- */

/* Phases one after the other, each as long as its longest job. 0 where a job has no limit. */
static uint64_t jobs_ns(const struct job_set *jobs)
{
	uint64_t sum_ns = 0, phase_ns = 0;

	for (size_t i = 0; i < jobs->nr; i++) {
		const struct job *job = &jobs->jobs[i];
		uint64_t ns = job->startdelay_max_ns + job->ramp_time_ns + job->runtime_ns;

		if (!job->runtime_ns)
			return 0;
		if (i && job->phase != jobs->jobs[i - 1].phase) {
			sum_ns += phase_ns;
			phase_ns = 0;
		}
		phase_ns = ns > phase_ns ? ns : phase_ns;
	}
	return sum_ns + phase_ns;
}

int sweep_blame_plan(int ret, struct err *err)
{
	if (ret != -ERR_USAGE)
		return ret;
	err->code = ERR_INPUT;
	return -ERR_INPUT;
}

/* The plan and the point in front of a message, unless that names the plan itself. */
static int blame_point(const struct sweep *sweep, const struct plan_point *point, int ret,
		       struct err *err)
{
	CLEANUP(strbuf) struct strbuf label = STRBUF_INIT;

	plan_point_label(&sweep->plan, point, &label);
	if (strncmp(err->msg, sweep->plan.source, strlen(sweep->plan.source)) != 0)
		(void)err_prefix(err, "%s: %s", sweep->plan.source, strbuf_str(&label));
	return sweep_blame_plan(ret, err);
}

int sweep_check_points(struct sweep *sweep, struct err *err)
{
	uint64_t sum_ns = 0;
	size_t nr = sweep->points.points.nr;
	bool is_known = sweep->plan.workload == PLAN_JOB;

	for (size_t i = 0; i < nr; i++) {
		const struct plan_point *point = &sweep->points.points.items[i];
		CLEANUP(trial_work) struct trial_work work = { .settings = { .nr = 0 } };
		int ret = point_work_init(&work, sweep, point, err);
		uint64_t ns;

		if (ret < 0)
			return blame_point(sweep, point, ret, err);
		ns = jobs_ns(&work.workload.jobs);
		is_known = is_known && ns;
		sum_ns += ns;
		if (i == 0)
			(void)workload_warn(&work.workload.jobs, true);
	}
	sweep->estimate_ns = sweep->plan.trial_ns ? sweep->plan.trial_ns
			     : is_known		  ? sum_ns / nr
						  : 0;
	return 0;
}

static bool is_known(const struct plan_texts *kernels, const char *kernel)
{
	VEC_FOREACH (kernels, item) {
		if (!strcmp(*item, kernel))
			return true;
	}
	return false;
}

/* Each kernel once, however many points have it. */
int sweep_check_targets(struct sweep *sweep, struct err *err)
{
	const struct target_ops *target = target_find(sweep->trial.target);
	struct plan_texts kernels = VEC_INIT;
	int ret = 0;

	for (size_t i = 0; target && target->check && ret == 0 && i < sweep->points.points.nr;
	     i++) {
		const struct plan_point *point = &sweep->points.points.items[i];
		struct setting_list settings = { .nr = 0 };
		const char *kernel;

		ret = plan_point_settings(&sweep->plan, point, &settings, err);
		kernel = ret == 0 ? guest_job_kernel(&settings) : NULL;
		if (ret == 0 && !(kernel && is_known(&kernels, kernel)))
			ret = target->check(&settings, err);
		if (ret == 0 && kernel)
			vec_push(&kernels, arena_strdup(&sweep->plan.arena, kernel));
		setting_list_release(&settings);
	}
	vec_release(&kernels);
	return ret < 0 ? err_prefix(err, "%s", sweep->plan.source) : ret;
}

int sweep_load_stored(struct sweep *sweep, struct err *err)
{
	int ret = store_list_trials(sweep->session.store, sweep->session.experiment, &sweep->stored,
				    err);

	for (size_t i = 0; ret == 0 && i < sweep->stored.nr; i++) {
		(void)name_index_place(&sweep->by_name, sweep->stored.items[i].name, i);
		if (sweep->stored.items[i].sequence >= sweep->session.nr_stored)
			sweep->session.nr_stored = sweep->stored.items[i].sequence + 1;
	}
	return ret;
}

/* ---- one trial ---- */

/* Hundreds of trials say the same with other numbers: one of each kind is enough to act on. */
static void take_notes(struct sweep *sweep, const struct note_list *notes)
{
	for (size_t i = 0; i < notes->nr; i++) {
		const struct note *note = &notes->items[i];

		if (sweep->nr_of_note[note->id]++ == 0)
			note_add(&sweep->notes, note->id, "%s", note->text);
	}
}

/* The number that decides, out of a result; the first one tells which that is. */
static int take_value(struct sweep *sweep, const struct result *result, double *ret_value,
		      struct err *err)
{
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };
	const struct metric_choice choice = {
		.text = sweep->plan.metric,
		.how = "'metric:' and 'better:'",
		.is_way_known = sweep->plan.better != POLARITY_NONE,
	};
	int ret = 0;

	take_notes(sweep, &result->notes);
	if (!sweep->metric)
		ret = metric_resolve(result, &choice, &sweep->metric, err);
	if (ret < 0)
		return err_prefix(err, "%s", sweep->plan.source);
	result_metrics(result, &metrics);
	if (metric_find(&metrics, sweep->metric, ret_value) < 0)
		return err_set(err, ERR_INPUT,
			       "a trial has no metric '%s': too few I/Os for a percentile, or "
			       "nothing done in that direction",
			       sweep->metric);
	return 0;
}

static int answer_from_store(struct sweep *sweep, const struct store_trial *stored, bool is_warmup,
			     enum matrix_outcome *ret_answer, double *ret_value, struct err *err)
{
	CLEANUP(result) struct result result = { .label = NULL };
	int ret;

	sweep->nr_stored_used++;
	if (!stored->used) {
		*ret_answer = is_warmup ? MATRIX_VALUE : MATRIX_FAILED;
		return 0;
	}
	ret = store_get_result(sweep->session.store, stored->run, &result, err);
	if (ret == 0)
		ret = take_value(sweep, &result, ret_value, err);
	*ret_answer = MATRIX_VALUE;
	return ret;
}

uint64_t sweep_trial_ns(const struct sweep *sweep)
{
	return sweep->nr_run ? sweep->run_ns / sweep->nr_run : sweep->estimate_ns;
}

static bool is_over(struct sweep *sweep)
{
	uint64_t spent_ns = clock_now_ns() - sweep->start_ns;

	if (session_is_stopped(&sweep->session))
		sweep->why_stopped = "interrupted";
	else if (sweep->plan.budget_trials && sweep->nr_run >= sweep->plan.budget_trials)
		sweep->why_stopped = "the budget of trials is used up";
	else if (sweep->plan.budget_ns && spent_ns + sweep_trial_ns(sweep) > sweep->plan.budget_ns)
		sweep->why_stopped = "the budget of time is used up";
	return sweep->why_stopped != NULL;
}

static void tell_progress(struct sweep *sweep, const struct matrix_trial *trial, const char *label)
{
	size_t nr_done = sweep->nr_stored_used + sweep->nr_run;
	size_t nr_left = sweep->nr_planned > nr_done ? sweep->nr_planned - nr_done : 0;
	const uint64_t second_ns = 1000000000;
	uint64_t left_ns = nr_left * sweep_trial_ns(sweep) / second_ns * second_ns;
	char left[UNITS_TEXT_LEN];

	(void)snprintf(sweep->session.progress.prefix, sizeof(sweep->session.progress.prefix),
		       "trial %zu of %s%zu%s%s%s | %s%.60s: ", nr_done + 1,
		       sweep->plan.is_sequential ? "at most " : "", sweep->nr_planned,
		       left_ns ? ", about " : "",
		       left_ns ? units_print_duration_ns(left_ns, left, sizeof(left)) : "",
		       left_ns ? " left" : "", trial->repeat ? "" : "warm-up, ", label);
	progress_say(&sweep->session.progress, "%s", sweep->session.progress.prefix);
}

/* A machine that cannot do one combination fails that cell; plan and guard end the matrix. */
static bool is_of_the_cell(int ret)
{
	return ret == -ERR_SYSTEM || ret == -ERR_INPUT || ret == -ERR_UNSUPPORTED;
}

/* In virtual time the trial before the first is the first guest of the first cell. */
static bool is_self_test(const struct matrix_trial *trial)
{
	return trial->repeat == 0;
}

static bool is_self_tested(const struct matrix_trial *trial)
{
	return trial->cell == 0 && trial->side == 0 && trial->repeat == 1;
}

/* Keeps what the guest said, or compares with it. */
static int take_words(struct sweep *sweep, const struct matrix_trial *trial, struct result *result,
		      struct err *err)
{
	CLEANUP(free) char *again = NULL;
	int ret;

	if (!sweep->is_virtual || !(is_self_test(trial) || (sweep->said && is_self_tested(trial))))
		return 0;
	if (is_self_test(trial)) {
		free(sweep->said);
		sweep->said = self_test_words(result);
		return 0;
	}
	again = self_test_words(result);
	ret = self_test_compare(sweep->said, again, err);
	sweep->is_proven = ret == 0;
	return ret;
}

/* What a failed trial could not undo would be in the way of all after it. */
static int check_undone(struct err *err)
{
	struct err left = { .code = 0 };
	size_t nr = 0;

	if (journal_restore(NULL, 0, &nr, &left) == 0)
		return 0;
	return err_set(err, ERR_SYSTEM, "%s; and then: %s", err->msg, left.msg);
}

static int trial_measure(struct sweep *sweep, const struct matrix_trial *trial, const char *label,
			 struct result *ret_result, struct err *err)
{
	CLEANUP(trial_work) struct trial_work work = { .settings = { .nr = 0 } };
	int ret = point_work_init(&work, sweep, sweep_point(sweep, trial->cell, trial->side), err);
	const struct session_trial session_work = {
		.workload = &work.workload,
		.settings = &work.settings,
		.machine_settings = &work.machine_settings,
		.label = label,
		.seed_nr = sweep->is_virtual && is_self_test(trial) ? 1 : trial->repeat,
	};

	return ret < 0 ? ret : session_trial(&sweep->session, &session_work, ret_result, err);
}

/* Jobs have noted theirs; a command ends as it likes. */
static void take_failure(struct sweep *sweep, const char *label, const struct result *result)
{
	CLEANUP(free) char *failure = result->command ? report_failure(result) : NULL;

	if (failure)
		note_add(&sweep->notes, NOTE_TRIAL_FAILED, "%s: %s", label, failure);
}

static int answer_by_trial(struct sweep *sweep, const struct matrix_trial *trial,
			   enum matrix_outcome *ret_answer, double *ret_value, struct err *err)
{
	CLEANUP(strbuf) struct strbuf label = STRBUF_INIT;
	CLEANUP(result) struct result result = { .label = NULL };
	char name[SWEEP_NAME_LEN];
	uint64_t start_ns = clock_now_ns();
	bool has_failed;
	int ret;

	plan_point_label(&sweep->plan, sweep_point(sweep, trial->cell, trial->side), &label);
	sweep_trial_name(sweep, trial, name);
	tell_progress(sweep, trial, strbuf_str(&label));
	ret = trial_measure(sweep, trial, strbuf_str(&label), &result, err);
	if (ret == -ERR_INTERRUPTED || (ret == 0 && result.interrupted)) {
		sweep->why_stopped = "interrupted";
		*ret_answer = MATRIX_STOP;
		return 0;
	}
	sweep->nr_run++;
	sweep->run_ns += clock_now_ns() - start_ns;
	if (ret < 0 && is_of_the_cell(ret)) {
		note_add(&sweep->notes, NOTE_TRIAL_FAILED, "%s: %s", strbuf_str(&label), err->msg);
		sweep->nr_failed++;
		*ret_answer = MATRIX_FAILED;
		return check_undone(err);
	}
	if (ret < 0)
		return blame_point(sweep, sweep_point(sweep, trial->cell, trial->side), ret, err);
	has_failed = result_nr_failed(&result) > 0;
	sweep->nr_failed += has_failed;
	*ret_answer = has_failed ? MATRIX_FAILED : MATRIX_VALUE;
	ret = has_failed ? 0 : take_words(sweep, trial, &result, err);
	if (ret == 0 && !name_index_find(&sweep->by_name, name)) /* a repeated self-test is there */
		ret = session_store_trial(&sweep->session, strbuf_str(&label), name,
					  trial->repeat > 0 && !has_failed, &result, err);
	if (ret < 0 || has_failed) {
		take_notes(sweep, &result.notes);
		take_failure(sweep, strbuf_str(&label), &result);
		return ret;
	}
	return trial->repeat ? take_value(sweep, &result, ret_value, err) : 0;
}

/* A call that goes on tests the clock again as long as there is something to compare with. */
static bool is_retested(const struct sweep *sweep, const struct matrix_trial *trial)
{
	const struct matrix_trial compared = { .repeat = 1, .attempt = 1 };
	char name[SWEEP_NAME_LEN];

	if (!sweep->is_virtual || !is_self_test(trial))
		return false;
	sweep_trial_name(sweep, &compared, name);
	return !name_index_find(&sweep->by_name, name);
}

int sweep_answer(void *arg, const struct matrix_trial *trial, enum matrix_outcome *ret_answer,
		 double *ret_value, struct err *err)
{
	struct sweep *sweep = arg;
	char name[SWEEP_NAME_LEN];
	const size_t *place;

	sweep_trial_name(sweep, trial, name);
	place = name_index_find(&sweep->by_name, name);
	if (place && !is_retested(sweep, trial))
		return answer_from_store(sweep, &sweep->stored.items[*place], trial->repeat == 0,
					 ret_answer, ret_value, err);
	if (is_over(sweep)) {
		*ret_answer = MATRIX_STOP;
		return 0;
	}
	return answer_by_trial(sweep, trial, ret_answer, ret_value, err);
}
