/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tuning_report: which settings make the difference, for people and for programs. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/verdict.h"
#include "base/arena.h"
#include "base/strbuf.h"
#include "cmd/bisect.h"
#include "cmd/report_json.h"
#include "cmd/tuning.h"
#include "model/metric.h"
#include "output/doc.h"

#define SHOWN_SHARE 0.005 /* less probable ones are counted */

struct teller {
	struct bisect *bisect;
	const struct tuning *tuning;
	struct doc *doc;
	struct settings_answer answer;
};

/* Of one member, "a=1 -> 2 with b=3 -> 4". */
static void add_member(const struct tuning *tuning, const struct settings_member *member,
		       struct strbuf *text)
{
	for (size_t i = 0; i < member->nr; i++)
		strbuf_printf(text, "%s%s", i ? " with " : "",
			      tuning->settings.items[member->settings[i]].name);
}

char *tuning_member_text(const struct tuning *tuning, const struct settings_answer *answer)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < answer->nr_members; i++) {
		strbuf_add_str(&text, i ? ", " : "");
		add_member(tuning, &answer->members[i], &text);
	}
	return strbuf_take(&text);
}

/* ---- for people ---- */

static void add_heading(struct teller *teller)
{
	CLEANUP(free) char *members = tuning_member_text(teller->tuning, &teller->answer);
	size_t nr = teller->tuning->settings.nr;
	struct doc *doc = teller->doc;

	switch (teller->answer.state) {
	case SETTINGS_FOUND:
		doc_heading(doc, "%s %s the difference, of %zu settings%s", members,
			    teller->answer.nr_members == 1 ? "makes" : "make", nr,
			    teller->answer.interplay == SETTINGS_TOGETHER ? ", but only together"
			    : teller->answer.interplay == SETTINGS_MIXED
				    ? ", some of them only together"
				    : "");
		break;
	case SETTINGS_NOT_REPRODUCIBLE:
		if (bisect_ends_verdict(&teller->answer.ends) == VERDICT_UNDECIDED)
			doc_heading(doc,
				    "not reproducible here: undecided whether all and none of %zu "
				    "settings differ",
				    nr);
		else
			doc_heading(doc,
				    "not reproducible: no difference between all and none of %zu "
				    "settings",
				    nr);
		break;
	case SETTINGS_OPPOSITE:
		doc_heading(doc, "not reproducible: the new settings are better, not worse");
		break;
	case SETTINGS_END_UNTESTABLE:
		doc_heading(doc, "undecided: none or all of the settings cannot be measured");
		break;
	case SETTINGS_NO_BUDGET:
		doc_heading(doc, "undecided: the budget of %u runs is used up%s%s",
			    teller->bisect->config->max_runs, *members ? ", so far: " : "",
			    members);
		break;
	case SETTINGS_RUNNING:
		doc_heading(doc, "not finished: %s%s%s",
			    teller->bisect->why_stopped ? teller->bisect->why_stopped
							: "it can go on",
			    *members ? ", so far: " : "", members);
		break;
	}
}

static void add_ends(struct teller *teller)
{
	const struct settings_answer *answer = &teller->answer;
	char effect[VERDICT_TEXT_LEN];

	if (answer->ends.nr_a == 0)
		return;
	verdict_format_effect(&answer->ends, effect);
	doc_paragraph(teller->doc, "%s with all new settings against none: %s in %zu pairs.",
		      teller->bisect->metric, effect, answer->ends.nr_a);
	if (answer->state != SETTINGS_FOUND)
		return;
	if (!answer->is_complete)
		doc_paragraph(teller->doc, "Whether that is all of it was not shown: something "
					   "smaller may be missing.");
	if (!answer->is_minimal)
		doc_paragraph(teller->doc, "Fewer settings could not be run by themselves, so some "
					   "of these may not matter.");
}

static bool is_member(const struct settings_answer *answer, size_t setting)
{
	for (size_t i = 0; i < answer->nr_members; i++) {
		for (size_t j = 0; j < answer->members[i].nr; j++) {
			if (answer->members[i].settings[j] == setting)
				return true;
		}
	}
	return false;
}

/* The settings that were not found, and what they do together. */
static void add_rest(struct teller *teller)
{
	static const struct doc_column columns[] = {
		{ "other setting", DOC_LEFT },
		{ "base -> new", DOC_LEFT },
	};
	const struct settings_answer *answer = &teller->answer;
	char effect[VERDICT_TEXT_LEN];
	struct doc_table *table;

	if (answer->state != SETTINGS_FOUND || answer->rest.nr_a == 0)
		return;
	verdict_format_effect(&answer->rest, effect);
	doc_paragraph(teller->doc, "%s: %s in %zu pairs.",
		      answer->rest_counts ? "The other settings do it without these, too"
					  : "All other settings together against none",
		      effect, answer->rest.nr_a);
	table = doc_table(teller->doc, "rest", columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < teller->tuning->settings.nr; i++) {
		if (is_member(answer, i))
			continue;
		doc_row(table);
		doc_text(table, "%s", teller->tuning->settings.items[i].name);
		doc_text(table, "%s", teller->tuning->settings.items[i].text);
	}
}

static void add_effect(struct doc_table *table, const struct decision *decision)
{
	char effect[VERDICT_TEXT_LEN];

	if (decision->nr_a == 0) {
		doc_empty(table);
		return;
	}
	verdict_format_effect(decision, effect);
	doc_text(table, "%s", effect);
}

static void add_members(struct teller *teller)
{
	static const struct doc_column columns[] = {
		{ "setting", DOC_LEFT },
		{ "base -> new", DOC_LEFT },
		{ "alone", DOC_RIGHT },
		{ "all of these against all but it", DOC_RIGHT },
	};
	const struct settings_answer *answer = &teller->answer;
	struct doc_table *table;

	if (!answer->nr_members)
		return;
	table = doc_table(teller->doc, "settings", columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < answer->nr_members; i++) {
		const struct settings_member *member = &answer->members[i];

		for (size_t j = 0; j < member->nr; j++) {
			const struct candidate *setting =
				&teller->tuning->settings.items[member->settings[j]];

			doc_row(table);
			doc_text(table, "%s", setting->name);
			doc_text(table, "%s", setting->text);
			if (j)
				continue;
			add_effect(table, &member->alone);
			add_effect(table, &member->without);
		}
	}
}

/* ---- what was not ruled out ---- */

static size_t list_open(const struct tuning *tuning, struct settings_open **ret_open)
{
	*ret_open = xcalloc(tuning->settings.nr, sizeof(**ret_open));
	return settings_search_open(tuning->search, *ret_open);
}

static void add_open(struct teller *teller)
{
	static const struct doc_column columns[] = {
		{ "setting", DOC_LEFT },
		{ "base -> new", DOC_LEFT },
		{ "posterior", DOC_RIGHT },
	};
	CLEANUP(free) struct settings_open *open = NULL;
	size_t nr = list_open(teller->tuning, &open);
	struct doc_table *table;
	size_t nr_rest = 0;

	if (!nr)
		return;
	doc_paragraph(teller->doc, "Still open, and how probable it is that it is the %s one:",
		      teller->answer.nr_members ? "next" : "first");
	table = doc_table(teller->doc, "open", columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < nr; i++) {
		const struct candidate *setting = &teller->tuning->settings.items[open[i].setting];

		if (open[i].probability < SHOWN_SHARE) {
			nr_rest++;
			continue;
		}
		doc_row(table);
		doc_text(table, "%s", setting->name);
		doc_text(table, "%s", setting->text);
		if (isnan(open[i].probability))
			doc_text(table, "not looked at");
		else
			doc_number_as(table, 100 * open[i].probability, "%", "%.3g %%",
				      100 * open[i].probability);
	}
	if (nr_rest)
		doc_paragraph(teller->doc, "%zu more with less than %g %% each.", nr_rest,
			      100 * SHOWN_SHARE);
}

static void add_list(struct doc *doc, const char *id, const struct candidate_list *list)
{
	static const struct doc_column columns[] = {
		{ "what", DOC_LEFT },
		{ "base -> new", DOC_LEFT },
	};
	struct doc_table *table;

	if (!list->nr)
		return;
	table = doc_table(doc, id, columns, sizeof(columns) / sizeof(*columns));
	VEC_FOREACH (list, item) {
		doc_row(table);
		doc_text(table, "%s", item->name);
		doc_text(table, "%s", item->text);
	}
}

static void add_effort(struct teller *teller)
{
	CLEANUP(strbuf) struct strbuf times = STRBUF_INIT;

	bisect_add_times(teller->bisect, &times);
	doc_paragraph(teller->doc, "%zu runs of %zu sets of settings, %s%s.",
		      teller->answer.nr_runs, bisect_nr(teller->bisect), BISECT_UNCOUNTED,
		      strbuf_str(&times));
}

static struct teller begin(struct bisect *bisect)
{
	struct teller teller = { .bisect = bisect,
				 .tuning = bisect->tuning,
				 .doc = doc_create("regio.bisect") };

	settings_search_answer(bisect->tuning->search, &teller.answer);
	add_heading(&teller);
	return teller;
}

struct doc *tuning_report(struct bisect *bisect)
{
	struct teller teller = begin(bisect);
	CLEANUP(free) char *more = xasprintf(" --max-runs=%u", 2 * bisect->config->max_runs);

	add_ends(&teller);
	add_members(&teller);
	add_rest(&teller);
	add_open(&teller);
	if (teller.tuning->others.nr)
		doc_paragraph(teller.doc,
			      "What else differs, and was left as it is on this machine:");
	add_list(teller.doc, "others", &teller.tuning->others);
	bisect_add_untestable(bisect, teller.doc);
	add_effort(&teller);
	bisect_add_commands(bisect,
			    teller.answer.state == SETTINGS_RUNNING	? ""
			    : teller.answer.state == SETTINGS_NO_BUDGET ? more
									: NULL,
			    teller.doc);
	doc_json(teller.doc, tuning_json(bisect));
	return teller.doc;
}

/* Each set that was run. */
struct doc *tuning_visualise(struct bisect *bisect)
{
	static const struct doc_column columns[] = {
		{ "new settings", DOC_LEFT },
		{ "runs", DOC_RIGHT },
		{ "median", DOC_RIGHT },
	};
	struct teller teller = begin(bisect);
	struct doc_table *table =
		doc_table(teller.doc, "sets", columns, sizeof(columns) / sizeof(*columns));

	for (size_t i = 0; i < bisect_nr(bisect); i++) {
		double median;
		size_t nr = bisect_median(bisect, i, &median);

		doc_row(table);
		doc_text(table, "%s", bisect_candidate(bisect, i)->name);
		doc_number(table, (double)nr, "");
		if (nr)
			doc_number(table, median, metric_unit(bisect->metric));
	}
	add_list(teller.doc, "differences", &teller.tuning->settings);
	doc_json(teller.doc, tuning_json(bisect));
	return teller.doc;
}

/* ---- for programs ---- */

static json_t *list_json(const struct candidate_list *list)
{
	json_t *array = json_array();

	VEC_FOREACH (list, item)
		(void)json_array_append_new(array,
					    json_pack("{s:o, s:o}", "key", report_text(item->id),
						      "change", report_text(item->text)));
	return array;
}

static json_t *decision_json(const struct decision *decision)
{
	json_t *object;

	if (decision->nr_a == 0)
		return json_null();
	object = json_pack("{s:I}", "pairs", (json_int_t)decision->nr_a);
	report_add_effect(object, decision);
	return object;
}

static json_t *open_json(const struct tuning *tuning)
{
	CLEANUP(free) struct settings_open *open = NULL;
	size_t nr = list_open(tuning, &open);
	json_t *array = json_array();

	for (size_t i = 0; i < nr; i++)
		(void)json_array_append_new(
			array, json_pack("{s:o, s:o}", "key",
					 report_text(tuning->settings.items[open[i].setting].id),
					 "posterior", report_number(open[i].probability)));
	return array;
}

static json_t *members_json(const struct tuning *tuning, const struct settings_answer *answer)
{
	json_t *array = json_array();

	for (size_t i = 0; i < answer->nr_members; i++) {
		const struct settings_member *member = &answer->members[i];
		json_t *settings = json_array();

		for (size_t j = 0; j < member->nr; j++)
			(void)json_array_append_new(
				settings,
				report_text(tuning->settings.items[member->settings[j]].id));
		(void)json_array_append_new(
			array,
			json_pack("{s:o, s:o, s:b, s:o, s:o}", "settings", settings, "posterior",
				  report_number(member->probability), "counts_alone",
				  (int)member->counts_alone, "alone", decision_json(&member->alone),
				  "without", decision_json(&member->without)));
	}
	return array;
}

static json_t *end_json(const struct bisect *bisect, size_t position)
{
	CLEANUP(free) double *values = xcalloc(bisect->moments.nr + 1, sizeof(*values));
	size_t nr = 0;

	for (size_t i = 0; i < bisect->moments.nr; i++) {
		const struct trial_event *event = &bisect->log.events.items[i];

		if (bisect->moments.items[i].is_counted &&
		    bisect->moments.items[i].phase == SETTINGS_ENDS && event->position == position)
			values[nr++] = event->value;
	}
	return bisect_side_json(bisect_candidate(bisect, position)->name, values, nr);
}

static json_t *effect_json(const struct bisect *bisect, const struct settings_answer *answer)
{
	json_t *object = json_pack(
		"{s:o, s:s, s:o, s:o, s:I}", "metric", report_text(bisect->metric), "unit",
		bisect->metric ? metric_unit(bisect->metric) : "", "base", end_json(bisect, 0),
		"new", end_json(bisect, 1), "pairs", (json_int_t)answer->ends.nr_a);

	if (answer->ends.nr_a)
		report_add_effect(object, &answer->ends);
	return object;
}

/* The least probable member of all. */
static double posterior_of(const struct settings_answer *answer)
{
	double least = 1;

	for (size_t i = 0; i < answer->nr_members; i++) {
		if (answer->members[i].probability < least)
			least = answer->members[i].probability;
	}
	return answer->nr_members ? least : 0;
}

char *tuning_json(struct bisect *bisect)
{
	const struct tuning *tuning = bisect->tuning;
	struct settings_answer answer;
	CLEANUP(free) char *members = NULL;
	bool is_found;
	json_t *root, *part;

	settings_search_answer(tuning->search, &answer);
	is_found = answer.state == SETTINGS_FOUND;
	members = tuning_member_text(tuning, &answer);
	root = bisect_begin_json();
	part = json_pack("{s:o, s:o, s:I, s:I}", "first_bad",
			 is_found ? report_text(members) : json_null(), "first_bad_index",
			 is_found && answer.nr_members == 1
				 ? json_integer((json_int_t)answer.members[0].settings[0])
				 : json_null(),
			 "candidates", (json_int_t)tuning->settings.nr, "trials",
			 (json_int_t)answer.nr_runs);
	(void)json_object_update(root, part);
	json_decref(part);
	(void)json_object_set_new(root, "posterior", report_number(posterior_of(&answer)));
	(void)json_object_set_new(root, "confirmed", json_boolean(is_found && answer.is_complete));
	(void)json_object_set_new(
		root, "reproducible",
		json_boolean(is_found || answer.state == SETTINGS_NO_BUDGET || answer.nr_members));
	(void)json_object_set_new(root, "state", json_string(settings_state_name(answer.state)));
	(void)json_object_set_new(root, "interplay",
				  is_found ? json_string(settings_interplay_name(answer.interplay))
					   : json_null());
	(void)json_object_set_new(root, "minimal", json_boolean(answer.is_minimal));
	(void)json_object_set_new(root, "rest_counts", json_boolean(answer.rest_counts));
	(void)json_object_set_new(root, "rest", decision_json(&answer.rest));
	(void)json_object_set_new(root, "effect", effect_json(bisect, &answer));
	(void)json_object_set_new(root, "members", members_json(tuning, &answer));
	(void)json_object_set_new(root, "open", open_json(tuning));
	(void)json_object_set_new(root, "settings", list_json(&tuning->settings));
	(void)json_object_set_new(root, "other_differences", list_json(&tuning->others));
	return bisect_finish_json(bisect, root);
}
