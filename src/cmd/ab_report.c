/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an A/B comparison says: the document for people. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "caveat/caveat.h"
#include "cmd/ab.h"
#include "cmd/ab_table.h"
#include "cmd/env_report.h"
#include "output/doc.h"
#include "stats/lkp.h"

struct effect_rule ab_rule(const struct ab *ab, const char *metric)
{
	return (struct effect_rule){
		.alpha = ab->config->alpha,
		.min_effect = ab->config->min_effect,
		.is_percent = metric_is_percent(metric),
	};
}

enum polarity ab_polarity(const struct ab *ab, const char *metric, enum polarity otherwise)
{
	bool is_given = ab->better != POLARITY_NONE && !strcmp(metric, ab->metric);

	return is_given ? ab->better : otherwise;
}

static enum polarity polarity_of_deciding(const struct ab *ab)
{
	return ab_polarity(ab, ab->metric, metric_polarity(ab->metric));
}

static enum verdict ab_verdict(const struct ab *ab)
{
	if (ab->campaign.look.nr_pairs == 0)
		return VERDICT_UNDECIDED;
	return verdict_of(ab->campaign.look.decision.finding, polarity_of_deciding(ab));
}

const char *ab_verdict_name(const struct ab *ab)
{
	return verdict_name(ab_verdict(ab));
}

int ab_exit_status(const struct ab *ab)
{
	return verdict_exit_status(ab_verdict(ab));
}

static void note_decision(struct ab *ab, const struct ab_row *row)
{
	const struct stop_look *look = &ab->campaign.look;
	const struct decision *decision = &look->decision;
	const struct slow_runs *slow = &row->comparison.slow_runs;

	if (!decision->is_tested)
		note_add(&ab->notes, NOTE_TOO_FEW_RUNS, "%zu pairs; a verdict needs %d",
			 look->nr_pairs, EFFECT_MIN_RUNS);
	if (look->mode == STOP_PAIRED)
		note_add(&ab->notes, NOTE_PAIRED_MODE,
			 "the runs drift with time or depend on their place in the pair");
	if (decision->is_significant && decision->finding != FINDING_LOWER &&
	    decision->finding != FINDING_HIGHER) {
		char text[VERDICT_TEXT_LEN];

		verdict_format_effect(decision, text);
		note_add(&ab->notes, NOTE_BELOW_MIN_EFFECT,
			 "%s changed for certain, but by less than %.3g %%: %s", row->metric,
			 100 * ab->config->min_effect, text);
	}
	if (slow->p <= ab->config->alpha)
		note_add(&ab->notes, NOTE_SLOW_RUNS,
			 "slow runs: %zu of %zu with A, %zu of %zu with B", slow->nr_a, row->nr,
			 slow->nr_b, row->nr);
	if (row->comparison.is_skewed)
		note_add(&ab->notes, NOTE_SKEWED, "mean and median of %s differ by more than 3 %%",
			 row->metric);
}

/* Whether the runs of a side depend on their order. */
static void note_order(struct ab *ab, const struct ab_row *row)
{
	for (int side = SIDE_A; side < NR_SIDES; side++) {
		CLEANUP(free)
		char *what =
			xasprintf("%s of %s", row->metric, side_name((enum campaign_side)side));

		caveat_check_series(what, row->values[side], row->nr, &ab->notes);
	}
}

void ab_add_notes(struct ab *ab)
{
	struct ab_table table;

	note_add(&ab->notes, NOTE_DISCARDED_WARMUP, "the first run of each side was not used");
	for (int side = SIDE_A; side < NR_SIDES; side++) {
		if (ab->campaign.nr_failures[side])
			note_add(&ab->notes, NOTE_RUN_REPEATED,
				 "%u failed runs of %s were repeated",
				 ab->campaign.nr_failures[side],
				 side_name((enum campaign_side)side));
	}
	env_report_notes(&ab->notes, &ab->sides[SIDE_A].facts, &ab->sides[SIDE_B].facts, true);
	if (!ab->metric)
		return;
	ab_table_init(&table, ab, false);
	if (table.nr) {
		note_decision(ab, &table.rows[0]);
		note_order(ab, &table.rows[0]);
	}
	ab_table_release(&table);
}

static void add_row(struct doc_table *to, const struct ab_row *row)
{
	const struct comparison *comparison = &row->comparison;
	const char *unit = metric_unit(row->metric);
	char effect[VERDICT_TEXT_LEN];

	verdict_format_effect(&comparison->decision, effect);
	doc_row(to);
	doc_text(to, "%s", row->metric);
	doc_number(to, comparison->a.median, unit);
	doc_number(to, comparison->b.median, unit);
	doc_text(to, "%s", effect);
	doc_text(to, "%s%s", verdict_text(row->verdict), row->is_deciding ? " (decides)" : "");
}

static void add_table(struct doc *doc, const struct ab_table *table)
{
	static const struct doc_column columns[] = {
		{ "metric", DOC_LEFT },	   { "A median", DOC_RIGHT },
		{ "B median", DOC_RIGHT }, { "effect [interval]", DOC_RIGHT },
		{ "verdict", DOC_LEFT },
	};
	struct doc_table *to =
		doc_table(doc, "metrics", columns, sizeof(columns) / sizeof(*columns));

	for (size_t i = 0; i < table->nr; i++)
		add_row(to, &table->rows[i]);
}

/* The line that readers of LKP reports know: mean, deviation, change, mean, deviation, name. */
static void add_lkp_line(struct doc *doc, const struct ab_row *row)
{
	const struct comparison *comparison = &row->comparison;
	char a[LKP_TEXT_LEN];
	char b[LKP_TEXT_LEN];
	char change[LKP_TEXT_LEN];

	lkp_format_summary(&comparison->a, a);
	lkp_format_summary(&comparison->b, b);
	lkp_format_change(comparison->a.mean, comparison->b.mean, lkp_is_absolute(row->metric),
			  change);
	doc_paragraph(doc, "As LKP prints it (mean, deviation, change of the mean):");
	doc_verbatim(doc, "%s  %s  %s  %s", a, change, b, row->metric);
}

/* Effect and noise are known as well as the interval is narrow: the number is one of many. */
static void add_pairs_needed(struct doc *doc, const struct stop_look *look)
{
	static const char remedy[] = "It takes less noise: longer runs, a quieter machine.";
	size_t least = look->nr_pairs_least, needed = look->nr_pairs_needed;

	if (least > LEVELS_MAX_PAIRS)
		doc_paragraph(
			doc,
			"A verdict would take more pairs than the %d of a comparison, wherever "
			"in its interval the effect is. %s",
			LEVELS_MAX_PAIRS, remedy);
	else if (needed > LEVELS_MAX_PAIRS)
		doc_paragraph(
			doc,
			"A verdict would take at least %zu pairs in all, and more than the %d of "
			"a comparison if the effect is as it looks. %s",
			least, LEVELS_MAX_PAIRS, remedy);
	else
		doc_paragraph(
			doc,
			"A verdict would take at least %zu pairs in all, about %zu if the effect "
			"is as it looks (--max-pairs=%zu); or less noise: longer runs, a quieter "
			"machine.",
			least, needed, needed);
}

static void add_conclusion(struct doc *doc, const struct ab *ab)
{
	const struct stop_look *look = &ab->campaign.look;
	const struct effect_rule rule = ab_rule(ab, ab->metric);
	char text[VERDICT_TEXT_LEN];

	if (look->nr_pairs == 0) {
		doc_paragraph(doc, "No pair was completed: nothing can be said.");
		return;
	}
	verdict_format(&look->decision, &rule, polarity_of_deciding(ab), text);
	doc_paragraph(doc, "%s of B against A after %zu pairs: %s", ab->metric, look->nr_pairs,
		      text);
	if (verdict_has_no_direction(ab_verdict(ab)))
		better_option_hint(doc, ab->metric);
	if (look->decision.finding == FINDING_UNDECIDED && look->nr_pairs_needed > look->nr_pairs)
		add_pairs_needed(doc, look);
}

void ab_end_report(const struct ab *ab, struct doc *doc)
{
	(void)env_report_add(doc, &ab->sides[SIDE_A].facts, &ab->sides[SIDE_B].facts);
	if (ab->notes.nr)
		doc_notes(doc, &ab->notes);
	if (ab->session.store)
		doc_paragraph(doc, "Stored as session %lld: regio compare %lld:A %lld:B",
			      (long long)ab->session.experiment, (long long)ab->session.experiment,
			      (long long)ab->session.experiment);
	doc_paragraph(doc, "To repeat it:");
	doc_verbatim(doc, "%s", ab->command);
}

struct doc *ab_report(const struct ab *ab)
{
	struct doc *doc = doc_create("regio.ab");
	CLEANUP(free) char *a = setting_list_text(&ab->sides[SIDE_A].settings);
	CLEANUP(free) char *b = setting_list_text(&ab->sides[SIDE_B].settings);
	struct ab_table table;

	ab_table_init(&table, ab, ab->config->all_metrics);
	doc_heading(doc, "A: %s   B: %s", a, b);
	add_conclusion(doc, ab);
	if (table.nr) {
		add_table(doc, &table);
		add_lkp_line(doc, &table.rows[0]);
	}
	ab_end_report(ab, doc);
	ab_table_release(&table);
	return doc;
}
