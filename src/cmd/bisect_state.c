/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_state: what a bisection keeps in the store, and how it goes on from there. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/verdict.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "base/name_index.h"
#include "base/units.h"
#include "cmd/bisect.h"
#include "cmd/report_json.h"
#include "cmd/tuning.h"
#include "model/result.h"
#include "store/store.h"

char *bisect_cache_dir(const struct bisect_config *config, struct err *err)
{
	char *usual;

	if (config->cache_dir && config->cache_dir[0] == '/')
		return xstrdup(config->cache_dir);
	if (config->cache_dir) {
		CLEANUP(free) char *here = realpath(".", NULL);

		return xasprintf("%s/%s", here ? here : ".", config->cache_dir);
	}
	usual = file_cache_folder("bisect");
	if (!usual)
		(void)err_set(err, ERR_USAGE,
			      "no home directory for built candidates; name a --cache");
	return usual;
}

/* ---- the plan of an experiment ---- */

json_t *bisect_candidates_json(const struct candidate_list *list)
{
	json_t *array = json_array();

	VEC_FOREACH (list, candidate)
		(void)json_array_append_new(array,
					    json_pack("[o, o, o]", report_text(candidate->id),
						      report_text(candidate->name),
						      report_text(candidate->text)));
	return array;
}

static json_t *words_json(int argc, char *const *argv)
{
	json_t *array = json_array();

	for (int i = 0; i < argc; i++)
		(void)json_array_append_new(array, report_text(argv[i]));
	return array;
}

int bisect_begin(struct bisect *bisect, int argc, char *const *argv, struct err *err)
{
	CLEANUP(free) char *here = realpath(".", NULL);
	json_t *more = json_pack("{s:o, s:o, s:s, s:o}", "argv", words_json(argc, argv), "cwd",
				 report_text(here), "candidates_of", bisect->ops->name,
				 "candidates", bisect_candidates_json(bisect_planned(bisect)));
	CLEANUP(free) char *json = report_dump(more);
	CLEANUP(free)
	char *digest = xasprintf("%016" PRIx64 "%016" PRIx64, name_hash(json), clock_wall_ns());
	const struct session_plan plan = {
		.kind = "bisect",
		.command = bisect->command,
		.digest = digest,
		.source = here,
		.more = json,
		.is_fresh = true,
	};
	bool goes_on;
	int ret = session_open_plan(bisect->session, &bisect->config->trial, &plan, &goes_on, err);

	if (ret < 0)
		return ret;
	bisect->experiment = bisect->session->experiment;
	return 0;
}

int bisect_find(struct bisect *bisect, const struct arg_list *words, bool is_unfinished,
		struct store_experiment *ret_experiment, struct err *err)
{
	CLEANUP(store) struct store *store = NULL;
	uint64_t id = 0;
	int ret;

	if (words->nr > 1 || (words->nr && (units_parse_u64(words->items[0], &id, NULL) < 0 ||
					    id == 0 || id > INT64_MAX)))
		return err_set(err, ERR_USAGE,
			       "'%s' is not the number of an experiment of the store",
			       words->items[words->nr - 1]);
	ret = store_open(bisect->config->trial.store_path, &store, err);
	if (ret == 0)
		ret = store_get_experiment(store, "bisect", (int64_t)id, ret_experiment, err);
	if (ret < 0)
		return ret;
	if (!ret_experiment->id && id)
		return err_set(err, ERR_INPUT, "store '%s' has no bisection with number %llu",
			       store_path(store), (unsigned long long)id);
	if (!ret_experiment->id)
		return err_set(err, ERR_INPUT, "store '%s' has no bisection", store_path(store));
	if (is_unfinished && ret_experiment->has_ended &&
	    strcmp(ret_experiment->verdict, verdict_name(VERDICT_UNDECIDED)) != 0)
		return err_set(
			err, ERR_INPUT,
			"bisection %lld has its answer; 'regio bisect --log %lld' prints what "
			"--replay tells it from",
			(long long)ret_experiment->id, (long long)ret_experiment->id);
	bisect->experiment = ret_experiment->id;
	bisect->store_path = realpath(store_path(store), NULL);
	return 0;
}

const struct candidate_ops *bisect_find_source(const char *name)
{
	return !strcmp(name, tuning_candidates.name) ? &tuning_candidates : candidate_find(name);
}

const struct candidate_list *bisect_planned(const struct bisect *bisect)
{
	return bisect->tuning ? &bisect->tuning->settings : &bisect->log.candidates;
}

void bisect_read_candidates(const json_t *array, struct candidate_list *list)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		const json_t *item = json_array_get(array, i);
		const char *id = json_string_value(json_array_get(item, 0));
		const char *short_name = json_string_value(json_array_get(item, 1));
		const char *text = json_string_value(json_array_get(item, 2));

		if (!id || !short_name || !text)
			break;
		candidate_list_add(list, id, short_name, text);
	}
}

int bisect_read_plan(struct bisect *bisect, const json_t *plan, struct err *err)
{
	const json_t *array = json_object_get(plan, "candidates");
	const char *name = json_string_value(json_object_get(plan, "candidates_of"));

	bisect_read_candidates(array, &bisect->planned);
	bisect->ops = name ? bisect_find_source(name) : NULL;
	if (!bisect->planned.nr || bisect->planned.nr != json_array_size(array) || !bisect->ops)
		return err_set(err, ERR_INPUT, "the store knows no candidates of bisection %lld",
			       (long long)bisect->experiment);
	return 0;
}

void bisect_use_plan(struct bisect *bisect)
{
	struct candidate_list *to = &bisect->log.candidates;

	if (bisect->ops == &tuning_candidates) {
		bisect->quest = &bisect_settings;
		bisect->tuning = xcalloc(1, sizeof(*bisect->tuning));
		to = &bisect->tuning->settings;
	}
	*to = bisect->planned;
	bisect->planned = (struct candidate_list)VEC_INIT; /* moved */
}

/* ---- trials ---- */

/* A trial without a measurement: its reason, in the same place as those with one. */
static void fill_empty_result(struct bisect *bisect, const struct trial_event *event,
			      struct result *result)
{
	const uint64_t ns_per_ms = 1000000;

	result->tool = xstrdup("regio");
	result->started_at_unix_ms = (int64_t)(clock_wall_ns() / ns_per_ms);
	result->seed = bisect->session->seed;
	note_add(&result->notes, NOTE_UNTESTABLE, "%s", event->text ? event->text : "");
}

int bisect_store(struct bisect *bisect, const struct trial_event *event, struct result *result,
		 struct err *err)
{
	CLEANUP(result) struct result empty = { .label = NULL };
	CLEANUP(free)
	char *name = xasprintf("%06zu %s %zu", bisect->first_event + bisect->log.events.nr,
			       trial_event_name(event->kind), event->position);

	if (!result) {
		result = &empty;
		fill_empty_result(bisect, event, result);
	} else if (event->kind == EVENT_FAILED) {
		note_add(&result->notes, NOTE_UNTESTABLE, "%s", event->text);
	}
	return session_store_trial(bisect->session, bisect_candidate(bisect, event->position)->name,
				   name, event->kind == EVENT_RUN, result, err);
}

/* "000012 run 37" */
static int parse_trial(const struct bisect *bisect, const char *name, struct trial_event *ret_event,
		       struct err *err)
{
	char kind[16] = "";
	size_t nr = 0;
	int parsed_kind = -1;

	if (sscanf(name, "%zu %15s %zu", &nr, kind, &ret_event->position) == 3)
		parsed_kind = trial_event_kind_by_name(kind);
	if (parsed_kind < 0 || nr != bisect->first_event + bisect->log.events.nr)
		return err_set(err, ERR_INPUT, "trial '%s' does not belong to bisection %lld", name,
			       (long long)bisect->experiment);
	ret_event->kind = (enum trial_event_kind)parsed_kind;
	return 0;
}

static char *stored_reason(const struct result *result)
{
	for (size_t i = result->notes.nr; i-- > 0;) {
		if (result->notes.items[i].id == NOTE_UNTESTABLE)
			return xstrdup(result->notes.items[i].text);
	}
	return NULL;
}

static int load_trial(struct bisect *bisect, const struct store_trial *stored, struct err *err)
{
	CLEANUP(result) struct result result = { .label = NULL };
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };
	CLEANUP(free) char *reason = NULL;
	struct trial_event event = { .elapsed_ms = stored->elapsed_ms };
	int ret = parse_trial(bisect, stored->name, &event, err);

	if (ret == 0)
		ret = store_get_result(bisect->session->store, stored->run, &result, err);
	if (ret == 0 && (event.kind == EVENT_RUN || event.kind == EVENT_WARMUP)) {
		ret = bisect_take_metric(bisect, &result, err);
		result_metrics(&result, &metrics);
		if (ret == 0 && metric_find(&metrics, bisect->metric, &event.value) < 0)
			ret = err_set(err, ERR_INPUT, "trial '%s' has no metric '%s'", stored->name,
				      bisect->metric);
	}
	if (ret < 0)
		return ret;
	reason = stored_reason(&result);
	event.text = reason;
	bisect_take_notes(bisect, &result.notes);
	return bisect_feed(bisect, &event, err);
}

int bisect_load(struct bisect *bisect, const json_t *plan, struct err *err)
{
	CLEANUP(store_trial_list) struct store_trial_list list = { .nr = 0 };
	int ret = store_list_trials(bisect->session->store, bisect->experiment, &list, err);

	for (size_t i = 0; ret == 0 && i < list.nr; i++) {
		ret = bisect_enter_planned(bisect, plan, err);
		if (ret == 0)
			ret = load_trial(bisect_working(bisect), &list.items[i], err);
		bisect->session->nr_stored = list.items[i].sequence + 1;
	}
	return ret < 0 ? ret : bisect_enter_planned(bisect, plan, err);
}
