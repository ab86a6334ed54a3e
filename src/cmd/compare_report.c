/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare_report: the document of a comparison, for people or, in tables, for programs. */
#include "cmd/compare.h"
#include "cmd/env_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/runs_needed.h"
#include "base/arena.h"
#include "base/strbuf.h"
#include "cmd/report_text.h"
#include "model/metric.h"
#include "output/doc.h"

#define MAX_NEEDED 3	  /* sentences on how many runs are needed */
#define VISIBLE_GAP 0.005 /* of two ratios that a reader would take for one */

/* ---- what is compared ---- */

static size_t nr_runs(const struct side *side)
{
	size_t nr = 0;

	VEC_FOREACH (&side->cohorts, cohort)
		nr += (*cohort)->runs.nr;
	return nr;
}

static size_t nr_tables(const struct side *side)
{
	size_t nr = 0;

	VEC_FOREACH (&side->cohorts, cohort)
		nr += (*cohort)->nr_tables;
	return nr;
}

static void add_samples(const struct compare *compare, struct doc *doc)
{
	static const struct doc_column columns[] = {
		{ "", DOC_LEFT },
		{ "sample", DOC_LEFT },
		{ "from", DOC_LEFT },
		{ "results", DOC_RIGHT },
	};
	static const char *const names[COMPARE_MAX_SIDES] = { "base", "new", "new 2" };
	struct doc_table *table =
		doc_table(doc, "samples", columns, sizeof(columns) / sizeof(columns[0]));

	for (size_t i = 0; i < compare->nr_sides && i < COMPARE_MAX_SIDES; i++) {
		const struct side *side = &compare->sides[i];

		doc_row(table);
		doc_text(table, "%s", names[i]);
		doc_text(table, "%s", side->label);
		doc_text(table, "%s", side->where);
		if (nr_tables(side) && !nr_runs(side))
			doc_number_as(table, 0, "", "means");
		else
			doc_number(table, (double)nr_runs(side), "");
	}
}

static void add_choice(const struct compare *compare, struct doc *doc)
{
	char reason[LABEL_REASON_LEN];

	if (!compare->is_base_chosen)
		return;
	label_reason_text(&compare->base_choice, reason);
	doc_paragraph(doc, "'%s' was taken as the base: %s. --base=LABEL chooses another one.",
		      compare->sides[0].label, *reason ? reason : "it stands first");
}

/* ---- conclusions ---- */

static const struct metric_row *find_row(const struct compare *compare, size_t pair,
					 const char *metric)
{
	for (size_t i = 0; i < compare->table.nr; i++) {
		const struct metric_row *row = &compare->table.rows[i];

		if (row->pair == pair && row->use != ROW_JOB && !strcmp(row->metric, metric))
			return row;
	}
	return NULL;
}

static void append_change(const struct metric_row *row, const char *name, struct strbuf *out)
{
	strbuf_printf(out, "%s ", name);
	report_plain_change(metric_row_value(row, false), metric_row_value(row, true), row->unit,
			    out);
	if (row->comparison.decision.scale == SCALE_RATIO)
		strbuf_printf(out, " (%+.1f %%)", 100 * (row->comparison.decision.effect - 1));
}

/* "bandwidth 315 -> 236 MiB/s (-25.1 %), IOPS 2518 -> 1884 (-25.2 %)" of a direction. */
static bool append_dir(const struct compare *compare, size_t pair, const char *dir,
		       struct strbuf *out)
{
	CLEANUP(free) char *bw_name = xasprintf("%s.bw_bytes_per_sec", dir);
	CLEANUP(free) char *iops_name = xasprintf("%s.iops", dir);
	const struct metric_row *bw = find_row(compare, pair, bw_name);
	const struct metric_row *iops = find_row(compare, pair, iops_name);

	if (!bw && !iops)
		return false;
	strbuf_printf(out, "%s: ", dir);
	if (bw)
		append_change(bw, "bandwidth", out);
	if (bw && iops)
		strbuf_add_str(out, ", ");
	if (iops)
		append_change(iops, "IOPS", out);
	return true;
}

static void append_verdict(const struct compare *compare, const struct metric_row *row,
			   struct strbuf *out)
{
	struct effect_rule rule = compare->table.rule;
	char text[VERDICT_TEXT_LEN];

	rule.min_effect = row->min_effect;
	rule.is_percent = !strcmp(row->unit, "%");
	if (row->kind == ROW_MEASURED && row->comparison.decision.is_tested &&
	    verdict_of(row->comparison.decision.finding, row->polarity) == row->verdict) {
		verdict_format(&row->comparison.decision, &rule, row->polarity, text);
		strbuf_printf(out, ": %s", text);
	} else {
		CLEANUP(free) char *verdict = compare_verdict_text(compare, row);

		strbuf_printf(out, ": %s", verdict);
	}
}

/* The direction of a primary metric, "" if it has none. Caller frees. */
static char *dir_of(const char *metric)
{
	static const char *const dirs[] = { "read", "write", "trim" };

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		size_t len = strlen(dirs[i]);

		if (!strncmp(metric, dirs[i], len) && metric[len] == '.')
			return xstrdup(dirs[i]);
	}
	return xstrdup("");
}

char *compare_conclusion(const struct compare *compare, const struct metric_row *row)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	CLEANUP(free) char *dir = dir_of(row->metric);

	if (row->kind == ROW_COUNTED) {
		strbuf_printf(&out, "failed runs: %zu of %zu -> %zu of %zu",
			      row->base_count.nr_hits, row->base_count.nr_runs,
			      row->new_count.nr_hits, row->new_count.nr_runs);
	} else if (!*dir || strstr(row->metric, "lat_ns") ||
		   !append_dir(compare, row->pair, dir, &out)) {
		append_change(row, row->metric, &out);
	}
	append_verdict(compare, row, &out);
	return strbuf_take(&out);
}

static void add_conclusions(const struct compare *compare, size_t pair, struct doc *doc)
{
	bool is_any = false;

	for (size_t i = 0; i < compare->table.nr; i++) {
		const struct metric_row *row = &compare->table.rows[i];
		CLEANUP(free) char *text = NULL;

		if (row->pair != pair || row->use != ROW_PRIMARY)
			continue;
		text = compare_conclusion(compare, row);
		doc_paragraph(doc, "%s", text);
		is_any = true;
	}
	if (!is_any)
		doc_paragraph(doc, "%s",
			      compare->table.nr
				      ? "No metric is known to decide here; name one with --metric."
				      : "The two have no metric in common.");
}

/* How far a row's effect is from the ratio of the medians beside it. */
static double effect_gap(const struct metric_row *row)
{
	const struct comparison *comparison = &row->comparison;

	if (row->use != ROW_PRIMARY || row->kind != ROW_MEASURED ||
	    comparison->decision.scale != SCALE_RATIO || !isfinite(comparison->ratio_of_medians))
		return 0.0;
	return fabs(comparison->ratio_of_medians - comparison->decision.effect);
}

/* Medians and effect need not fit: said once, where a reader can see that. */
static void add_effect_note(const struct compare *compare, struct doc *doc)
{
	const struct metric_row *widest = NULL;

	for (size_t i = 0; i < compare->table.nr; i++) {
		const struct metric_row *row = &compare->table.rows[i];

		if (effect_gap(row) >= VISIBLE_GAP &&
		    (!widest || effect_gap(row) > effect_gap(widest)))
			widest = row;
	}
	if (widest)
		doc_paragraph(
			doc,
			"The effect is the median of all ratios of two runs, not the ratio of "
			"the medians beside it (that is %+.1f %% for %s).",
			100 * (widest->comparison.ratio_of_medians - 1), widest->metric);
}

static void add_hint(const struct compare *compare, struct doc *doc)
{
	for (size_t i = 0; i < compare->table.nr; i++) {
		const struct metric_row *row = &compare->table.rows[i];

		if (row->use != ROW_PRIMARY || !verdict_has_no_direction(row->verdict))
			continue;
		better_option_hint(doc, row->metric);
		return;
	}
}

/* The sentence, with what tells it from the same one about another pair. */
static void add_needed_text(const struct compare *compare, size_t pair, const char *text,
			    struct doc *doc)
{
	CLEANUP(free) char *workload = compare_workload_note(compare, pair);

	if (compare->nr_sides > 2)
		doc_paragraph(doc, "For %s%s: %s.", compare_new_label(compare, pair), workload,
			      text);
	else
		doc_paragraph(doc, "%c%s%s.", text[0] - 'a' + 'A', text + 1, workload);
}

static void add_needed(const struct compare *compare, struct doc *doc)
{
	size_t nr = 0;

	for (size_t i = 0; i < compare->table.nr && nr < MAX_NEEDED; i++) {
		const struct metric_row *row = &compare->table.rows[i];
		char text[RUNS_NEEDED_LEN];
		struct runs_needed needed;

		if (row->use != ROW_PRIMARY || !runs_needed_for(row, &needed))
			continue;
		runs_needed_text(&needed, row, text);
		add_needed_text(compare, row->pair, text, doc);
		nr++;
	}
}

/* ---- one workload, and the rest ---- */

static void add_pair(const struct compare *compare, size_t pair, struct doc *doc)
{
	const struct cohort_pair *it = &compare->pairs.items[pair];
	const char *workload;

	if (!it->base || !it->new)
		return;
	workload = it->base->workload;
	if (compare->nr_sides > 2)
		doc_heading(doc, "%s against %s%s%s", compare_new_label(compare, pair),
			    compare->sides[0].label, *workload ? ": " : "", workload);
	else
		doc_heading(doc, "%s", *workload ? workload : "comparison");
	add_conclusions(compare, pair, doc);
	compare_add_metrics(compare, pair, doc);
	compare_add_jobs(compare, pair, doc);
	compare_add_shifts(compare, pair, doc);
}

static bool is_format(const struct compare *compare, const char *name)
{
	return !strcmp(compare->config->format, name);
}

struct doc *compare_report(const struct compare *compare)
{
	struct doc *doc = doc_create("regio.compare");

	if (is_format(compare, "csv")) {
		compare_add_all_rows(compare, doc);
	} else {
		add_samples(compare, doc);
		add_choice(compare, doc);
		for (size_t i = 0; i < compare->pairs.nr; i++)
			add_pair(compare, i, doc);
		add_effect_note(compare, doc);
		add_hint(compare, doc);
		add_needed(compare, doc);
	}
	for (size_t i = 1; i < compare->nr_sides; i++)
		(void)env_report_add(doc, &compare->sides[0], &compare->sides[i]);
	doc_notes(doc, &compare->notes);
	if (is_format(compare, "lkp"))
		compare_add_lkp(compare, doc);
	if (is_format(compare, "json"))
		doc_json(doc, compare_report_json(compare));
	return doc;
}
