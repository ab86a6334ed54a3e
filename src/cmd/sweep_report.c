/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep_report: the answer of a matrix for people: sentences, a grid, every cell. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/matrix_words.h"
#include "base/arena.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "cmd/sweep.h"
#include "model/metric.h"
#include "output/doc.h"

struct reporter {
	struct sweep *sweep;
	struct doc *doc;
};

/* ---- the grid ---- */

/* The cells of one place in the grid, over all other factors. */
struct place {
	size_t nr;
	size_t of_class[MATRIX_NR_CLASSES];
	size_t last; /* one of them */
};

static void place_collect(const struct sweep_view *view, size_t row_factor, size_t row,
			  size_t column_factor, size_t column, struct place *ret)
{
	*ret = (struct place){ .nr = 0 };
	for (size_t i = 0; i < view->input.nr_cells; i++) {
		const size_t *levels = view->cells[i].levels;

		if (levels[row_factor] != row ||
		    (column_factor != SIZE_MAX && levels[column_factor] != column))
			continue;
		ret->nr++;
		ret->of_class[matrix_class_of(&view->answer.cells[i])]++;
		ret->last = i;
	}
}

static void add_cell_words(const struct matrix_cell_answer *cell, struct strbuf *out)
{
	const struct decision *decision = &cell->comparison.decision;

	switch (matrix_class_of(cell)) {
	case MATRIX_FAILING:
		strbuf_add_str(out, "failed");
		return;
	case MATRIX_FEW_RUNS:
		strbuf_printf(out, "too few runs (%zu)", cell->nr_pairs);
		return;
	case MATRIX_UNDECIDED:
		strbuf_add_str(out, "undecided");
		if (isfinite(cell->noise))
			strbuf_printf(out, " (noise %.0f %%)", 100 * cell->noise);
		return;
	case MATRIX_SAME:
		strbuf_add_str(out, "no difference");
		return;
	default:
		strbuf_add_str(out, verdict_text(cell->verdict));
		break;
	}
	if (decision->scale == SCALE_RATIO)
		strbuf_printf(out, " %+.1f %%", 100 * (decision->effect - 1));
	else
		strbuf_printf(out, " %+.4g", decision->effect);
}

/* Several cells: how many of them have the worst verdict. */
static void add_place_words(const struct sweep_view *view, const struct place *place,
			    struct strbuf *out)
{
	if (place->nr == 1) {
		add_cell_words(&view->answer.cells[place->last], out);
		return;
	}
	for (int class = 0; class < MATRIX_NR_CLASSES; class ++) {
		if (!place->of_class[class])
			continue;
		strbuf_add_str(out, matrix_class_name((enum matrix_class) class));
		if (place->of_class[class] < place->nr)
			strbuf_printf(out, " %zu of %zu", place->of_class[class], place->nr);
		return;
	}
}

static void add_place_value(const struct reporter *reporter, const struct sweep_view *view,
			    const struct place *place, struct doc_table *table)
{
	const struct matrix_cell_answer *cell = &view->answer.cells[place->last];

	if (place->nr == 1 && cell->nr_pairs > 0 && cell->state != MATRIX_BROKEN)
		doc_number(table, cell->comparison.a.median, metric_unit(reporter->sweep->metric));
	else if (place->nr == 1)
		doc_text(table, "%s", cell->state == MATRIX_BROKEN ? "failed" : "no runs");
	else if (place->nr)
		doc_text(table, "%zu cells", place->nr);
	else
		doc_empty(table);
}

static void add_grid_row(const struct reporter *reporter, const struct sweep_view *view, size_t row,
			 struct doc_table *table)
{
	size_t row_factor = view->answer.order[0];
	size_t column_factor = view->nr_factors > 1 ? view->answer.order[1] : SIZE_MAX;
	size_t nr = column_factor == SIZE_MAX ? 1 : view->factors[column_factor].nr_values;

	doc_row(table);
	doc_text(table, "%s", view->factors[row_factor].values[row]);
	for (size_t i = 0; i < nr; i++) {
		CLEANUP(strbuf) struct strbuf words = STRBUF_INIT;
		struct place place;

		place_collect(view, row_factor, row, column_factor, i, &place);
		if (!view->input.is_compared) {
			add_place_value(reporter, view, &place, table);
			continue;
		}
		add_place_words(view, &place, &words);
		doc_text(table, "%s", strbuf_str(&words));
	}
}

/* Titles live as long as the plan. */
static void add_grid(const struct reporter *reporter, const struct sweep_view *view)
{
	struct arena *arena = &reporter->sweep->plan.arena;
	size_t column_factor = view->nr_factors > 1 ? view->answer.order[1] : SIZE_MAX;
	size_t nr = column_factor == SIZE_MAX ? 1 : view->factors[column_factor].nr_values;
	struct doc_column *columns = arena_alloc_array(arena, nr + 1, sizeof(*columns));
	struct doc_table *table;

	if (view->nr_factors == 0)
		return;
	columns[0].title = view->factors[view->answer.order[0]].name;
	for (size_t i = 0; i < nr; i++) {
		columns[i + 1].title =
			column_factor == SIZE_MAX
				? reporter->sweep->metric
				: arena_printf(arena, "%s %s", view->factors[column_factor].name,
					       view->factors[column_factor].values[i]);
		columns[i + 1].flags = view->input.is_compared ? DOC_LEFT : DOC_RIGHT;
	}
	table = doc_table(reporter->doc, "grid", columns, nr + 1);
	for (size_t i = 0; i < view->factors[view->answer.order[0]].nr_values; i++)
		add_grid_row(reporter, view, i, table);
}

/* ---- every cell ---- */

static void add_compared_cell(const struct reporter *reporter,
			      const struct matrix_cell_answer *cell, struct doc_table *table)
{
	const char *unit = metric_unit(reporter->sweep->metric);
	char effect[VERDICT_TEXT_LEN] = "";

	if (cell->nr_pairs > 0) {
		verdict_format_effect(&cell->comparison.decision, effect);
		doc_number(table, cell->comparison.a.median, unit);
		doc_number(table, cell->comparison.b.median, unit);
	} else {
		doc_empty(table);
		doc_empty(table);
	}
	doc_text(table, "%s", effect);
	doc_text(table, "%s",
		 cell->state == MATRIX_BROKEN	 ? "failed"
		 : cell->state == MATRIX_TOO_FEW ? "too few runs"
						 : verdict_text(cell->verdict));
}

static void add_cell_row(const struct reporter *reporter, const struct sweep_view *view, size_t nr,
			 struct doc_table *table)
{
	const struct matrix_cell_answer *cell = &view->answer.cells[nr];

	doc_row(table);
	for (size_t i = 0; i < view->nr_factors; i++)
		doc_text(table, "%s", view->factors[i].values[view->cells[nr].levels[i]]);
	doc_number(table, (double)cell->nr_pairs, "");
	if (view->input.is_compared)
		add_compared_cell(reporter, cell, table);
	else if (cell->nr_pairs > 0)
		doc_number(table, cell->comparison.a.median, metric_unit(reporter->sweep->metric));
	else
		doc_text(table, "%s", cell->state == MATRIX_BROKEN ? "failed" : "no runs");
	if (isfinite(cell->noise))
		doc_number_as(table, 100 * cell->noise, "%", "%.1f %%", 100 * cell->noise);
	else
		doc_empty(table);
}

static void add_cells(const struct reporter *reporter, const struct sweep_view *view)
{
	static const struct doc_column compared[] = {
		{ "pairs", DOC_RIGHT },	     { "base median", DOC_RIGHT },
		{ "new median", DOC_RIGHT }, { "effect [interval]", DOC_RIGHT },
		{ "verdict", DOC_LEFT },     { "noise", DOC_RIGHT },
	};
	static const struct doc_column plain[] = {
		{ "runs", DOC_RIGHT },
		{ "median", DOC_RIGHT },
		{ "noise", DOC_RIGHT },
	};
	bool is_compared = view->input.is_compared;
	size_t nr_more =
		is_compared ? sizeof(compared) / sizeof(*compared) : sizeof(plain) / sizeof(*plain);
	struct doc_column *columns = arena_alloc_array(
		&reporter->sweep->plan.arena, view->nr_factors + nr_more, sizeof(*columns));
	struct doc_table *table;

	for (size_t i = 0; i < view->nr_factors; i++)
		columns[i].title = view->factors[i].name;
	memcpy(columns + view->nr_factors, is_compared ? compared : plain,
	       nr_more * sizeof(*columns));
	table = doc_table(reporter->doc, "cells", columns, view->nr_factors + nr_more);
	for (size_t i = 0; i < view->input.nr_cells; i++)
		add_cell_row(reporter, view, i, table);
}

/* ---- sentences ---- */

/* "read.iops of nomerges=2 against nomerges=0". */
static void add_subject(const struct sweep *sweep, const struct sweep_view *view,
			struct strbuf *out)
{
	const struct matrix_plan *plan = &sweep->plan;
	const struct plan_factor *factor;

	strbuf_add_str(out, sweep->metric);
	if (!plan_is_compared(plan))
		return;
	factor = &plan->factors.items[plan->compared];
	strbuf_printf(out, " of %s=%s against %s=%s", factor->name,
		      factor->values.items[view->candidate], factor->name,
		      factor->values.items[plan->baseline]);
}

static void add_levels(const struct sweep_view *view, struct strbuf *out)
{
	const char *separator = "";

	for (size_t i = 0; i < view->answer.nr_levels; i++) {
		const struct matrix_level *level = &view->answer.levels[i];
		const struct matrix_factor *factor = &view->factors[level->factor];
		struct decision decision = { .scale = level->scale,
					     .effect = level->effect,
					     .interval = level->interval };
		char effect[VERDICT_TEXT_LEN];

		if (!isfinite(level->effect))
			continue;
		verdict_format_effect(&decision, effect);
		strbuf_printf(out, "%s%s %s %s against %s", separator, factor->name,
			      factor->values[level->level], effect, factor->values[0]);
		separator = "; ";
	}
}

static void take_view(void *arg, const struct sweep_view *view)
{
	struct reporter *reporter = arg;
	CLEANUP(matrix_groups) struct matrix_groups groups = { .nr = 0 };
	CLEANUP(strbuf) struct strbuf subject = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf sentence = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf depends = STRBUF_INIT;

	add_subject(reporter->sweep, view, &subject);
	matrix_depends_sentence(&view->input, &view->answer, &depends);
	if (view->input.is_compared) {
		matrix_groups_init(&groups, &view->input, &view->answer);
		matrix_sentence(&view->input, &view->answer, &groups, &sentence);
		doc_paragraph(reporter->doc, "%s: %s.", strbuf_str(&subject),
			      strbuf_str(&sentence));
	} else {
		add_levels(view, &sentence);
		if (sentence.len)
			doc_paragraph(reporter->doc, "%s over all else: %s.", strbuf_str(&subject),
				      strbuf_str(&sentence));
	}
	if (depends.len)
		doc_paragraph(reporter->doc, "%s: %s.",
			      view->input.is_compared ? "The effect" : "The value",
			      strbuf_str(&depends));
	if (view->answer.nr_repeats_needed)
		doc_paragraph(
			reporter->doc,
			"With %zu cells a verdict needs %zu repeats of each, so that it can be "
			"told from chance.",
			view->input.nr_cells, view->answer.nr_repeats_needed);
	add_grid(reporter, view);
	add_cells(reporter, view);
}

static void add_state(const struct reporter *reporter)
{
	const struct sweep *sweep = reporter->sweep;
	size_t nr_done = sweep->nr_run + sweep->nr_stored_used;

	if (!sweep->why_stopped)
		return;
	doc_paragraph(reporter->doc, "Not complete: %s after %zu of %s%zu trials%s.",
		      sweep->why_stopped, nr_done, sweep->plan.is_sequential ? "at most " : "",
		      sweep->nr_planned,
		      sweep->session.store ? "; the same command goes on from here" : "");
}

static void add_clock(const struct reporter *reporter)
{
	const struct sweep *sweep = reporter->sweep;

	if (!sweep->is_virtual)
		return;
	if (plan_is_compared(&sweep->plan))
		doc_paragraph(reporter->doc,
			      "In virtual time, %u seeds: a change is one whose ranges over the "
			      "seeds do not meet and that is larger than %.2g %% and than the "
			      "spread of a side, here called noise.",
			      sweep->plan.repeats, 100 * sweep->plan.min_effect);
	if (sweep->is_proven)
		doc_paragraph(reporter->doc,
			      "The self-test passed: one seed gave the same bytes twice.");
}

struct doc *sweep_report(struct sweep *sweep)
{
	struct reporter reporter = { .sweep = sweep, .doc = doc_create("regio.matrix") };

	doc_heading(reporter.doc, "%s: %zu cell%s",
		    *sweep->plan.name ? sweep->plan.name : sweep->plan.source,
		    sweep->matrix.nr_cells, sweep->matrix.nr_cells == 1 ? "" : "s");
	add_state(&reporter);
	add_clock(&reporter);
	if (sweep->metric)
		sweep_each_view(sweep, take_view, &reporter);
	else
		doc_paragraph(reporter.doc, "No trial was completed: nothing can be said.");
	if (sweep->notes.nr)
		doc_notes(reporter.doc, &sweep->notes);
	doc_paragraph(reporter.doc, "To repeat it:");
	doc_verbatim(reporter.doc, "%s", sweep->command);
	doc_json(reporter.doc, sweep_report_json(sweep));
	return reporter.doc;
}

/* ---- --dry-run ---- */

struct lister {
	struct sweep *sweep;
	struct doc_table *table;
	size_t nr;
};

static int list_trial(void *arg, const struct matrix_trial *trial, enum matrix_outcome *ret_answer,
		      double *ret_value, struct err *err)
{
	struct lister *lister = arg;
	CLEANUP(strbuf) struct strbuf label = STRBUF_INIT;
	char name[SWEEP_NAME_LEN];

	(void)err;
	sweep_trial_name(lister->sweep, trial, name);
	plan_point_label(&lister->sweep->plan, sweep_point(lister->sweep, trial->cell, trial->side),
			 &label);
	doc_row(lister->table);
	doc_number(lister->table, (double)++lister->nr, "");
	doc_text(lister->table, "%s", name);
	doc_number(lister->table, trial->repeat, "");
	doc_text(lister->table, "%s%s", strbuf_str(&label), trial->repeat ? "" : " (warm-up)");
	*ret_value = 1;
	*ret_answer = MATRIX_VALUE;
	return 0;
}

struct doc *sweep_report_plan(struct sweep *sweep)
{
	static const struct doc_column columns[] = {
		{ "nr", DOC_RIGHT },
		{ "trial", DOC_LEFT },
		{ "block", DOC_RIGHT },
		{ "settings", DOC_LEFT },
	};
	struct doc *doc = doc_create("regio.matrix_plan");
	struct matrix_config config = { .repeats = sweep->plan.repeats,
					.nr_warmups = sweep->plan.nr_warmups,
					.seed = sweep->trial.seed,
					.answer = list_trial };
	struct lister lister = { .sweep = sweep };
	char each[UNITS_TEXT_LEN], all[UNITS_TEXT_LEN];
	uint64_t each_ns = sweep_trial_ns(sweep);
	uint64_t all_ns = each_ns * sweep->nr_planned;

	doc_heading(doc, "%s: %zu cells, %zu points",
		    *sweep->plan.name ? sweep->plan.name : sweep->plan.source,
		    sweep->matrix.nr_cells, sweep->points.points.nr);
	doc_paragraph(doc, "%s%zu trials, %s%s%s%s.", sweep->plan.is_sequential ? "At most " : "",
		      sweep->nr_planned,
		      each_ns ? "about " : "of a time that is not known (trial_time tells)",
		      each_ns ? units_print_duration_ns(all_ns, all, sizeof(all)) : "",
		      each_ns ? " at " : "",
		      each_ns ? units_print_duration_ns(each_ns, each, sizeof(each)) : "");
	if (!sweep->trial.seed)
		doc_paragraph(doc, "Without a seed the order is drawn anew; this is one of them.");
	lister.table = doc_table(doc, "trials", columns, sizeof(columns) / sizeof(*columns));
	config.arg = &lister;
	(void)matrix_run(&sweep->matrix, &config, NULL); /* list_trial cannot fail */
	return doc;
}
