/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an A/B comparison in virtual time says, to people and as schema regio.ab. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "analysis/counter_rule.h"
#include "analysis/verdict.h"
#include "analysis/virtual_rule.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "cmd/ab.h"
#include "cmd/ab_virtual.h"
#include "cmd/env_report.h"
#include "cmd/report_json.h"
#include "cmd/terminal.h"
#include "cmd/usual_metrics.h"
#include "output/doc.h"
#include "output/output.h"
#include "store/store.h"

#define AB_JSON_VERSION 1

struct row {
	const char *metric; /* of the first run of A */
	double *values[NR_SIDES];
	size_t nr;
	struct virtual_decision decision;
	enum verdict verdict;
};

struct row_list VEC_BODY(struct row);

static void row_list_release(struct row_list *rows)
{
	VEC_FOREACH (rows, row) {
		free(row->values[SIDE_A]);
		free(row->values[SIDE_B]);
	}
	vec_release(rows);
}

CLEANUP_DEFINE(row_list, struct row_list, row_list_release)

/* False if a run lacks the metric. */
static bool row_fill(const struct ab *ab, const char *metric, bool is_same_work, struct row *row)
{
	size_t nr = ab->config->trial.vm.nr_seeds;

	*row = (struct row){ .metric = metric, .nr = nr };
	for (int side = SIDE_A; side < NR_SIDES; side++) {
		const struct ab_side *it = &ab->sides[side];

		row->values[side] = xcalloc(nr, sizeof(double));
		for (size_t i = 0; i < nr; i++) {
			if (i >= it->nr_runs ||
			    metric_find(&it->runs[i], metric, &row->values[side][i]) < 0)
				return false;
		}
	}
	virtual_decide(row->values[SIDE_A], row->values[SIDE_B], nr, ab->config->min_effect,
		       &row->decision);
	if (counter_is_slight(metric, &ab->sides[SIDE_A].runs[0],
			      row->decision.b.median - row->decision.a.median))
		row->decision.finding = FINDING_NO_DIFFERENCE;
	row->verdict = verdict_of(
		row->decision.finding,
		ab_polarity(ab, metric,
			    is_same_work ? counter_polarity(metric) : metric_polarity(metric)));
	return true;
}

/* All metrics of all runs, the deciding one first. */
static void collect_rows(const struct ab *ab, struct row_list *rows)
{
	const struct metric_list *first = &ab->sides[SIDE_A].runs[0];
	bool is_same_work = counter_same_work(first, &ab->sides[SIDE_B].runs[0]);

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < first->nr; i++) {
			struct row row;

			if (!strcmp(first->items[i].name, ab->metric) != (pass == 0))
				continue;
			if (row_fill(ab, first->items[i].name, is_same_work, &row)) {
				vec_push(rows, row);
				continue;
			}
			free(row.values[SIDE_A]);
			free(row.values[SIDE_B]);
		}
	}
}

/* ---- for people ---- */

static void format_effect(const struct virtual_decision *decision, char *text, size_t size)
{
	if (isnan(decision->ratio))
		(void)snprintf(text, size, "-");
	else if (isnan(decision->ratios.lo))
		(void)snprintf(text, size, "%+.2f %%", 100 * (decision->ratio - 1));
	else
		(void)snprintf(text, size, "%+.2f %% [%+.2f, %+.2f]", 100 * (decision->ratio - 1),
			       100 * (decision->ratios.lo - 1), 100 * (decision->ratios.hi - 1));
}

static bool is_changed(const struct row *row)
{
	return row->decision.finding != FINDING_NO_DIFFERENCE;
}

static void add_row(struct doc_table *table, const struct row *row)
{
	const char *unit = metric_unit(row->metric);
	char effect[96];

	format_effect(&row->decision, effect, sizeof(effect));
	doc_row(table);
	doc_text(table, "%s", row->metric);
	doc_number(table, row->decision.a.median, unit);
	doc_number(table, row->decision.b.median, unit);
	doc_text(table, "%s", effect);
	doc_text(table, "%s", verdict_text(row->verdict));
}

/* Ticks and shares of a run of a few ms are steps of a clock; sums repeat their only part. */
static bool is_worth_a_row(const struct row *row, const struct row *deciding)
{
	const char *unit = metric_unit(row->metric);
	bool is_sum = !strncmp(row->metric, "total.", strlen("total."));

	if (is_sum && strncmp(deciding->metric, "total.", strlen("total.")) != 0)
		return false;
	if (counter_is_one(row->metric))
		return is_changed(row);
	return is_changed(row) && strcmp(unit, "ms") != 0 && strcmp(unit, "%") != 0 &&
	       !metric_is_detail(row->metric);
}

static void add_table(struct doc *doc, const struct ab *ab, const struct row_list *rows)
{
	static const struct doc_column columns[] = {
		{ "metric", DOC_LEFT },	   { "A median", DOC_RIGHT },
		{ "B median", DOC_RIGHT }, { "effect [range over seeds]", DOC_RIGHT },
		{ "verdict", DOC_LEFT },
	};
	struct doc_table *table = doc_table(doc, "metrics", columns, 5);

	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->items[i];

		if (i == 0 || ab->config->all_metrics || is_worth_a_row(row, &rows->items[0]))
			add_row(table, row);
	}
}

/* "disk.nullr0.write_ios 160 to 1660 (regression), .." */
static void add_counters(struct doc *doc, const struct row_list *rows)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	size_t nr = 0;

	VEC_FOREACH (rows, row) {
		if (!counter_is_one(row->metric) || !is_changed(row))
			continue;
		strbuf_printf(&text, "%s%s %g to %g (%s)", nr++ ? ", " : "", row->metric,
			      row->decision.a.median, row->decision.b.median,
			      verdict_text(row->verdict));
	}
	if (nr)
		doc_paragraph(doc, "Counters that changed, whatever the time says: %s.",
			      strbuf_str(&text));
	else
		doc_paragraph(doc, "No counter changed: requests, merges, their size, context "
				   "switches.");
}

static void add_conclusion(struct doc *doc, const struct ab *ab, const struct row_list *rows)
{
	const struct row *row = &rows->items[0];
	char effect[96];

	format_effect(&row->decision, effect, sizeof(effect));
	doc_paragraph(doc, "%s of B against A in virtual time, %zu seeds: %s: %s", row->metric,
		      row->nr, verdict_text(row->verdict), effect);
	doc_paragraph(doc,
		      "A change is one whose ranges over the seeds do not meet and that is "
		      "larger than %.2g %% and than the spread of a side (%.2g %%). The self-"
		      "test passed: one seed gave the same bytes twice.",
		      100 * ab->config->min_effect, 100 * row->decision.spread);
	add_counters(doc, rows);
}

static struct doc *virtual_report(const struct ab *ab, const struct row_list *rows)
{
	struct doc *doc = doc_create("regio.ab");
	CLEANUP(free) char *a = setting_list_text(&ab->sides[SIDE_A].settings);
	CLEANUP(free) char *b = setting_list_text(&ab->sides[SIDE_B].settings);

	doc_heading(doc, "A: %s   B: %s", a, b);
	add_conclusion(doc, ab, rows);
	add_table(doc, ab, rows);
	ab_end_report(ab, doc);
	return doc;
}

/* ---- for programs ---- */

static json_t *sample_json(const struct ab *ab, enum campaign_side side, const struct row *row)
{
	CLEANUP(free) char *label = setting_list_text(&ab->sides[side].settings);
	const struct virtual_sample *sample = side == SIDE_A ? &row->decision.a : &row->decision.b;

	return json_pack("{s:s, s:o, s:I, s:o, s:o, s:o, s:o}", "side", side_name(side), "label",
			 report_text(label), "n", (json_int_t)row->nr, "median",
			 report_number(sample->median), "min", report_number(sample->min), "max",
			 report_number(sample->max), "values",
			 report_values(row->values[side], row->nr));
}

static json_t *row_json(const struct ab *ab, const struct row *row)
{
	return json_pack(
		"{s:s, s:s, s:o, s:o, s:o, s:[o, o], s:o, s:s}", "metric", row->metric, "unit",
		metric_unit(row->metric), "base", sample_json(ab, SIDE_A, row), "new",
		sample_json(ab, SIDE_B, row), "ratio", report_number(row->decision.ratio),
		"interval", report_number(row->decision.ratios.lo),
		report_number(row->decision.ratios.hi), "seed_spread",
		report_number(row->decision.spread), "verdict", verdict_name(row->verdict));
}

/* Names of the counters that changed, by what is said of them. */
static json_t *counters_json(const struct row_list *rows)
{
	json_t *names = json_object();

	VEC_FOREACH (rows, row) {
		if (counter_is_one(row->metric) && is_changed(row))
			(void)json_object_set_new(names, row->metric,
						  json_string(verdict_name(row->verdict)));
	}
	return names;
}

static char *virtual_json(const struct ab *ab, const struct row_list *rows)
{
	json_t *root = json_pack("{s:s, s:i, s:s}", "schema", "regio.ab", "version",
				 AB_JSON_VERSION, "time", "virtual");
	json_t *deciding = row_json(ab, &rows->items[0]);
	json_t *others = json_array();

	(void)json_object_update(root, deciding);
	json_decref(deciding);
	for (size_t i = 1; i < rows->nr; i++)
		(void)json_array_append_new(others, row_json(ab, &rows->items[i]));
	(void)json_object_set_new(root, "counters", counters_json(rows));
	(void)json_object_set_new(root, "pairs", json_integer((json_int_t)rows->items[0].nr));
	return ab_finish_json(ab, root, others);
}

int ab_virtual_finish(struct ab *ab, struct err *err)
{
	CLEANUP(row_list) struct row_list rows = VEC_INIT;
	CLEANUP(free) char *document = NULL;
	int ret = 0;

	collect_rows(ab, &rows);
	if (rows.nr == 0)
		return err_set(err, ERR_INPUT, "not every guest has the metric '%s'", ab->metric);
	env_report_notes(&ab->notes, &ab->sides[SIDE_A].facts, &ab->sides[SIDE_B].facts, true);
	document = virtual_json(ab, &rows);
	if (ab->session.store)
		ret = store_end_experiment(ab->session.store, ab->session.experiment,
					   verdict_name(rows.items[0].verdict), document, err);
	if (ret == 0 && ab->config->json) {
		printf("%s\n", document);
	} else if (ret == 0) {
		const struct output_style style = terminal_style();
		struct doc *doc = virtual_report(ab, &rows);

		ret = output_find("text")->doc(doc, &style, stdout, err);
		doc_free(doc);
	}
	return ret < 0 ? ret : verdict_exit_status(rows.items[0].verdict);
}
