/* SPDX-License-Identifier: GPL-2.0-or-later */
/* bisect_report: the answer of a bisection for people. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/verdict.h"
#include "base/arena.h"
#include "base/strbuf.h"
#include "cmd/bisect.h"
#include "model/metric.h"
#include "output/doc.h"

struct reporter {
	const struct bisect *bisect; /* the whole, or what was entered */
	struct doc *doc;
	enum verdict verdict; /* of the whole */
	struct search_answer answer;
	struct candidate_facts facts; /* of what was found */
};

static bool is_found(const struct search_answer *answer)
{
	return answer->state == SEARCH_FOUND;
}

static enum verdict line_verdict(const struct bisect *line)
{
	struct search_answer answer;

	search_answer(line->search, &answer);
	if (answer.state == SEARCH_NOT_REPRODUCIBLE)
		return bisect_ends_verdict(&answer.ends);
	if (answer.state == SEARCH_OPPOSITE)
		return VERDICT_NO_DIFFERENCE;
	return bisect_is_sure(line) ? VERDICT_REGRESSION : VERDICT_UNDECIDED;
}

/*
 * What came into a merge decides as well: it is undecided as long as one of its sides is, unless
 * another one has the answer. A side without a difference, or with an end that cannot be measured,
 * leaves it at the merge.
 */
enum verdict bisect_verdict(const struct bisect *whole)
{
	const struct bisect *last = bisect_last(whole);
	enum verdict verdict = VERDICT_REGRESSION;

	if (last == whole || bisect_is_sure(last))
		return line_verdict(last);
	for (size_t i = 1; i < bisect_nr_lines(whole); i++) {
		const struct bisect *line = bisect_line(whole, i);
		struct search_answer answer;

		if (!bisect_has_search(line) || line->log.entry.line != last->log.entry.line)
			continue;
		search_answer(line->search, &answer);
		if (answer.state != SEARCH_END_UNTESTABLE &&
		    line_verdict(line) == VERDICT_UNDECIDED)
			verdict = VERDICT_UNDECIDED;
	}
	return verdict;
}

static const char *name_of(const struct reporter *reporter, size_t position)
{
	return bisect_candidate(reporter->bisect, position)->name;
}

/* ---- the first lines ---- */

static void add_found(struct reporter *reporter)
{
	const struct search_answer *answer = &reporter->answer;
	const struct candidate *bad = bisect_candidate(reporter->bisect, answer->first_bad);
	const char *noun = reporter->bisect->ops->noun;
	const char *likely = !bisect_is_sure(reporter->bisect)	      ? "most likely "
			     : reporter->verdict == VERDICT_UNDECIDED ? "undecided inside the "
								      : "";

	if (answer->first_bad == answer->last_good + 1)
		doc_heading(reporter->doc, "%sfirst bad %s: %s%s%s", likely, noun, bad->name,
			    *bad->text ? " " : "", bad->text);
	else
		doc_heading(reporter->doc, "%sfirst bad %s: one of %zu after %s, up to %s", likely,
			    noun, answer->first_bad - answer->last_good,
			    name_of(reporter, answer->last_good), bad->name);
}

static void add_no_effect(struct reporter *reporter, const char *effect)
{
	const struct decision *ends = &reporter->answer.ends;
	bool is_undecided = bisect_ends_verdict(ends) == VERDICT_UNDECIDED;

	doc_heading(reporter->doc, "%s",
		    is_undecided ? "not reproducible here: undecided whether the ends differ"
				 : "not reproducible: no difference between the ends");
	doc_paragraph(
		reporter->doc,
		"%s of the bad end against the good one after %zu pairs: %s. There is nothing "
		"to search for%s.",
		reporter->bisect->metric, ends->nr_a, effect,
		is_undecided ? ", unless longer runs, a quieter machine or more pairs "
			       "(--max-pairs) show a difference"
			     : "");
}

static void add_state(struct reporter *reporter)
{
	const struct search_answer *answer = &reporter->answer;
	const struct bisect *bisect = reporter->bisect;
	const char *nouns = bisect->ops->nouns;
	char effect[VERDICT_TEXT_LEN];

	verdict_format_effect(&answer->ends, effect);
	switch (answer->state) {
	case SEARCH_FOUND:
		add_found(reporter);
		break;
	case SEARCH_NOT_REPRODUCIBLE:
		add_no_effect(reporter, effect);
		break;
	case SEARCH_OPPOSITE:
		doc_heading(reporter->doc, "not reproducible: the bad end is better, not worse");
		doc_paragraph(reporter->doc,
			      "%s of the bad end against the good one after %zu pairs: %s. "
			      "--direction=any finds where that came from.",
			      bisect->metric, answer->ends.nr_a, effect);
		break;
	case SEARCH_NOTHING_TESTABLE:
		doc_heading(reporter->doc,
			    "undecided: none of the %zu %s between the ends can be measured",
			    bisect_nr(bisect) - 2, nouns);
		doc_paragraph(reporter->doc, "%s of the bad end against the good one: %s.",
			      bisect->metric, effect);
		break;
	case SEARCH_END_UNTESTABLE:
		doc_heading(reporter->doc, "undecided: an end cannot be measured: %s",
			    name_of(reporter, answer->untestable_end));
		break;
	case SEARCH_NO_BUDGET:
		doc_heading(reporter->doc, "undecided: the budget of %u runs is used up",
			    bisect->config->max_runs);
		break;
	case SEARCH_RUNNING:
		doc_heading(reporter->doc, "not finished: %s",
			    bisect->why_stopped ? bisect->why_stopped : "it can go on");
		break;
	}
}

/* ---- how sure ---- */

static void add_confirmation(struct reporter *reporter)
{
	const struct search_answer *answer = &reporter->answer;
	const char *metric = reporter->bisect->metric;
	char effect[VERDICT_TEXT_LEN];
	char ends[VERDICT_TEXT_LEN];

	verdict_format_effect(&answer->ends, ends);
	if (answer->confirmation.nr_a == 0) {
		doc_paragraph(reporter->doc,
			      "%s of the bad end against the good one: %s; posterior %.2f %%%s.",
			      metric, ends, 100 * answer->probability,
			      answer->is_confirmed ? ""
						   : ", not confirmed by a comparison of its own");
		return;
	}
	verdict_format_effect(&answer->confirmation, effect);
	doc_paragraph(reporter->doc,
		      "%s of %s against %s: %s, %s in %zu pairs. Posterior %.2f %%. Between the "
		      "ends: %s.",
		      metric, name_of(reporter, answer->first_bad),
		      name_of(reporter, answer->last_good), effect,
		      answer->is_confirmed ? "confirmed" : "not confirmed",
		      answer->confirmation.nr_a, 100 * answer->probability, ends);
	if (answer->has_other_change)
		doc_paragraph(
			reporter->doc,
			"That is only %.0f %% of the effect between the ends: there may be another "
			"change. To see, search again before and after this one.",
			100 * answer->effect_share);
}

static void add_best(struct reporter *reporter)
{
	static const struct doc_column columns[] = {
		{ "after", DOC_LEFT },
		{ "up to", DOC_LEFT },
		{ "posterior", DOC_RIGHT },
	};
	const struct search_answer *answer = &reporter->answer;
	struct doc_table *table;

	if (!answer->nr_best || bisect_is_sure(reporter->bisect) ||
	    answer->state == SEARCH_NOT_REPRODUCIBLE)
		return;
	doc_paragraph(reporter->doc, "The most likely ones:");
	table = doc_table(reporter->doc, "likely", columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < answer->nr_best; i++) {
		const struct search_hypothesis *best = &answer->best[i];

		doc_row(table);
		doc_text(table, "%s", name_of(reporter, best->after));
		doc_text(table, "%s", name_of(reporter, best->upto));
		doc_number_as(table, 100 * best->probability, "%", "%.3g %%",
			      100 * best->probability);
	}
}

/* Of the first ones of a range that is not told apart. */
static void collect_facts(struct reporter *reporter)
{
	const struct search_answer *answer = &reporter->answer;

	if (!is_found(answer))
		return;
	for (size_t i = 1; i <= bisect_nr_described(answer); i++)
		bisect_describe(reporter->bisect, answer->last_good + i, &reporter->facts);
}

static void add_facts(struct reporter *reporter)
{
	static const struct doc_column columns[] = { { "what", DOC_LEFT }, { "value", DOC_LEFT } };
	const struct search_answer *answer = &reporter->answer;
	size_t nr_more;
	struct doc_table *table;

	if (!reporter->facts.nr)
		return;
	nr_more = answer->first_bad - answer->last_good - bisect_nr_described(answer);
	table = doc_table(reporter->doc, "first_bad", columns, sizeof(columns) / sizeof(*columns));
	VEC_FOREACH (&reporter->facts, fact) {
		doc_row(table);
		doc_text(table, "%s", fact->key);
		doc_text(table, "%s", fact->value);
	}
	if (nr_more)
		doc_paragraph(reporter->doc, "and %zu more up to %s.", nr_more,
			      name_of(reporter, answer->first_bad));
}

/* ---- what it took ---- */

static void add_runs(struct reporter *reporter)
{
	static const struct doc_column columns[] = {
		{ "nr", DOC_RIGHT },	 { "candidate", DOC_LEFT },  { "runs", DOC_RIGHT },
		{ "median", DOC_RIGHT }, { "posterior", DOC_RIGHT },
	};
	const struct bisect *bisect = reporter->bisect;
	CLEANUP(free) double *share = xcalloc(bisect_nr(bisect), sizeof(*share));
	CLEANUP(free) char *place = bisect_place(bisect);
	struct doc_table *table;

	bisect_probabilities(bisect, share);
	doc_paragraph(reporter->doc, "Measured%s, the good end first:", place);
	table = doc_table(reporter->doc, "candidates", columns, sizeof(columns) / sizeof(*columns));
	for (size_t i = 0; i < bisect_nr(bisect); i++) {
		double median;
		size_t nr = bisect_median(bisect, i, &median);

		if (!nr)
			continue;
		doc_row(table);
		doc_number(table, (double)i, "");
		doc_text(table, "%s", name_of(reporter, i));
		doc_number(table, (double)nr, "");
		doc_number(table, median, metric_unit(bisect->metric));
		doc_number_as(table, 100 * share[i], "%", "%.3g %%", 100 * share[i]);
	}
}

static void add_effort(struct reporter *reporter)
{
	const struct search_answer *answer = &reporter->answer;
	const struct candidate_ops *ops = reporter->bisect->ops;
	size_t nr = bisect_nr(reporter->bisect) - 1;
	CLEANUP(strbuf) struct strbuf times = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf again = STRBUF_INIT;
	CLEANUP(free) char *place = bisect_place(reporter->bisect);

	if (!reporter->bisect->whole)
		bisect_add_times(reporter->bisect, &times);
	if (answer->nr_anchor_runs)
		strbuf_printf(&again, ", %zu to look at the ends again", answer->nr_anchor_runs);
	if (answer->nr_restarts)
		doc_paragraph(reporter->doc,
			      "%zu earlier answer%s%s%s not confirmed, and the search began anew.",
			      answer->nr_restarts, answer->nr_restarts == 1 ? "" : "s", place,
			      answer->nr_restarts == 1 ? " was" : "s were");
	doc_paragraph(reporter->doc,
		      "%zu runs%s, %s: %zu to see whether it is reproducible, %zu to search %zu "
		      "%s%s, %zu to confirm%s.",
		      answer->nr_end_runs + answer->nr_search_runs + answer->nr_anchor_runs +
			      answer->nr_confirm_runs,
		      place, BISECT_UNCOUNTED, answer->nr_end_runs, answer->nr_search_runs, nr,
		      nr == 1 ? ops->noun : ops->nouns, strbuf_str(&again), answer->nr_confirm_runs,
		      strbuf_str(&times));
}

/* ---- and now ---- */

static void add_commands(const struct reporter *reporter, const struct bisect *whole)
{
	CLEANUP(free) char *more = xasprintf(" --max-runs=%u", 2 * whole->config->max_runs);
	const struct search_answer *answer = &reporter->answer;
	/* or one of several that it may be */
	bool is_entered = bisect_is_entered(whole, reporter->bisect, answer->first_bad) ||
			  answer->first_bad != answer->last_good + 1;
	struct search_answer last;

	search_answer(bisect_last(whole)->search, &last);
	VEC_FOREACH (&reporter->facts, fact) {
		if (is_entered || strcmp(fact->key, CANDIDATE_FACT_INSIDE) != 0)
			continue;
		doc_paragraph(
			reporter->doc,
			"It is a merge. To search what came in with it, the same command with");
		doc_verbatim(reporter->doc, "%s", fact->value);
	}
	bisect_add_commands(whole,
			    last.state == SEARCH_RUNNING     ? ""
			    : last.state == SEARCH_NO_BUDGET ? more
							     : NULL,
			    reporter->doc);
}

/* Of the one that has the answer. */
static void add_answer(struct reporter *reporter, const struct bisect *whole)
{
	struct search_answer last;

	search_answer(bisect_last(whole)->search, &last);
	if (last.state == SEARCH_RUNNING && is_found(&reporter->answer))
		doc_heading(reporter->doc, "not finished: %s",
			    whole->why_stopped ? whole->why_stopped : "it can go on");
	else
		add_state(reporter);
	if (is_found(&reporter->answer))
		add_confirmation(reporter);
	add_best(reporter);
	add_facts(reporter);
}

static void add_line(const struct bisect *line, struct doc *doc, void (*add)(struct reporter *))
{
	struct reporter reporter = { .bisect = line, .doc = doc };

	if (!bisect_has_search(line))
		return;
	search_answer(line->search, &reporter.answer);
	add(&reporter);
}

static void add_measured(struct reporter *reporter)
{
	const struct search_answer *answer = &reporter->answer;

	if (answer->nr_end_runs || answer->ends.nr_a)
		add_runs(reporter);
	bisect_add_untestable(reporter->bisect, reporter->doc);
}

struct doc *bisect_report(struct bisect *bisect)
{
	struct reporter reporter = {
		.bisect = bisect_final(bisect),
		.doc = doc_create("regio.bisect"),
		.verdict = bisect_verdict(bisect),
	};

	search_answer(reporter.bisect->search, &reporter.answer);
	collect_facts(&reporter);
	add_answer(&reporter, bisect);
	bisect_add_entered(bisect, reporter.doc);
	for (size_t i = 0; i < bisect_nr_lines(bisect); i++)
		add_line(bisect_line(bisect, i), reporter.doc, add_measured);
	for (size_t i = 0; i < bisect_nr_lines(bisect); i++)
		add_line(bisect_line(bisect, i), reporter.doc, add_effort);
	add_commands(&reporter, bisect);
	doc_json(reporter.doc, bisect_report_json(bisect));
	candidate_facts_release(&reporter.facts);
	return reporter.doc;
}
