/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_run: measures the candidates that the search asks for, and tells it what came out. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "cmd/bisect.h"
#include "cmd/report_text.h"
#include "cmd/workload.h"
#include "model/job.h"
#include "model/result.h"

/* ---- the search ---- */

enum finding bisect_direction(const struct bisect *bisect)
{
	const char *direction = bisect->config->direction;
	enum polarity polarity = bisect->metric ? metric_polarity(bisect->metric) : POLARITY_NONE;

	if (direction)
		return !strcmp(direction, "lower")    ? FINDING_LOWER
		       : !strcmp(direction, "higher") ? FINDING_HIGHER
						      : FINDING_UNDECIDED;
	return polarity == POLARITY_HIGHER_IS_BETTER  ? FINDING_LOWER
	       : polarity == POLARITY_LOWER_IS_BETTER ? FINDING_HIGHER
						      : FINDING_UNDECIDED;
}

struct effect_rule bisect_rule(const struct bisect *bisect)
{
	return (struct effect_rule){
		.alpha = bisect->config->alpha,
		.min_effect = bisect->config->min_effect,
		.is_percent = metric_is_percent(bisect->metric),
	};
}

int bisect_take_metric(struct bisect *bisect, const struct result *result, struct err *err)
{
	const struct metric_choice choice = {
		.text = bisect->config->metric,
		.how = "--metric=NAME and --direction=lower, higher or any",
		.is_way_known = bisect->config->direction != NULL,
	};
	int ret = bisect->metric ? 0 : metric_resolve(result, &choice, &bisect->metric, err);

	if (ret == 0 && !bisect->has_begun)
		ret = bisect->quest->begin(bisect, err);
	if (ret == 0)
		bisect->has_begun = true;
	return ret;
}

void bisect_take_notes(struct bisect *bisect, const struct note_list *notes)
{
	if (bisect->whole)
		bisect = bisect->whole;
	for (size_t i = 0; i < notes->nr; i++) {
		const struct note *note = &notes->items[i];

		if (bisect->nr_of_note[note->id]++ == 0 && note->id != NOTE_UNTESTABLE)
			note_add(&bisect->notes, note->id, "%s", note->text);
	}
}

int bisect_feed(struct bisect *bisect, const struct trial_event *event, struct err *err)
{
	struct bisect_step step = { .phase = 0 };
	int ret = 0;

	if (bisect->has_begun)
		bisect->quest->next(bisect, &step);
	if (event->position >= bisect_nr(bisect))
		return err_set(err, ERR_INPUT, "candidate %zu is not due", event->position);
	while (bisect->nr_failures.nr < bisect_nr(bisect))
		vec_push(&bisect->nr_failures, 0);
	switch (event->kind) {
	case EVENT_RUN:
		if (!bisect->has_begun)
			return err_set(err, ERR_INPUT, "a run comes before the first warm-up");
		ret = bisect->quest->add(bisect, event->position, event->value, err);
		break;
	case EVENT_UNTESTABLE:
		if (bisect->has_begun)
			bisect->quest->untestable(bisect, event->position);
		break;
	case EVENT_FAILED:
		bisect->nr_failures.items[event->position]++;
		break;
	case EVENT_WARMUP:
		break;
	}
	if (ret < 0)
		return ret;
	trial_log_add(&bisect->log, event);
	vec_push(&bisect->moments,
		 (struct bisect_moment){ .phase = step.phase,
					 .is_counted = event->kind == EVENT_RUN });
	return 0;
}

/* ---- one trial ---- */

static int make_ready(struct bisect *bisect, size_t position, struct err *err)
{
	int ret;

	if (bisect->is_ready && bisect->ready_position == position)
		return 0;
	bisect->is_ready = false;
	candidate_setup_release(&bisect->setup);
	ret = bisect->quest->prepare(bisect, position, &bisect->setup, err);
	if (ret < 0)
		return ret;
	bisect->is_ready = true;
	bisect->ready_position = position;
	return 0;
}

/* For the command, for ${..} in job files, and for settings that are commands. */
static void export_candidate(const struct bisect *bisect, size_t position)
{
	(void)setenv("REGIO_CANDIDATE", bisect_candidate(bisect, position)->id, 1);
	if (bisect->setup.tree)
		(void)setenv("REGIO_TREE", bisect->setup.tree, 1);
	else
		(void)unsetenv("REGIO_TREE");
}

static int fill_settings(const struct bisect *bisect, struct setting_list *settings,
			 struct err *err)
{
	for (size_t i = 0; i < bisect->config->settings.nr; i++) {
		int ret = setting_list_parse(settings, bisect->config->settings.items[i], err);

		if (ret < 0)
			return err_prefix(err, "--set");
	}
	for (size_t i = 0; i < bisect->setup.settings.nr; i++)
		setting_list_add(settings, &bisect->setup.settings.items[i]);
	return 0;
}

static int run_trial(struct bisect *bisect, size_t position, uint64_t seed_nr,
		     struct result *ret_result, struct err *err)
{
	CLEANUP(trial_work) struct trial_work work = { .settings = { .nr = 0 } };
	int ret = fill_settings(bisect, &work.settings, err);

	export_candidate(bisect, position);
	if (ret == 0)
		ret = trial_work_parse(&work, &bisect->words, &bisect->config->trial, err);
	if (ret < 0)
		return ret;
	return session_trial(bisect->session,
			     &(struct session_trial){
				     .workload = &work.workload,
				     .settings = &work.settings,
				     .machine_settings = &work.machine_settings,
				     .label = bisect_candidate(bisect, position)->name,
				     .dir = bisect->setup.tree,
				     .seed_nr = seed_nr,
			     },
			     ret_result, err);
}

/* What one trial was, out of its result. */
static int judge(struct bisect *bisect, const struct result *result, struct trial_event *event,
		 struct err *err)
{
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };
	int ret;

	event->elapsed_ms = result->elapsed_ms;
	if (result_nr_failed(result)) {
		event->kind = EVENT_FAILED;
		event->text = report_failure(result);
		return 0;
	}
	ret = bisect_take_metric(bisect, result, err);
	if (ret < 0)
		return err_prefix(err, "%s", bisect_candidate(bisect, event->position)->name);
	result_metrics(result, &metrics);
	if (metric_find(&metrics, bisect->metric, &event->value) == 0 && isfinite(event->value))
		return 0;
	event->kind = EVENT_FAILED;
	event->text = xasprintf("there is no metric '%s' in its result", bisect->metric);
	return 0;
}

/* What the machine has no more of, or others have, for no candidate. */
static bool is_of_machine(int errno_value)
{
	static const int all[] = { EAGAIN, EALREADY, EDQUOT, EMFILE, ENFILE, ENOMEM, ENOSPC };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (all[i] == errno_value)
			return true;
	}
	return false;
}

/* What a machine cannot do for one candidate; plan and guard end the bisection. */
static bool is_of_candidate(int ret, const struct err *err)
{
	return (ret == -ERR_SYSTEM && !is_of_machine(err->saved_errno)) || ret == -ERR_INPUT ||
	       ret == -ERR_UNSUPPORTED;
}

static int keep(struct bisect *bisect, struct trial_event *event, struct result *result,
		struct err *err)
{
	int ret = bisect_store(bisect, event, result, err);

	return ret < 0 ? ret : bisect_feed(bisect, event, err);
}

static int keep_untestable(struct bisect *bisect, size_t position, const char *why, struct err *err)
{
	struct trial_event event = { .kind = EVENT_UNTESTABLE,
				     .position = position,
				     .text = (char *)(uintptr_t)why }; /* it is only read */

	progress_clear(&bisect->session->progress);
	log_warning("%s is left out: %s", bisect_candidate(bisect, position)->name, why);
	return keep(bisect, &event, NULL, err);
}

static int measure_once(struct bisect *bisect, struct trial_event *event, uint64_t seed_nr,
			struct err *err)
{
	CLEANUP(result) struct result result = { .label = NULL };
	int ret = run_trial(bisect, event->position, seed_nr, &result, err);

	if (ret == 0 && result.interrupted)
		return err_set(err, ERR_INTERRUPTED, "interrupted");
	if (ret < 0 && !is_of_candidate(ret, err))
		return ret;
	if (ret < 0) {
		event->kind = EVENT_FAILED;
		event->text = xstrdup(err->msg);
		return keep(bisect, event, NULL, err);
	}
	ret = judge(bisect, &result, event, err);
	if (ret == 0)
		ret = keep(bisect, event, &result, err);
	if (ret == 0)
		bisect_take_notes(bisect, &result.notes);
	return ret;
}

/* One trial, or the event that there can be none. */
static int take_trial(struct bisect *bisect, size_t position, enum trial_event_kind kind,
		      uint64_t seed_nr, struct err *err)
{
	struct trial_event event = { .kind = kind, .position = position };
	uint64_t start_ns = clock_now_ns();
	int ret;

	if (session_is_stopped(bisect->session))
		return err_set(err, ERR_INTERRUPTED, "interrupted");
	ret = make_ready(bisect, position, err);
	if (ret < 0)
		return ret;
	if (bisect->setup.why_untestable)
		return keep_untestable(bisect, position, bisect->setup.why_untestable, err);
	ret = measure_once(bisect, &event, seed_nr, err);
	if (ret == 0 && event.kind == EVENT_FAILED &&
	    (bisect->config->is_virtual || /* it would fail again the same way */
	     bisect->nr_failures.items[position] >= BISECT_MAX_FAILURES))
		ret = keep_untestable(bisect, position, event.text, err);
	free(event.text);
	bisect->nr_run++;
	bisect->run_ns += clock_now_ns() - start_ns;
	return ret;
}

/* ---- all of them ---- */

static void tell_progress(struct bisect *bisect, const struct bisect_step *step)
{
	struct progress *progress = &bisect->session->progress;
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;

	bisect->quest->say(bisect, step, &line);
	(void)snprintf(progress->prefix, sizeof(progress->prefix), "run %zu | %s | %.40s: ",
		       bisect_nr_runs(bisect->whole ? bisect->whole : bisect) + 1,
		       strbuf_str(&line), bisect_candidate(bisect, step->position)->name);
	progress_say(progress, "%s", progress->prefix);
}

static size_t count_warmups(const struct bisect *bisect, size_t position)
{
	size_t nr = 0;

	VEC_FOREACH (&bisect->log.events, event)
		nr += event->kind == EVENT_WARMUP && event->position == position;
	return nr;
}

static const char *why_untestable(const struct bisect *bisect, size_t position)
{
	VEC_FOREACH (&bisect->log.events, event) {
		if (event->kind == EVENT_UNTESTABLE && event->position == position)
			return event->text;
	}
	return NULL;
}

/* An end that cannot be measured: there is nothing to search between. */
static int check_end(const struct bisect *bisect, size_t position, struct err *err)
{
	const char *why = why_untestable(bisect, position);

	if (!why)
		return 0;
	return err_set(err, ERR_INPUT, "the %s end '%s' cannot be measured: %s",
		       position ? "bad" : "good", bisect_candidate(bisect, position)->name, why);
}

static int warm_up(struct bisect *bisect, size_t position, struct err *err)
{
	int ret = check_end(bisect, position, err);

	while (ret == 0 && !count_warmups(bisect, position)) {
		(void)snprintf(bisect->session->progress.prefix,
			       sizeof(bisect->session->progress.prefix),
			       "warm-up | %.40s: ", bisect_candidate(bisect, position)->name);
		progress_say(&bisect->session->progress, "%s", bisect->session->progress.prefix);
		ret = take_trial(bisect, position, EVENT_WARMUP, 0, err);
		if (ret == 0)
			ret = check_end(bisect, position, err);
	}
	return ret;
}

int bisect_measure(struct bisect *bisect, struct err *err)
{
	const size_t bad_end = bisect->quest->bad_end(bisect);
	struct bisect_step step;
	unsigned before = 0;
	int ret = warm_up(bisect, 0, err);

	if (ret == 0)
		ret = warm_up(bisect, bad_end, err);
	while (ret == 0) {
		bisect->quest->next(bisect, &step);
		if (step.phase != before && before == 0)
			bisect->quest->left_ends(bisect);
		before = step.phase;
		if (step.is_done)
			break;
		tell_progress(bisect, &step);
		ret = take_trial(bisect, step.position, EVENT_RUN, step.seed_nr, err);
		if (ret == 0 && (step.position == 0 || step.position == bad_end))
			ret = check_end(bisect, step.position, err);
	}
	progress_clear(&bisect->session->progress);
	return ret;
}
