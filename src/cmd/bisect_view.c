/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_view: what a bisection knows of each candidate, and the picture of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cmd/bisect.h"
#include "model/metric.h"
#include "output/doc.h"
#include "stats/summary.h"

#define BAR_LEN 40
#define SHOWN_SHARE 0.005 /* less probable candidates are put together */

/* ---- what is known ---- */

static void add_value(struct bisect_effect *effect, int side, double value)
{
	size_t nr = effect->nr_values[side];

	effect->values[side] =
		xreallocarray(effect->values[side], nr + 1, sizeof(*effect->values[side]));
	effect->values[side][nr] = value;
	effect->nr_values[side]++;
}

void bisect_effect_init(struct bisect_effect *effect, const struct bisect *bisect,
			const struct search_answer *answer)
{
	bool is_confirmation = answer->confirmation.nr_a > 0;
	enum search_phase phase = is_confirmation ? SEARCH_CONFIRM : SEARCH_ENDS;

	*effect = (struct bisect_effect){
		.decision = is_confirmation ? &answer->confirmation : &answer->ends,
		.good = is_confirmation ? answer->last_good : 0,
		.bad = is_confirmation ? answer->first_bad : bisect_nr(bisect) - 1,
	};
	for (size_t i = 0; i < bisect->moments.nr; i++) {
		const struct trial_event *event = &bisect->log.events.items[i];

		if (!bisect->moments.items[i].is_counted)
			continue;
		if (bisect->moments.items[i].phase != (unsigned)phase) {
			/* of several confirmations the last one */
			if (is_confirmation)
				effect->nr_values[0] = effect->nr_values[1] = 0;
			continue;
		}
		if (event->position == effect->good || event->position == effect->bad)
			add_value(effect, event->position == effect->bad, event->value);
	}
}

void bisect_effect_release(struct bisect_effect *effect)
{
	free(effect->values[0]);
	free(effect->values[1]);
	*effect = (struct bisect_effect){ .decision = NULL };
}

void bisect_probabilities(const struct bisect *bisect, double *ret_of_position)
{
	size_t nr;
	const struct search_hypothesis *items = search_posterior(bisect->search, &nr);

	memset(ret_of_position, 0, bisect_nr(bisect) * sizeof(*ret_of_position));
	for (size_t i = 0; i < nr; i++) {
		const double share =
			items[i].probability / (double)(items[i].upto - items[i].after);

		for (size_t j = items[i].after + 1; j <= items[i].upto; j++)
			ret_of_position[j] = share;
	}
}

size_t bisect_median(const struct bisect *bisect, size_t position, double *ret_median)
{
	CLEANUP(free) double *values = xcalloc(bisect->log.events.nr + 1, sizeof(*values));
	struct summary summary;
	size_t nr = 0;

	VEC_FOREACH (&bisect->log.events, event) {
		if (event->kind == EVENT_RUN && event->position == position)
			values[nr++] = event->value;
	}
	if (nr) {
		summary_init(&summary, values, nr);
		*ret_median = summary.median;
	}
	return nr;
}

/* ---- the picture ---- */

static void add_bar(struct doc_table *table, double share)
{
	char bar[BAR_LEN + 1];
	size_t len = (size_t)lround(share * BAR_LEN);

	memset(bar, '#', len);
	bar[len] = '\0';
	doc_text(table, "%s", share > 0 && len == 0 ? "." : bar);
}

static void add_candidate(struct doc_table *table, const struct bisect *bisect, size_t position,
			  double share)
{
	const struct candidate *candidate = bisect_candidate(bisect, position);
	double median;
	size_t nr = bisect_median(bisect, position, &median);

	doc_row(table);
	doc_number(table, (double)position, "");
	doc_text(table, "%s", candidate->name);
	doc_number(table, (double)nr, "");
	if (search_is_untestable(bisect->search, position))
		doc_text(table, "untestable");
	else if (nr)
		doc_number(table, median, metric_unit(bisect->metric));
	else
		doc_empty(table);
	if (position)
		doc_number_as(table, 100 * share, "%", "%.3g %%", 100 * share);
	else
		doc_text(table, "good");
	add_bar(table, share);
}

static void add_others(struct doc_table *table, size_t nr, double share)
{
	if (!nr)
		return;
	doc_row(table);
	doc_empty(table);
	doc_text(table, "%zu more", nr);
	doc_empty(table);
	doc_empty(table);
	doc_number_as(table, 100 * share, "%", "%.3g %%", 100 * share);
	add_bar(table, share);
}

static void add_picture(struct doc *doc, const struct bisect *bisect)
{
	static const struct doc_column columns[] = {
		{ "nr", DOC_RIGHT },	 { "candidate", DOC_LEFT },  { "runs", DOC_RIGHT },
		{ "median", DOC_RIGHT }, { "first bad", DOC_RIGHT }, { "", DOC_LEFT | DOC_PEOPLE },
	};
	CLEANUP(free) double *share = xcalloc(bisect_nr(bisect), sizeof(*share));
	CLEANUP(free) char *place = bisect_place(bisect);
	struct doc_table *table;
	double rest = 0;
	size_t nr_rest = 0;

	bisect_probabilities(bisect, share);
	doc_heading(doc, "How probable it is of each of %zu %s%s that it is the first bad one",
		    bisect_nr(bisect) - 1, bisect->ops->nouns, place);
	table = doc_table(doc, "posterior", columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < bisect_nr(bisect); i++) {
		bool is_known = search_nr_runs(bisect->search, i) ||
				search_is_untestable(bisect->search, i);

		if (!is_known && share[i] < SHOWN_SHARE) {
			nr_rest++;
			rest += share[i];
			continue;
		}
		add_others(table, nr_rest, rest);
		nr_rest = 0;
		rest = 0;
		add_candidate(table, bisect, i, share[i]);
	}
	add_others(table, nr_rest, rest);
}

struct doc *bisect_visualise(struct bisect *bisect)
{
	struct doc *doc = doc_create("regio.bisect");

	for (size_t i = 0; i < bisect_nr_lines(bisect); i++) {
		if (bisect_has_search(bisect_line(bisect, i)))
			add_picture(doc, bisect_line(bisect, i));
	}
	doc_paragraph(doc, "%zu runs so far, %s.", bisect_nr_runs(bisect), BISECT_UNCOUNTED);
	doc_json(doc, bisect_report_json(bisect));
	return doc;
}
