/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_enter: goes on inside a merge that was found, as a bisection within the bisection. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/log.h"
#include "cmd/bisect.h"
#include "cmd/report_json.h"
#include "store/store.h"

/* Tells trials of one entered merge from those of another where seeds are numbered. */
#define ENTERED_SEEDS 100000000
#define FIRST_MERGED_PARENT 2

/* ---- where it is ---- */

static struct bisect *line_of(struct bisect *whole, size_t nr)
{
	return nr ? whole->entered.items[nr - 1] : whole;
}

const struct bisect *bisect_line(const struct bisect *whole, size_t nr)
{
	return nr ? whole->entered.items[nr - 1] : whole;
}

static size_t last_nr(const struct bisect *whole)
{
	size_t nr = whole->entered.nr;

	while (nr > 0 && !bisect_has_search(bisect_line(whole, nr)))
		nr--;
	return nr;
}

const struct bisect *bisect_last(const struct bisect *whole)
{
	return bisect_line(whole, last_nr(whole));
}

struct bisect *bisect_working(struct bisect *whole)
{
	return line_of(whole, last_nr(whole));
}

const struct bisect *bisect_final(const struct bisect *whole)
{
	size_t final = 0;

	for (size_t i = 1; i < bisect_nr_lines(whole); i++) {
		const struct bisect *line = bisect_line(whole, i);

		if (line->log.entry.line == final && bisect_has_search(line) &&
		    bisect_is_sure(line))
			final = i;
	}
	return bisect_line(whole, final);
}

bool bisect_is_entered(const struct bisect *whole, const struct bisect *line, size_t position)
{
	VEC_FOREACH (&whole->entered, entered) {
		const struct trial_entry *entry = &(*entered)->log.entry;

		if (bisect_line(whole, entry->line) == line && entry->position == position)
			return true;
	}
	return false;
}

size_t bisect_nr_events(const struct bisect *whole)
{
	const struct bisect *newest = bisect_line(whole, whole->entered.nr);

	return newest->first_event + newest->log.events.nr;
}

bool bisect_is_sure(const struct bisect *line)
{
	struct search_answer answer;

	search_answer(line->search, &answer);
	return answer.state == SEARCH_FOUND &&
	       (answer.is_confirmed || line->config->max_confirm_pairs == 0);
}

bool bisect_has_no_effect(const struct bisect *line)
{
	struct search_answer answer;

	search_answer(line->search, &answer);
	return answer.state == SEARCH_NOT_REPRODUCIBLE || answer.state == SEARCH_OPPOSITE ||
	       answer.state == SEARCH_END_UNTESTABLE;
}

/* ---- where it goes next ---- */

/*
 * One commit that was found for sure: by its second parent. A side that is no worse than what it
 * began with: by the next parent of the same merge. Whether there is such a parent is not known
 * here.
 */
static bool find_due(const struct bisect *whole, struct trial_entry *ret_entry)
{
	size_t nr = last_nr(whole);
	const struct bisect *last = bisect_line(whole, nr);
	struct trial_entry entry;
	struct search_answer answer;

	if (whole->quest != &bisect_order || !whole->has_begun)
		return false;
	search_answer(last->search, &answer);
	if (bisect_is_sure(last) && answer.first_bad == answer.last_good + 1) {
		entry = (struct trial_entry){ .line = nr,
					      .position = answer.first_bad,
					      .parent = FIRST_MERGED_PARENT };
	} else if (nr > 0 && bisect_has_no_effect(last)) {
		entry = last->log.entry;
		entry.parent++;
	} else {
		return false;
	}
	entry.parent += (unsigned)(whole->entered.nr - nr); /* these were closed */
	*ret_entry = entry;
	return true;
}

static bool is_same_door(const struct trial_entry *a, const struct trial_entry *b)
{
	return a->line == b->line && a->position == b->position && a->parent == b->parent;
}

/* ---- going in ---- */

static enum finding found_direction(const struct bisect *whole)
{
	struct search_answer answer;

	search_answer(whole->search, &answer);
	return answer.ends.finding;
}

int bisect_enter_again(struct bisect *whole, struct trial_log *log, struct err *err)
{
	const size_t nr = whole->entered.nr + 1;
	struct trial_entry due = { .parent = 0 };
	struct bisect *inside;

	if (!find_due(whole, &due) || !is_same_door(&due, &log->entry) ||
	    nr > TRIAL_LOG_MAX_ENTERED)
		return err_set(err, ERR_INPUT,
			       "candidate %zu of line %zu is not entered by parent %u",
			       log->entry.position, log->entry.line, log->entry.parent);
	inside = xcalloc(1, sizeof(*inside));
	*inside = (struct bisect){
		.whole = whole,
		.first_event = bisect_nr_events(whole),
		.first_seed = (uint64_t)nr * ENTERED_SEEDS,
		.direction = found_direction(whole),
		.config = whole->config,
		.words = whole->words,
		.ops = whole->ops,
		.quest = whole->quest,
		.session = whole->session,
		.experiment = whole->experiment,
		.metric = whole->metric,
		.start_ns = whole->start_ns,
	};
	inside->log.candidates = log->candidates;
	inside->log.entry = log->entry;
	log->candidates = (struct candidate_list)VEC_INIT; /* moved */
	log->entry.why = NULL;
	vec_push(&whole->entered, inside);
	if (!bisect_has_search(inside))
		return 0;
	inside->has_begun = true;
	return inside->quest->begin(inside, err);
}

void bisect_leave(struct bisect *whole)
{
	while (whole->entered.nr > 0) {
		struct bisect *inside = vec_pop(&whole->entered);

		candidate_setup_release(&inside->setup);
		candidate_close(&inside->source); /* before that of the line it is on */
		search_free(inside->search);
		trial_log_release(&inside->log);
		vec_release(&inside->moments);
		vec_release(&inside->nr_failures);
		free(inside);
	}
	vec_release(&whole->entered);
}

/* What is behind that door; *ret_is_there: there is such a door. */
static int look_inside(struct bisect *whole, const struct trial_entry *entry, bool *ret_is_there,
		       struct candidate_source *ret_source, struct trial_log *ret_log,
		       struct err *err)
{
	const struct candidate_door door = { .position = entry->position, .parent = entry->parent };
	struct bisect *line = line_of(whole, entry->line);
	char *why = NULL;
	int ret = candidate_enter(&line->source, &door, ret_source, &why, err);

	if (ret < 0)
		return ret;
	*ret_is_there = ret_source->ops || why;
	ret_log->entry = *entry;
	ret_log->entry.why = why;
	VEC_FOREACH (&ret_source->list, candidate)
		candidate_list_add(&ret_log->candidates, candidate->id, candidate->name,
				   candidate->text);
	return 0;
}

/* ---- on disk ---- */

static json_t *entry_json(const struct bisect *inside)
{
	const struct trial_entry *entry = &inside->log.entry;

	return json_pack("{s:I, s:I, s:I, s:o, s:I, s:o}", "line", (json_int_t)entry->line,
			 "position", (json_int_t)entry->position, "parent",
			 (json_int_t)entry->parent, "why", report_text(entry->why), "events_before",
			 (json_int_t)inside->first_event, "candidates",
			 bisect_candidates_json(&inside->log.candidates));
}

/* Before its first trial: the plan says what positions of later trials mean. */
static int store_entry(const struct bisect *inside, struct err *err)
{
	CLEANUP(store_experiment) struct store_experiment experiment = { .id = 0 };
	CLEANUP(free) char *text = NULL;
	struct store *store = inside->session->store;
	json_t *plan, *entered;
	int ret;

	if (!store)
		return 0;
	ret = store_get_experiment(store, "bisect", inside->experiment, &experiment, err);
	if (ret < 0)
		return ret;
	plan = json_loads(experiment.plan_json ? experiment.plan_json : "", 0, NULL);
	if (!plan)
		return err_set(err, ERR_INPUT, "the plan of the bisection is damaged");
	if (!json_object_get(plan, "entered"))
		(void)json_object_set_new(plan, "entered", json_array());
	entered = json_object_get(plan, "entered");
	(void)json_array_append_new(entered, entry_json(inside));
	text = report_dump(plan);
	return store_change_plan(store, experiment.id, text, err);
}

static size_t number_of(const json_t *object, const char *key)
{
	return (size_t)json_integer_value(json_object_get(object, key));
}

static int read_entry(const struct bisect *whole, const json_t *item, struct trial_log *ret_log,
		      struct err *err)
{
	const json_t *candidates = json_object_get(item, "candidates");
	const char *why = json_string_value(json_object_get(item, "why"));

	ret_log->entry = (struct trial_entry){ .line = number_of(item, "line"),
					       .position = number_of(item, "position"),
					       .parent = (unsigned)number_of(item, "parent"),
					       .why = why ? xstrdup(why) : NULL };
	bisect_read_candidates(candidates, &ret_log->candidates);
	if (ret_log->candidates.nr != json_array_size(candidates) ||
	    (!why && ret_log->candidates.nr < 2))
		return err_set(err, ERR_INPUT, "the plan of bisection %lld is damaged",
			       (long long)whole->experiment);
	return 0;
}

/* The source of what an earlier call went into. */
static int open_again(struct bisect *whole, struct bisect *inside, struct err *err)
{
	CLEANUP(trial_log) struct trial_log log = { .options = VEC_INIT };
	bool is_there = false;
	int ret;

	if (!whole->source.ops || !bisect_has_search(inside)) /* it is only looked at */
		return 0;
	ret = look_inside(whole, &inside->log.entry, &is_there, &inside->source, &log, err);
	return ret < 0 ? ret
		       : bisect_compare_candidates(whole, &log.candidates, &inside->log.candidates,
						   err);
}

int bisect_enter_planned(struct bisect *whole, const json_t *plan, struct err *err)
{
	const json_t *entered = json_object_get(plan, "entered");

	while (whole->entered.nr < json_array_size(entered)) {
		CLEANUP(trial_log) struct trial_log log = { .options = VEC_INIT };
		const json_t *item = json_array_get(entered, whole->entered.nr);
		int ret;

		if (number_of(item, "events_before") != bisect_nr_events(whole))
			break;
		ret = read_entry(whole, item, &log, err);
		if (ret == 0)
			ret = bisect_enter_again(whole, &log, err);
		if (ret == 0)
			ret = open_again(whole, *vec_last(&whole->entered), err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

/* ---- all of it ---- */

static void tell(struct bisect *whole, const struct bisect *inside)
{
	const struct trial_entry *entry = &inside->log.entry;
	const struct candidate *merge =
		bisect_candidate(bisect_line(whole, entry->line), entry->position);

	progress_clear(&whole->session->progress);
	if (!bisect_has_search(inside))
		log_warning("%s is a merge; what came in by its parent %u is not searched: %s",
			    merge->name, entry->parent, entry->why);
	else
		log_warning("%s is a merge; goes on with the %zu %s that came in by its parent %u",
			    merge->name, bisect_nr(inside) - 1,
			    bisect_nr(inside) == 2 ? inside->ops->noun : inside->ops->nouns,
			    entry->parent);
}

static int go_in(struct bisect *whole, const struct trial_entry *entry, bool *ret_is_there,
		 struct err *err)
{
	CLEANUP(candidate_source) struct candidate_source source = { .ops = NULL };
	CLEANUP(trial_log) struct trial_log log = { .options = VEC_INIT };
	struct bisect *inside;
	int ret = look_inside(whole, entry, ret_is_there, &source, &log, err);

	if (ret == 0 && *ret_is_there)
		ret = bisect_enter_again(whole, &log, err);
	if (ret < 0 || !*ret_is_there)
		return ret;
	inside = *vec_last(&whole->entered);
	inside->source = source;
	source = (struct candidate_source){ .ops = NULL }; /* moved */
	ret = store_entry(inside, err);
	if (ret == 0)
		tell(whole, inside);
	return ret;
}

/* That an end of it cannot be measured is an answer: it is left at the merge. */
static int measure_inside(struct bisect *inside, struct err *err)
{
	struct search_answer answer;
	int ret = 0;

	search_answer(inside->search, &answer);
	if (answer.state == SEARCH_RUNNING)
		ret = bisect_measure(inside, err);
	search_answer(inside->search, &answer);
	if (ret != -ERR_INPUT || answer.state == SEARCH_RUNNING)
		return ret;
	*err = (struct err){ .code = 0 };
	return 0;
}

int bisect_enter(struct bisect *whole, struct err *err)
{
	struct trial_entry due;
	bool is_there = true;
	int ret = 0;

	while (ret == 0 && is_there) {
		struct bisect *last = bisect_working(whole);

		if (last != whole)
			ret = measure_inside(last, err);
		if (ret < 0 || whole->config->no_enter || !find_due(whole, &due) ||
		    whole->entered.nr == TRIAL_LOG_MAX_ENTERED)
			break;
		is_there = false;
		ret = go_in(whole, &due, &is_there, err);
	}
	return ret;
}
