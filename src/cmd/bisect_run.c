/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_run: measures the candidates that the search asks for, and tells it what came out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "base/units.h"
#include "cmd/bisect.h"
#include "cmd/workload.h"
#include "model/job.h"
#include "model/result.h"
#include "stats/levels.h"

/* Tells trials of the phases apart where seeds are numbered. */
#define PHASE_SEEDS 1000000

/* ---- the search ---- */

static enum finding bad_direction(const struct bisect *bisect)
{
	const char *direction = bisect->config->direction;
	enum polarity polarity = metric_polarity(bisect->metric);

	if (direction)
		return !strcmp(direction, "lower")    ? FINDING_LOWER
		       : !strcmp(direction, "higher") ? FINDING_HIGHER
						      : FINDING_UNDECIDED;
	return polarity == POLARITY_HIGHER_IS_BETTER  ? FINDING_LOWER
	       : polarity == POLARITY_LOWER_IS_BETTER ? FINDING_HIGHER
						      : FINDING_UNDECIDED;
}

int bisect_begin_search(struct bisect *bisect, struct err *err)
{
	const struct bisect_config *config = bisect->config;
	const struct search_options options = {
		.last = bisect_nr(bisect) - 1,
		.direction = bisect->metric ? bad_direction(bisect) : FINDING_UNDECIDED,
		.rule = {
			.alpha = config->alpha,
			.min_effect = config->min_effect,
			.is_percent =
				bisect->metric && !strcmp(metric_unit(bisect->metric), "%"),
		},
		.level = config->level,
		.nr_repeats = config->nr_repeats,
		.max_runs = config->max_runs,
		.max_end_pairs = config->max_end_pairs,
		.max_confirm_pairs = config->max_confirm_pairs,
		.seed = bisect->session.seed,
	};

	search_free(bisect->search);
	bisect->search = NULL;
	return search_new(&options, &bisect->search, err);
}

int bisect_take_metric(struct bisect *bisect, const struct result *result, struct err *err)
{
	int ret = bisect->metric
			  ? 0
			  : metric_resolve(result, bisect->config->metric, &bisect->metric, err);

	return ret == 0 && !bisect->search ? bisect_begin_search(bisect, err) : ret;
}

void bisect_take_notes(struct bisect *bisect, const struct note_list *notes)
{
	for (size_t i = 0; i < notes->nr; i++) {
		const struct note *note = &notes->items[i];

		if (bisect->nr_of_note[note->id]++ == 0 && note->id != NOTE_UNTESTABLE)
			note_add(&bisect->notes, note->id, "%s", note->text);
	}
}

double bisect_entropy(const struct search *search)
{
	size_t nr;
	const struct search_hypothesis *items = search_posterior(search, &nr);
	double entropy = 0;

	for (size_t i = 0; i < nr; i++) {
		if (items[i].probability > 0)
			entropy -= items[i].probability * log2(items[i].probability);
	}
	return entropy;
}

int bisect_feed(struct bisect *bisect, const struct trial_event *event, struct err *err)
{
	struct search_step step = { .phase = SEARCH_DONE };
	int ret = 0;

	if (bisect->search)
		search_next(bisect->search, &step);
	switch (event->kind) {
	case EVENT_RUN:
		if (!bisect->search)
			return err_set(err, ERR_INPUT, "a run comes before the first warm-up");
		ret = search_add(bisect->search, event->position, event->value, err);
		break;
	case EVENT_UNTESTABLE:
		if (bisect->search)
			search_untestable(bisect->search, event->position);
		break;
	case EVENT_FAILED:
		bisect->nr_failures[event->position]++;
		break;
	case EVENT_WARMUP:
		step.phase = SEARCH_DONE;
		break;
	}
	if (ret < 0)
		return ret;
	trial_log_add(&bisect->log, event);
	vec_push(&bisect->moments, (struct bisect_moment){ .phase = step.phase });
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
	ret = candidate_prepare(&bisect->source, position, &bisect->setup, err);
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
	return session_trial(&bisect->session,
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

/* Why a result cannot count. Caller frees. */
static char *failure_text(const struct result *result)
{
	for (size_t i = 0; i < result->nr_jobs; i++) {
		const struct job_result *job = &result->jobs[i];

		if (job_result_has_failed(job))
			return xasprintf("%s: %s", job->name,
					 job->error_where ? job->error_where
							  : strerror(job->error));
	}
	return xstrdup("failed");
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
		event->text = failure_text(result);
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

/* What a machine cannot do for one candidate; plan and guard end the bisection. */
static bool is_of_candidate(int ret)
{
	return ret == -ERR_SYSTEM || ret == -ERR_INPUT || ret == -ERR_UNSUPPORTED;
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

	progress_clear(&bisect->session.progress);
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
	if (ret < 0 && !is_of_candidate(ret))
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

	if (session_is_stopped(&bisect->session))
		return err_set(err, ERR_INTERRUPTED, "interrupted");
	ret = make_ready(bisect, position, err);
	if (ret < 0)
		return ret;
	if (bisect->setup.why_untestable)
		return keep_untestable(bisect, position, bisect->setup.why_untestable, err);
	ret = measure_once(bisect, &event, seed_nr, err);
	if (ret == 0 && event.kind == EVENT_FAILED &&
	    bisect->nr_failures[position] >= BISECT_MAX_FAILURES)
		ret = keep_untestable(bisect, position, event.text, err);
	free(event.text);
	bisect->nr_run++;
	bisect->run_ns += clock_now_ns() - start_ns;
	return ret;
}

/* ---- the order ---- */

static uint64_t estimate_left_ns(const struct bisect *bisect, const struct search_answer *answer)
{
	uint64_t trial_ns = bisect->nr_run ? bisect->run_ns / bisect->nr_run : 0;
	double gained, left;

	if (bisect->nr_search_run < 5)
		return 0;
	left = bisect_entropy(bisect->search);
	gained = bisect->first_entropy - left;
	if (gained <= 0)
		return 0;
	left *= (double)bisect->nr_search_run / gained; /* runs, if they tell as much as before */
	left = fmin(left, bisect->config->max_runs - (double)answer->nr_search_runs);
	return (uint64_t)(left + 2 * LEVELS_MIN_PAIRS) * trial_ns;
}

static void tell_progress(struct bisect *bisect, const struct search_step *step)
{
	struct progress *progress = &bisect->session.progress;
	const struct candidate *candidate = bisect_candidate(bisect, step->position);
	const uint64_t second_ns = 1000000000;
	struct search_answer answer;
	char left[UNITS_TEXT_LEN];
	uint64_t left_ns;

	search_answer(bisect->search, &answer);
	if (step->phase != SEARCH_QUERY) {
		(void)snprintf(progress->prefix, sizeof(progress->prefix),
			       "run %zu | %s: pair %zu | %.40s: ", bisect->moments.nr + 1,
			       step->phase == SEARCH_ENDS ? "is it reproducible" : "confirm",
			       step->nr_pairs + 1, candidate->name);
	} else {
		left_ns = estimate_left_ns(bisect, &answer) / second_ns * second_ns;
		(void)snprintf(progress->prefix, sizeof(progress->prefix),
			       "run %zu | search: %.0f %% in %.40s%s%s%s | %.40s: ",
			       bisect->moments.nr + 1, 100 * answer.probability,
			       bisect_candidate(bisect, answer.first_bad)->name,
			       left_ns ? ", about " : "",
			       left_ns ? units_print_duration_ns(left_ns, left, sizeof(left)) : "",
			       left_ns ? " left" : "", candidate->name);
	}
	progress_say(progress, "%s", progress->prefix);
}

/* The same for both sides of a pair, and for repetitions of a trial that failed. */
static uint64_t step_seed(const struct bisect *bisect, const struct search_step *step)
{
	struct search_answer answer;

	search_answer(bisect->search, &answer);
	return (uint64_t)step->phase * PHASE_SEEDS + 1 +
	       (step->phase == SEARCH_QUERY ? answer.nr_search_runs : step->nr_pairs);
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
		(void)snprintf(bisect->session.progress.prefix,
			       sizeof(bisect->session.progress.prefix),
			       "warm-up | %.40s: ", bisect_candidate(bisect, position)->name);
		progress_say(&bisect->session.progress, "%s", bisect->session.progress.prefix);
		ret = take_trial(bisect, position, EVENT_WARMUP, 0, err);
		if (ret == 0)
			ret = check_end(bisect, position, err);
	}
	return ret;
}

static void warn_of_noise(const struct bisect *bisect)
{
	struct search_answer answer;

	search_answer(bisect->search, &answer);
	if (answer.is_noise_larger)
		log_warning("the noise of one run (%.1f %%) is larger than the effect: the search "
			    "will be long; longer runs or a quieter machine are cheaper",
			    100 * answer.spread);
}

int bisect_measure(struct bisect *bisect, struct err *err)
{
	const size_t last = bisect_nr(bisect) - 1;
	enum search_phase before = SEARCH_ENDS;
	struct search_step step;
	int ret = warm_up(bisect, 0, err);

	if (ret == 0)
		ret = warm_up(bisect, last, err);
	while (ret == 0) {
		search_next(bisect->search, &step);
		if (step.phase != before && before == SEARCH_ENDS)
			warn_of_noise(bisect);
		before = step.phase;
		if (step.phase == SEARCH_DONE)
			break;
		if (step.phase == SEARCH_QUERY && bisect->nr_search_run++ == 0)
			bisect->first_entropy = bisect_entropy(bisect->search);
		tell_progress(bisect, &step);
		ret = take_trial(bisect, step.position, EVENT_RUN, step_seed(bisect, &step), err);
		if (ret == 0 && (step.position == 0 || step.position == last))
			ret = check_end(bisect, step.position, err);
	}
	progress_clear(&bisect->session.progress);
	return ret;
}
