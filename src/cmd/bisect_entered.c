/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_entered: what a report says of merges that were entered. */
#include <math.h>

#include "analysis/verdict.h"
#include "base/arena.h"
#include "cmd/bisect.h"
#include "output/doc.h"

static const struct candidate *merge_of(const struct bisect *line)
{
	const struct trial_entry *entry = &line->log.entry;

	return bisect_candidate(bisect_line(line->whole, entry->line), entry->position);
}

char *bisect_place(const struct bisect *line)
{
	unsigned parent = line->log.entry.parent;

	if (!line->whole)
		return xstrdup("");
	return parent > 2 ? xasprintf(" inside %s, parent %u", merge_of(line)->name, parent)
			  : xasprintf(" inside %s", merge_of(line)->name);
}

static void add_place(struct doc_table *table, const struct bisect *line)
{
	const struct trial_entry *entry = &line->log.entry;

	if (!line->whole) {
		doc_text(table, "%s of the range", line->ops->nouns);
		doc_number(table, (double)(bisect_nr(line) - 1), "");
		return;
	}
	doc_text(table, "%s, parent %u", merge_of(line)->name, entry->parent);
	if (bisect_has_search(line))
		doc_number(table, (double)(bisect_nr(line) - 1), "");
	else
		doc_empty(table);
}

static const char *state_text(const struct search_answer *answer)
{
	switch (answer->state) {
	case SEARCH_NOT_REPRODUCIBLE:
		return bisect_ends_verdict(&answer->ends) == VERDICT_UNDECIDED
			       ? "undecided: whether its ends differ"
			       : "none: its ends do not differ";
	case SEARCH_OPPOSITE:
		return "none: its end is better, not worse";
	case SEARCH_END_UNTESTABLE:
		return "an end cannot be measured";
	case SEARCH_NOTHING_TESTABLE:
		return "undecided: none between its ends can be measured";
	case SEARCH_NO_BUDGET:
		return "undecided: the budget of runs is used up";
	case SEARCH_RUNNING:
		return "not finished";
	case SEARCH_FOUND:
		break;
	}
	return "";
}

static void add_first_bad(struct doc_table *table, const struct bisect *line,
			  const struct search_answer *answer)
{
	const struct candidate *bad = bisect_candidate(line, answer->first_bad);

	if (answer->state != SEARCH_FOUND)
		doc_text(table, "%s", state_text(answer));
	else if (answer->first_bad == answer->last_good + 1)
		doc_text(table, "%s%s%s", bad->name, *bad->text ? " " : "", bad->text);
	else
		doc_text(table, "one of %zu up to %s", answer->first_bad - answer->last_good,
			 bad->name);
}

static void add_row(struct doc_table *table, const struct bisect *line)
{
	struct search_answer answer;
	char effect[VERDICT_TEXT_LEN] = "";

	doc_row(table);
	add_place(table, line);
	if (!bisect_has_search(line)) {
		doc_text(table, "not searched: %s", line->log.entry.why);
		return;
	}
	search_answer(line->search, &answer);
	add_first_bad(table, line, &answer);
	if (answer.ends.nr_a) {
		verdict_format_effect(&answer.ends, effect);
		doc_text(table, "%s", effect);
	} else {
		doc_empty(table);
	}
	if (answer.confirmation.nr_a) {
		verdict_format_effect(&answer.confirmation, effect);
		doc_text(table, "%s, %s", effect,
			 answer.is_confirmed ? "confirmed" : "not confirmed");
	} else if (answer.is_confirmed) {
		doc_text(table, "confirmed");
	}
}

/* What decides of an answer: its confirmation, or the ends where these are one. */
static const struct decision *decision_of(const struct search_answer *answer)
{
	return answer->confirmation.nr_a ? &answer->confirmation : &answer->ends;
}

/* Of a merge that is worse by much more than what came in with it. */
static void add_rest(const struct bisect *whole, const struct bisect *final, struct doc *doc)
{
	const struct decision *inner, *outer;
	struct search_answer inside, outside;
	double share;

	search_answer(final->search, &inside);
	search_answer(bisect_line(whole, final->log.entry.line)->search, &outside);
	inner = &inside.ends;
	outer = decision_of(&outside);
	if (!inner->nr_a || !outer->nr_a || inner->scale != outer->scale)
		return;
	share = effect_forward(inner->scale, inner->effect) /
		effect_forward(outer->scale, outer->effect);
	if (share < SEARCH_OTHER_CHANGE_SHARE)
		doc_paragraph(
			doc,
			"What came in with %s is only %.0f %% of its effect: the merge itself "
			"may do the rest, or another of its parents.",
			merge_of(final)->name, 100 * share);
}

static bool is_side_of(const struct bisect *line, const struct bisect *final,
		       const struct bisect *whole)
{
	struct search_answer answer;

	search_answer(final->search, &answer);
	return bisect_line(whole, line->log.entry.line) == final &&
	       line->log.entry.position == answer.first_bad;
}

/* Nothing that came in with it is worse by itself. */
static void add_merge_itself(const struct bisect *whole, const struct bisect *final,
			     struct doc *doc)
{
	const char *why = "the merge itself made it worse: how conflicts were resolved, or that "
			  "what it brings together does not go together";
	bool is_left = false; /* something of it was not looked at */

	if (bisect_verdict(whole) != VERDICT_REGRESSION)
		return;
	for (size_t i = 1; i < bisect_nr_lines(whole); i++) {
		const struct bisect *line = bisect_line(whole, i);
		struct search_answer answer;

		if (!is_side_of(line, final, whole))
			continue;
		if (bisect_has_search(line))
			search_answer(line->search, &answer);
		is_left |= !bisect_has_search(line) || answer.state == SEARCH_END_UNTESTABLE;
	}
	doc_paragraph(doc, "No change that came in with it was found to be worse by itself%s: %s.",
		      is_left ? ", and not all of it was searched" : "",
		      is_left ? "it is left at the merge" : why);
}

void bisect_add_entered(const struct bisect *whole, struct doc *doc)
{
	static const struct doc_column columns[] = {
		{ "searched", DOC_LEFT },     { "number", DOC_RIGHT },
		{ "first bad", DOC_LEFT },    { "between ends", DOC_LEFT },
		{ "confirmation", DOC_LEFT },
	};
	const struct bisect *final = bisect_final(whole);
	struct doc_table *table;
	struct search_answer answer;

	if (!whole->entered.nr)
		return;
	search_answer(final->search, &answer);
	if (bisect_is_entered(whole, final, answer.first_bad))
		add_merge_itself(whole, final, doc);
	if (final != whole)
		add_rest(whole, final, doc);
	doc_paragraph(doc, "Merges were entered:");
	table = doc_table(doc, "entered", columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < bisect_nr_lines(whole); i++)
		add_row(table, bisect_line(whole, i));
}
