/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare_rows: tables of a comparison; the same rows for people and, with bare numbers, for
 * programs. */
#include "cmd/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "cmd/usual_metrics.h"
#include "model/metric.h"
#include "output/doc.h"

/* Of metrics without a verdict so many are shown besides the usual ones: the largest changes. */
#define MAX_UNTESTED 10
#define MIN_UNTESTED_SHARE 0.10
#define MAX_JOB_ROWS 64
/* Rows that changed for certain but do not decide; they stand in the order of their size. */
#define MAX_CHANGED 20

/* ---- cells ---- */

char *compare_verdict_text(const struct compare *compare, const struct metric_row *row)
{
	const struct decision *decision = &row->comparison.decision;
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	(void)compare;
	if (row->kind == ROW_POSTED)
		strbuf_add_str(&out, "no verdict: means only");
	else if (!decision->is_tested && decision->nr_a == decision->nr_b)
		strbuf_printf(&out, "no verdict: %zu run%s a side", decision->nr_a,
			      decision->nr_a == 1 ? "" : "s");
	else if (!decision->is_tested)
		strbuf_printf(&out, "no verdict: %zu and %zu runs", decision->nr_a, decision->nr_b);
	else if (row->verdict == VERDICT_NO_DIFFERENCE && decision->scale == SCALE_RATIO)
		strbuf_printf(&out, "no difference >= %.3g %%", 100 * row->min_effect);
	else
		strbuf_add_str(&out, verdict_text(row->verdict));
	return strbuf_take(&out);
}

static void add_value(struct doc_table *table, const struct metric_row *row, bool is_new)
{
	const struct row_count *count = is_new ? &row->new_count : &row->base_count;
	double value = metric_row_value(row, is_new);

	if (row->kind == ROW_COUNTED)
		doc_number_as(table, value, "", "%zu of %zu", count->nr_hits, count->nr_runs);
	else
		doc_number(table, value, row->unit);
}

void compare_add_p(struct doc_table *table, const struct comparison *comparison, double p)
{
	if (comparison->decision.is_tested)
		doc_number_as(table, p, "", "%.2g", p);
	else
		doc_empty(table);
}

static void add_effect(struct doc_table *table, const struct metric_row *row)
{
	char effect[VERDICT_TEXT_LEN];

	verdict_format_effect(&row->comparison.decision, effect);
	if (row->kind == ROW_COUNTED)
		doc_text(table, "%+.0f %% of the runs", 100 * row->comparison.decision.effect);
	else
		doc_text(table, "%s", effect);
}

static void add_verdict(struct doc_table *table, const struct compare *compare,
			const struct metric_row *row)
{
	bool is_tested = row->comparison.decision.is_tested;
	CLEANUP(free) char *verdict = compare_verdict_text(compare, row);

	if (row->same_as)
		doc_text(table, "same fact as %s", row->same_as->metric);
	else if (row->use == ROW_PRIMARY)
		doc_text(table, "%s%s", verdict, is_tested ? " (decides)" : "");
	else if (is_tested)
		doc_text(table, "%s", verdict);
	else
		doc_empty(table); /* said of the one that decides */
}

static void add_job_name(struct doc_table *table, const struct compare *compare,
			 const struct metric_row *row)
{
	const struct cohort *base = compare->pairs.items[row->pair].base;
	bool is_repeated = false;

	if (!row->job) {
		doc_empty(table);
		return;
	}
	VEC_FOREACH (&base->jobs, job)
		is_repeated |= job->ordinal > 1 && !strcmp(job->name, row->job->name);
	if (is_repeated)
		doc_text(table, "%s #%zu", row->job->name, row->job->ordinal);
	else
		doc_text(table, "%s", row->job->name);
}

/* ---- for people ---- */

static void add_row(struct doc_table *table, const struct compare *compare,
		    const struct metric_row *row)
{
	doc_row(table);
	doc_text(table, "%s%s", row->same_as ? "  " : "", row->metric);
	add_value(table, row, false);
	add_value(table, row, true);
	add_effect(table, row);
	compare_add_p(table, &row->comparison, row->comparison.adjusted_p);
	add_verdict(table, compare, row);
}

static bool is_decided(const struct metric_row *row)
{
	return row->verdict != VERDICT_UNDECIDED && row->verdict != VERDICT_NO_DIFFERENCE;
}

/* A metric of another program that says how well it did. */
static bool is_score(const struct metric_row *row)
{
	static const char *const dirs[] = {
		"read.", "write.", "trim.", "sync.", "total.", "mixed."
	};

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		if (!strncmp(row->metric, dirs[i], strlen(dirs[i])))
			return false;
	}
	return metric_is_performance(row->metric);
}

/* Shown whatever is to be said of it. */
static bool is_named(const struct compare *compare, const struct metric_row *row)
{
	if (compare->config->all_metrics || row->use == ROW_PRIMARY)
		return true;
	return (metric_is_usual(row->metric) || is_score(row)) &&
	       strncmp(row->metric, "total.", 6) != 0;
}

/* Changed for certain, and tells more than the rows that are shown anyway. */
static bool is_news(const struct compare *compare, const struct metric_row *row)
{
	return !is_named(compare, row) && row->comparison.decision.is_tested && is_decided(row) &&
	       !row->same_as && !metric_is_detail(row->metric) &&
	       strncmp(row->metric, "total.", 6) != 0;
}

/* Without a verdict: large enough a change to be worth a look. */
static bool may_be_told(const struct compare *compare, const struct metric_row *row)
{
	return row->use == ROW_OTHER && !is_named(compare, row) && !row->same_as &&
	       !row->comparison.decision.is_tested &&
	       row->comparison.decision.scale == SCALE_RATIO && !metric_is_detail(row->metric) &&
	       metric_row_effect_share(row) >= MIN_UNTESTED_SHARE;
}

static int compare_changes(const void *left, const void *right)
{
	const struct metric_row *a = *(const struct metric_row *const *)left;
	const struct metric_row *b = *(const struct metric_row *const *)right;
	double share_a = metric_row_effect_share(a), share_b = metric_row_effect_share(b);

	if (share_a != share_b)
		return share_a > share_b ? -1 : 1;
	return a < b ? -1 : a > b; /* of one array */
}

/* The largest changes without a verdict, largest first. Returns how many were added. */
static size_t add_told(struct doc_table *table, const struct compare *compare, size_t pair)
{
	CLEANUP(free)
	const struct metric_row **rows = xcalloc(compare->table.nr + 1, sizeof(*rows));
	size_t nr = 0;

	for (size_t i = 0; i < compare->table.nr; i++) {
		const struct metric_row *row = &compare->table.rows[i];

		if (row->pair == pair && may_be_told(compare, row))
			rows[nr++] = row;
	}
	qsort(rows, nr, sizeof(*rows), compare_changes);
	if (nr > MAX_UNTESTED)
		nr = MAX_UNTESTED;
	for (size_t i = 0; i < nr; i++)
		add_row(table, compare, rows[i]);
	return nr;
}

static bool has_tests(const struct compare *compare, size_t pair)
{
	for (size_t i = 0; i < compare->table.nr; i++) {
		if (compare->table.rows[i].pair == pair &&
		    compare->table.rows[i].comparison.decision.is_tested)
			return true;
	}
	return false;
}

void compare_add_metrics(const struct compare *compare, size_t pair, struct doc *doc)
{
	static const struct doc_column tested[] = {
		{ "metric", DOC_LEFT },	     { "base", DOC_RIGHT },
		{ "new", DOC_RIGHT },	     { "effect [interval]", DOC_RIGHT },
		{ "adjusted p", DOC_RIGHT }, { "verdict", DOC_LEFT },
	};
	/* the column of p stays in place, for programs */
	static const struct doc_column untested[] = {
		{ "metric", DOC_LEFT },
		{ "base", DOC_RIGHT },
		{ "new", DOC_RIGHT },
		{ "effect", DOC_RIGHT },
		{ "adjusted p", DOC_RIGHT | DOC_DATA },
		{ "verdict", DOC_LEFT },
	};
	struct doc_table *table =
		doc_table(doc, "metrics", has_tests(compare, pair) ? tested : untested,
			  sizeof(tested) / sizeof(tested[0]));
	size_t nr_news = 0, nr_hidden = 0;

	for (size_t i = 0; i < compare->table.nr; i++) {
		const struct metric_row *row = &compare->table.rows[i];
		bool is_new;

		if (row->pair != pair || row->use == ROW_JOB)
			continue;
		is_new = is_news(compare, row);
		nr_news += is_new;
		if (is_named(compare, row) || (is_new && nr_news <= MAX_CHANGED))
			add_row(table, compare, row);
		else
			nr_hidden += !is_new;
	}
	nr_hidden -= add_told(table, compare, pair);
	if (nr_news > MAX_CHANGED)
		doc_paragraph(doc, "%zu more metrics changed by less than these.",
			      nr_news - MAX_CHANGED);
	if (nr_hidden)
		doc_paragraph(doc,
			      "%zu more metric%s not certain, not large or a detail of these; "
			      "--all-metrics shows %s.",
			      nr_hidden, nr_hidden == 1 ? " is" : "s are",
			      nr_hidden == 1 ? "it" : "them");
}

/* Whether the metric decides for the whole: of single jobs only those are shown. */
static bool is_primary_metric(const struct compare *compare, const struct metric_row *job_row)
{
	for (size_t i = 0; i < compare->table.nr; i++) {
		const struct metric_row *row = &compare->table.rows[i];

		if (row->use == ROW_PRIMARY && row->pair == job_row->pair &&
		    !strcmp(row->metric, job_row->metric))
			return true;
	}
	return false;
}

void compare_add_jobs(const struct compare *compare, size_t pair, struct doc *doc)
{
	static const struct doc_column tested[] = {
		{ "job", DOC_LEFT },
		{ "metric", DOC_LEFT },
		{ "base", DOC_RIGHT },
		{ "new", DOC_RIGHT },
		{ "effect [interval]", DOC_RIGHT },
		{ "adjusted p", DOC_RIGHT },
		{ "verdict", DOC_LEFT },
	};
	static const struct doc_column untested[] = {
		{ "job", DOC_LEFT },
		{ "metric", DOC_LEFT },
		{ "base", DOC_RIGHT },
		{ "new", DOC_RIGHT },
		{ "effect", DOC_RIGHT },
		{ "adjusted p", DOC_RIGHT | DOC_DATA },
		{ "verdict", DOC_LEFT | DOC_DATA },
	};
	struct doc_table *table =
		doc_table(doc, "jobs", has_tests(compare, pair) ? tested : untested,
			  sizeof(tested) / sizeof(tested[0]));
	size_t nr_shown = 0, nr_hidden = 0;

	for (size_t i = 0; i < compare->table.nr; i++) {
		const struct metric_row *row = &compare->table.rows[i];

		if (row->pair != pair || row->use != ROW_JOB)
			continue;
		if (!compare->config->all_metrics &&
		    (!is_primary_metric(compare, row) || nr_shown == MAX_JOB_ROWS)) {
			nr_hidden++;
			continue;
		}
		nr_shown++;
		doc_row(table);
		add_job_name(table, compare, row);
		doc_text(table, "%s", row->metric);
		add_value(table, row, false);
		add_value(table, row, true);
		add_effect(table, row);
		compare_add_p(table, &row->comparison, row->comparison.adjusted_p);
		add_verdict(table, compare, row);
	}
	if (nr_shown == MAX_JOB_ROWS && nr_hidden)
		doc_paragraph(doc, "%zu more rows of jobs; --all-metrics shows them.", nr_hidden);
}

/* ---- for programs ---- */

static void add_bare_effect(struct doc_table *table, const struct metric_row *row)
{
	const struct decision *decision = &row->comparison.decision;
	struct interval interval = decision_interval(decision);
	bool is_bounded = interval_is_bounded(interval);

	if (decision->scale == SCALE_RATIO) {
		doc_number(table, decision->effect, "");
		doc_empty(table);
	} else {
		doc_empty(table);
		doc_number(table, decision->effect, "");
	}
	doc_number(table, is_bounded ? interval.lo : (double)NAN, "");
	doc_number(table, is_bounded ? interval.hi : (double)NAN, "");
}

static const char *use_name(enum row_use use)
{
	static const char *const names[] = {
		[ROW_PRIMARY] = "primary", [ROW_OTHER] = "other", [ROW_JOB] = "job"
	};

	return names[use];
}

static const char *kind_name(enum row_kind kind)
{
	static const char *const names[] = {
		[ROW_MEASURED] = "runs", [ROW_POSTED] = "means", [ROW_COUNTED] = "counts"
	};

	return names[kind];
}

void compare_add_all_rows(const struct compare *compare, struct doc *doc)
{
	static const struct doc_column columns[] = {
		{ "base_label", DOC_LEFT },   { "new_label", DOC_LEFT },
		{ "workload", DOC_LEFT },     { "job", DOC_LEFT },
		{ "metric", DOC_LEFT },	      { "unit", DOC_LEFT },
		{ "group", DOC_LEFT },	      { "use", DOC_LEFT },
		{ "kind", DOC_LEFT },	      { "base_runs", DOC_RIGHT },
		{ "new_runs", DOC_RIGHT },    { "base", DOC_RIGHT },
		{ "new", DOC_RIGHT },	      { "ratio", DOC_RIGHT },
		{ "difference", DOC_RIGHT },  { "interval_lo", DOC_RIGHT },
		{ "interval_hi", DOC_RIGHT }, { "p", DOC_RIGHT },
		{ "adjusted_p", DOC_RIGHT },  { "verdict", DOC_LEFT },
	};
	struct doc_table *table =
		doc_table(doc, "metrics", columns, sizeof(columns) / sizeof(columns[0]));

	for (size_t i = 0; i < compare->table.nr; i++) {
		const struct metric_row *row = &compare->table.rows[i];
		const struct decision *decision = &row->comparison.decision;

		doc_row(table);
		doc_text(table, "%s", compare->sides[0].label);
		doc_text(table, "%s", compare_new_label(compare, row->pair));
		doc_text(table, "%s", compare->pairs.items[row->pair].base->workload);
		add_job_name(table, compare, row);
		doc_text(table, "%s", row->metric);
		doc_text(table, "%s", row->unit);
		doc_text(table, "%s", row->group.name);
		doc_text(table, "%s", use_name(row->use));
		doc_text(table, "%s", kind_name(row->kind));
		doc_number(table, (double)decision->nr_a, "");
		doc_number(table, (double)decision->nr_b, "");
		doc_number(table, metric_row_value(row, false), row->unit);
		doc_number(table, metric_row_value(row, true), row->unit);
		add_bare_effect(table, row);
		compare_add_p(table, &row->comparison, decision->p);
		compare_add_p(table, &row->comparison, row->comparison.adjusted_p);
		doc_text(table, "%s", verdict_name(row->verdict));
	}
}
