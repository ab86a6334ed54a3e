/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep_json: the answer of a matrix for programs, schema regio.matrix. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/matrix_words.h"
#include "base/strbuf.h"
#include "cmd/report_json.h"
#include "cmd/sweep.h"
#include "model/metric.h"

#define MATRIX_JSON_VERSION 1

struct writer {
	const struct sweep *sweep;
	json_t *answers;
};

static json_t *text_of(struct strbuf *text)
{
	json_t *string = report_text(strbuf_str(text));

	strbuf_release(text);
	return string;
}

static json_t *factors_json(const struct matrix_plan *plan)
{
	json_t *array = json_array();

	for (size_t i = 0; i < plan->factors.nr; i++) {
		const struct plan_factor *factor = &plan->factors.items[i];
		json_t *values = json_array();

		for (size_t j = 0; j < factor->values.nr; j++)
			(void)json_array_append_new(values, report_text(factor->values.items[j]));
		(void)json_array_append_new(
			array, json_pack("{s:o, s:o, s:o}", "key", report_text(factor->key), "name",
					 report_text(factor->name), "values", values));
	}
	return array;
}

static json_t *compared_json(const struct matrix_plan *plan)
{
	const struct plan_factor *factor;

	if (!plan_is_compared(plan))
		return json_null();
	factor = &plan->factors.items[plan->compared];
	return json_pack("{s:o, s:o}", "key", report_text(factor->key), "baseline",
			 report_text(factor->values.items[plan->baseline]));
}

static json_t *settings_json(const struct sweep_view *view, size_t cell)
{
	json_t *object = json_object();

	for (size_t i = 0; i < view->nr_factors; i++)
		(void)json_object_set_new(
			object, view->factors[i].name,
			report_text(view->factors[i].values[view->cells[cell].levels[i]]));
	return object;
}

static json_t *sample_json(const struct summary *summary, const double *values, size_t nr)
{
	json_t *object = json_object();
	json_t *array = json_array();

	report_add_summary(object, summary);
	for (size_t i = 0; i < nr; i++) {
		if (isfinite(values[i]))
			(void)json_array_append_new(array, json_real(values[i]));
	}
	(void)json_object_set_new(object, "values", array);
	return object;
}

static json_t *cell_json(const struct writer *writer, const struct sweep_view *view, size_t nr)
{
	const struct matrix_input_cell *input = &view->cells[nr];
	const struct matrix_cell_answer *cell = &view->answer.cells[nr];
	json_t *object = json_pack(
		"{s:s, s:o, s:s, s:I, s:o}", "id",
		sweep_point(writer->sweep, view->plan_cells[nr], 0)->id, "settings",
		settings_json(view, nr), "class", matrix_class_name(matrix_class_of(cell)), "n",
		(json_int_t)cell->nr_pairs, "noise_percent", report_number(100 * cell->noise));

	if (cell->nr_pairs > 0)
		(void)json_object_set_new(
			object, "base",
			sample_json(&cell->comparison.a, input->base, input->nr_blocks));
	if (!view->input.is_compared) {
		(void)json_object_del(object, "class");
		return object;
	}
	if (cell->nr_pairs > 0) {
		(void)json_object_set_new(
			object, "new",
			sample_json(&cell->comparison.b, input->new, input->nr_blocks));
		report_add_effect(object, &cell->comparison.decision);
	}
	if (!view->input.is_sequential && !view->input.is_virtual)
		(void)json_object_set_new(object, "adjusted_p", report_number(cell->adjusted_p));
	(void)json_object_set_new(object, "verdict", json_string(verdict_name(cell->verdict)));
	return object;
}

static json_t *group_json(const struct writer *writer, const struct sweep_view *view,
			  const struct matrix_group *group)
{
	json_t *levels = json_object();
	json_t *cells = json_array();

	for (size_t i = 0; i < view->nr_factors; i++) {
		json_t *values = json_array();

		for (size_t j = 0; j < view->factors[i].nr_values; j++) {
			if (group->levels[i][j])
				(void)json_array_append_new(
					values, report_text(view->factors[i].values[j]));
		}
		(void)json_object_set_new(levels, view->factors[i].name, values);
	}
	for (size_t i = 0; i < group->nr_cells; i++)
		(void)json_array_append_new(
			cells,
			json_string(sweep_point(writer->sweep, view->plan_cells[group->cells[i]], 0)
					    ->id));
	return json_pack("{s:s, s:o, s:o}", "class", matrix_class_name(group->class), "values",
			 levels, "cells", cells);
}

static json_t *test_json(const struct sweep_view *view, const struct matrix_test *test)
{
	json_t *names = json_array();

	(void)json_array_append_new(names, report_text(view->factors[test->first].name));
	if (test->second != SIZE_MAX)
		(void)json_array_append_new(names, report_text(view->factors[test->second].name));
	if (view->input.is_virtual)
		return json_pack("{s:o, s:b, s:b}", "factors", names, "tested", test->is_tested,
				 "found", test->p == 0);
	return json_pack("{s:o, s:b, s:f, s:f}", "factors", names, "tested", test->is_tested, "p",
			 test->p, "adjusted_p", test->adjusted_p);
}

static json_t *level_json(const struct sweep_view *view, const struct matrix_level *level)
{
	const struct matrix_factor *factor = &view->factors[level->factor];

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:I}", "factor", report_text(factor->name),
			 "value", report_text(factor->values[level->level]), "against",
			 report_text(factor->values[0]),
			 level->scale == SCALE_RATIO ? "ratio" : "difference",
			 report_number(level->effect), "interval", report_interval(level->interval),
			 "n", (json_int_t)level->nr);
}

static void add_groups(const struct writer *writer, const struct sweep_view *view, json_t *object)
{
	CLEANUP(matrix_groups) struct matrix_groups groups = { .nr = 0 };
	struct strbuf sentence = STRBUF_INIT;
	json_t *array = json_array();

	matrix_groups_init(&groups, &view->input, &view->answer);
	matrix_sentence(&view->input, &view->answer, &groups, &sentence);
	for (size_t i = 0; i < groups.nr; i++)
		(void)json_array_append_new(array, group_json(writer, view, &groups.items[i]));
	(void)json_object_set_new(object, "sentence", text_of(&sentence));
	(void)json_object_set_new(object, "groups", array);
	(void)json_object_set_new(object, "verdict",
				  json_string(verdict_name(view->answer.verdict)));
}

static void take_view(void *arg, const struct sweep_view *view)
{
	struct writer *writer = arg;
	const struct matrix_plan *plan = &writer->sweep->plan;
	struct strbuf depends = STRBUF_INIT;
	json_t *object = json_object();
	json_t *cells = json_array();
	json_t *tests = json_array();
	json_t *levels = json_array();

	if (view->input.is_compared) {
		(void)json_object_set_new(
			object, "candidate",
			report_text(
				plan->factors.items[plan->compared].values.items[view->candidate]));
		add_groups(writer, view, object);
	}
	matrix_depends_sentence(&view->input, &view->answer, &depends);
	(void)json_object_set_new(object, "depends", text_of(&depends));
	for (size_t i = 0; i < view->input.nr_cells; i++)
		(void)json_array_append_new(cells, cell_json(writer, view, i));
	for (size_t i = 0; i < view->answer.nr_tests; i++)
		(void)json_array_append_new(tests, test_json(view, &view->answer.tests[i]));
	for (size_t i = 0; i < view->answer.nr_levels && !view->input.is_compared; i++)
		(void)json_array_append_new(levels, level_json(view, &view->answer.levels[i]));
	(void)json_object_set_new(object, "cells", cells);
	(void)json_object_set_new(object, "tests", tests);
	(void)json_object_set_new(object, "levels", levels);
	(void)json_object_set_new(object, "repeats_needed",
				  json_integer((json_int_t)view->answer.nr_repeats_needed));
	(void)json_array_append_new(writer->answers, object);
}

static json_t *trials_json(const struct sweep *sweep)
{
	return json_pack("{s:I, s:I, s:I, s:I}", "planned", (json_int_t)sweep->nr_planned,
			 "measured_now", (json_int_t)sweep->nr_run, "from_store",
			 (json_int_t)sweep->nr_stored_used, "failed", (json_int_t)sweep->nr_failed);
}

char *sweep_report_json(const struct sweep *sweep)
{
	struct writer writer = { .sweep = sweep, .answers = json_array() };
	bool is_compared = plan_is_compared(&sweep->plan);
	json_t *root = json_pack(
		"{s:s, s:i, s:o, s:o, s:o, s:o, s:o}", "schema", "regio.matrix", "version",
		MATRIX_JSON_VERSION, "name", report_text(sweep->plan.name), "metric",
		report_text(sweep->metric), "factors", factors_json(&sweep->plan), "compared",
		compared_json(&sweep->plan), "trials", trials_json(sweep));

	if (sweep->metric) {
		(void)json_object_set_new(root, "unit", json_string(metric_unit(sweep->metric)));
		sweep_each_view(sweep, take_view, &writer);
	}
	(void)json_object_set_new(root, "repeats", json_integer(sweep->plan.repeats));
	(void)json_object_set_new(root, "sequential", json_boolean(sweep->plan.is_sequential));
	(void)json_object_set_new(root, "alpha", json_real(sweep_rule(sweep).alpha));
	(void)json_object_set_new(root, "min_effect", json_real(sweep->plan.min_effect));
	if (sweep->is_virtual)
		(void)json_object_set_new(root, "time", json_string("virtual"));
	(void)json_object_set_new(root, "seed", json_integer((json_int_t)sweep->session.seed));
	(void)json_object_set_new(root, "complete", json_boolean(!sweep->why_stopped));
	(void)json_object_set_new(root, "verdict",
				  is_compared ? json_string(verdict_name(sweep_verdict(sweep)))
					      : json_null());
	(void)json_object_set_new(root, "answers", writer.answers);
	(void)json_object_set_new(root, "notes", report_notes(&sweep->notes));
	(void)json_object_set_new(root, "repeat_command", report_text(sweep->command));
	return report_dump(root);
}
