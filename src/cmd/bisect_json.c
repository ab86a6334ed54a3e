/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_json: the answer of a bisection for programs, schema regio.bisect. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/verdict.h"
#include "base/arena.h"
#include "cmd/bisect.h"
#include "cmd/report_json.h"
#include "model/metric.h"
#include "stats/summary.h"

#define BISECT_JSON_VERSION 1

static json_t *name_json(const struct bisect *bisect, size_t position)
{
	const struct candidate *candidate = bisect_candidate(bisect, position);

	return json_pack("{s:I, s:o, s:o, s:o}", "index", (json_int_t)position, "id",
			 report_text(candidate->id), "name", report_text(candidate->name), "text",
			 report_text(candidate->text));
}

json_t *bisect_begin_json(void)
{
	return json_pack("{s:s, s:i}", "schema", "regio.bisect", "version", BISECT_JSON_VERSION);
}

json_t *bisect_side_json(const char *label, const double *values, size_t nr)
{
	json_t *object = json_pack("{s:o}", "label", report_text(label));
	struct summary summary;

	if (nr) {
		summary_init(&summary, values, nr);
		report_add_summary(object, &summary);
	}
	(void)json_object_set_new(object, "values", report_values(values, nr));
	return object;
}

static json_t *effect_json(const struct bisect *bisect, const struct search_answer *answer)
{
	CLEANUP(bisect_effect) struct bisect_effect effect = { .decision = NULL };
	json_t *object;

	bisect_effect_init(&effect, bisect, answer);
	object = json_pack("{s:o, s:s, s:o, s:o, s:I}", "metric", report_text(bisect->metric),
			   "unit", metric_unit(bisect->metric), "base",
			   bisect_side_json(bisect_candidate(bisect, effect.good)->id,
					    effect.values[0], effect.nr_values[0]),
			   "new",
			   bisect_side_json(bisect_candidate(bisect, effect.bad)->id,
					    effect.values[1], effect.nr_values[1]),
			   "pairs", (json_int_t)effect.decision->nr_a);
	if (effect.decision->nr_a)
		report_add_effect(object, effect.decision);
	return object;
}

static json_t *candidates_json(const struct bisect *bisect)
{
	CLEANUP(free) double *share = xcalloc(bisect_nr(bisect), sizeof(*share));
	json_t *array = json_array();

	bisect_probabilities(bisect, share);
	for (size_t i = 0; i < bisect_nr(bisect); i++) {
		json_t *object = name_json(bisect, i);
		double median;
		size_t nr = bisect_median(bisect, i, &median);

		(void)json_object_set_new(object, "trials", json_integer((json_int_t)nr));
		(void)json_object_set_new(object, "median",
					  nr ? report_number(median) : json_null());
		(void)json_object_set_new(object, "posterior", report_number(share[i]));
		(void)json_array_append_new(array, object);
	}
	return array;
}

static json_t *untestable_json(const struct bisect *bisect)
{
	json_t *array = json_array();

	VEC_FOREACH (&bisect->log.events, event) {
		json_t *object;

		if (event->kind != EVENT_UNTESTABLE)
			continue;
		object = name_json(bisect, event->position);
		(void)json_object_set_new(object, "reason", report_text(event->text));
		(void)json_array_append_new(array, object);
	}
	return array;
}

static json_t *best_json(const struct bisect *bisect, const struct search_answer *answer)
{
	json_t *array = json_array();

	for (size_t i = 0; i < answer->nr_best; i++)
		(void)json_array_append_new(
			array, json_pack("{s:o, s:o, s:o}", "after",
					 name_json(bisect, answer->best[i].after), "upto",
					 name_json(bisect, answer->best[i].upto), "posterior",
					 report_number(answer->best[i].probability)));
	return array;
}

/* Author, files ..: a key that comes more than once is an array. */
static json_t *facts_json(const struct bisect *bisect, size_t position)
{
	CLEANUP(candidate_facts) struct candidate_facts facts = VEC_INIT;
	json_t *object = json_object();

	bisect_describe(bisect, position, &facts);
	VEC_FOREACH (&facts, fact) {
		bool is_list = !strcmp(fact->key, "file");
		json_t *array = json_object_get(object, fact->key);

		if (!is_list) {
			(void)json_object_set_new(object, fact->key, report_text(fact->value));
			continue;
		}
		if (!array) {
			(void)json_object_set_new(object, fact->key, json_array());
			array = json_object_get(object, fact->key);
		}
		(void)json_array_append_new(array, report_text(fact->value));
	}
	return object;
}

static void add_answer(const struct bisect *bisect, const struct search_answer *answer,
		       json_t *root)
{
	bool is_found = answer->state == SEARCH_FOUND;
	bool is_reproducible = answer->ends.nr_a > 0 && answer->state != SEARCH_NOT_REPRODUCIBLE &&
			       answer->state != SEARCH_OPPOSITE &&
			       (answer->nr_search_runs > 0 || answer->state != SEARCH_RUNNING);

	(void)json_object_set_new(
		root, "first_bad",
		is_found ? report_text(bisect_candidate(bisect, answer->first_bad)->id)
			 : json_null());
	(void)json_object_set_new(root, "first_bad_index",
				  is_found ? json_integer((json_int_t)answer->first_bad)
					   : json_null());
	(void)json_object_set_new(root, "last_good_index",
				  is_found ? json_integer((json_int_t)answer->last_good)
					   : json_null());
	(void)json_object_set_new(root, "posterior", report_number(answer->probability));
	(void)json_object_set_new(root, "confirmed", json_boolean(answer->is_confirmed));
	(void)json_object_set_new(root, "reproducible", json_boolean(is_reproducible));
	(void)json_object_set_new(root, "state", json_string(search_state_name(answer->state)));
	(void)json_object_set_new(root, "other_change", json_boolean(answer->has_other_change));
	(void)json_object_set_new(root, "effect", effect_json(bisect, answer));
	(void)json_object_set_new(root, "most_likely", best_json(bisect, answer));
	(void)json_object_set_new(root, "trials_of_phases",
				  json_pack("{s:I, s:I, s:I, s:I}", "ends",
					    (json_int_t)answer->nr_end_runs, "search",
					    (json_int_t)answer->nr_search_runs, "anchor",
					    (json_int_t)answer->nr_anchor_runs, "confirm",
					    (json_int_t)answer->nr_confirm_runs));
	(void)json_object_set_new(root, "restarts", json_integer((json_int_t)answer->nr_restarts));
	(void)json_object_set_new(
		root, "trials",
		json_integer((json_int_t)(answer->nr_end_runs + answer->nr_search_runs +
					  answer->nr_anchor_runs + answer->nr_confirm_runs)));
}

char *bisect_finish_json(const struct bisect *bisect, json_t *root)
{
	(void)json_object_set_new(root, "untestable", untestable_json(bisect));
	(void)json_object_set_new(root, "verdict",
				  json_string(verdict_name(bisect->quest->verdict(bisect))));
	(void)json_object_set_new(root, "source", json_string(bisect->ops->name));
	(void)json_object_set_new(root, "measured_ms",
				  json_integer((json_int_t)bisect_elapsed_ms(bisect)));
	(void)json_object_set_new(root, "experiment", json_integer(bisect->experiment));
	(void)json_object_set_new(root, "seed", json_integer((json_int_t)bisect->session->seed));
	(void)json_object_set_new(root, "notes", report_notes(&bisect->notes));
	(void)json_object_set_new(root, "repeat_command", report_text(bisect->command));
	return report_dump(root);
}

static void add_line(const struct bisect *line, const struct search_answer *answer, json_t *object)
{
	(void)json_object_set_new(object, "candidates", json_integer((json_int_t)bisect_nr(line)));
	add_answer(line, answer, object);
	(void)json_object_set_new(object, "per_candidate", candidates_json(line));
}

/* One merge by one parent: what was found in it, or why it was not searched. */
static json_t *entered_json(const struct bisect *whole, const struct bisect *inside)
{
	const struct trial_entry *entry = &inside->log.entry;
	json_t *object = json_pack("{s:I, s:o, s:I}", "line", (json_int_t)entry->line, "merge",
				   name_json(bisect_line(whole, entry->line), entry->position),
				   "parent", (json_int_t)entry->parent);
	struct search_answer answer;

	(void)json_object_set_new(object, "not_searched", report_text(entry->why));
	if (!bisect_has_search(inside))
		return object;
	search_answer(inside->search, &answer);
	add_line(inside, &answer, object);
	(void)json_object_set_new(object, "untestable", untestable_json(inside));
	return object;
}

/* Where the answer is a range: what is known of its candidates. */
static json_t *range_json(const struct bisect *bisect, const struct search_answer *answer)
{
	json_t *array = json_array();

	for (size_t i = 1; i <= bisect_nr_described(answer); i++) {
		json_t *object = name_json(bisect, answer->last_good + i);

		(void)json_object_set_new(object, "facts",
					  facts_json(bisect, answer->last_good + i));
		(void)json_array_append_new(array, object);
	}
	return array;
}

/* The answer is that of the innermost line that found something. */
static void add_final(const struct bisect *whole, json_t *root)
{
	const struct bisect *final = bisect_final(whole);
	json_t *array = json_array();
	struct search_answer answer;

	search_answer(final->search, &answer);
	if (answer.state == SEARCH_FOUND) {
		(void)json_object_set_new(
			root, "first_bad",
			report_text(bisect_candidate(final, answer.first_bad)->id));
		(void)json_object_set_new(root, "first_bad_facts",
					  facts_json(final, answer.first_bad));
		if (answer.first_bad != answer.last_good + 1)
			(void)json_object_set_new(root, "range", range_json(final, &answer));
	}
	VEC_FOREACH (&whole->entered, inside)
		(void)json_array_append_new(array, entered_json(whole, *inside));
	(void)json_object_set_new(root, "entered", array);
}

char *bisect_report_json(struct bisect *bisect)
{
	json_t *root = bisect_begin_json();
	struct search_answer answer;

	search_answer(bisect->search, &answer);
	add_line(bisect, &answer, root);
	add_final(bisect, root);
	return bisect_finish_json(bisect, root);
}
