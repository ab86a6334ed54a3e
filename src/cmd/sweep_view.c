/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sweep_view: what the values of a matrix mean for one candidate. The judging is analysis/. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "cmd/sweep.h"
#include "model/metric.h"

static enum polarity sweep_polarity(const struct sweep *sweep)
{
	if (sweep->plan.better != POLARITY_NONE)
		return sweep->plan.better;
	return sweep->metric ? metric_polarity(sweep->metric) : POLARITY_NONE;
}

#define MANY_CELLS_ALPHA 0.01

struct effect_rule sweep_rule(const struct sweep *sweep)
{
	bool has_many = sweep->plan.is_sequential && sweep->points.cells.nr > 1;
	const char *metric = sweep->metric ? sweep->metric : sweep->plan.metric;

	return (struct effect_rule){
		.alpha = has_many ? MANY_CELLS_ALPHA : sweep->plan.alpha,
		.min_effect = sweep->plan.min_effect,
		.is_percent = metric_is_percent(metric),
	};
}

/* Factors that vary and are not compared. */
static void view_factors(struct sweep_view *view, const struct matrix_plan *plan)
{
	view->factors = xcalloc(plan->factors.nr + 1, sizeof(*view->factors));
	view->plan_factors = xcalloc(plan->factors.nr + 1, sizeof(*view->plan_factors));
	for (size_t i = 0; i < plan->factors.nr; i++) {
		const struct plan_factor *factor = &plan->factors.items[i];

		if (i == plan->compared || factor->values.nr < 2)
			continue;
		view->factors[view->nr_factors] = (struct matrix_factor){
			.name = factor->name,
			.values = factor->values.items,
			.nr_values = factor->values.nr,
		};
		view->plan_factors[view->nr_factors++] = i;
	}
}

/* The side of a cell that is the candidate; SIZE_MAX if it has none. */
static size_t candidate_side(const struct sweep *sweep, size_t cell, size_t candidate)
{
	const struct plan_cell *it = &sweep->points.cells.items[cell];

	for (size_t side = 1; side < it->points.nr; side++) {
		if (sweep_point(sweep, cell, side)->values[sweep->plan.compared] == candidate)
			return side;
	}
	return SIZE_MAX;
}

static void view_add_cell(struct sweep_view *view, const struct sweep *sweep, size_t nr,
			  size_t side)
{
	const struct matrix_cell *cell = &sweep->matrix.cells[nr];
	const struct plan_point *point = sweep_point(sweep, nr, 0);
	size_t at = view->input.nr_cells++;
	size_t *levels = &view->levels[at * (view->nr_factors + 1)];

	for (size_t i = 0; i < view->nr_factors; i++)
		levels[i] = point->values[view->plan_factors[i]];
	view->plan_cells[at] = nr;
	view->cells[at] = (struct matrix_input_cell){
		.levels = levels,
		.base = cell->values[0],
		.new = side ? cell->values[side] : NULL,
		.nr_blocks = sweep->plan.repeats,
		.look = side && cell->looks ? &cell->looks[side - 1] : NULL,
		.is_failed = cell->is_given_up,
	};
}

void sweep_view_init(struct sweep_view *view, const struct sweep *sweep, size_t candidate)
{
	size_t nr_cells = sweep->matrix.nr_cells;
	bool is_compared = plan_is_compared(&sweep->plan);

	*view = (struct sweep_view){ .candidate = candidate };
	view_factors(view, &sweep->plan);
	view->cells = xcalloc(nr_cells + 1, sizeof(*view->cells));
	view->plan_cells = xcalloc(nr_cells + 1, sizeof(*view->plan_cells));
	view->levels = xcalloc((nr_cells + 1) * (view->nr_factors + 1), sizeof(*view->levels));
	for (size_t i = 0; i < nr_cells; i++) {
		size_t side = is_compared ? candidate_side(sweep, i, candidate) : 0;

		if (side != SIZE_MAX)
			view_add_cell(view, sweep, i, side);
	}
	view->input.factors = view->factors;
	view->input.nr_factors = view->nr_factors;
	view->input.cells = view->cells;
	view->input.rule = sweep_rule(sweep);
	view->input.polarity = sweep_polarity(sweep);
	view->input.is_compared = is_compared;
	view->input.is_sequential = sweep->plan.is_sequential;
	view->input.is_virtual = sweep->is_virtual;
	view->input.seed = sweep->session.seed;
	matrix_answer_init(&view->answer, &view->input);
}

void sweep_view_release(struct sweep_view *view)
{
	matrix_answer_release(&view->answer);
	free(view->factors);
	free(view->plan_factors);
	free(view->cells);
	free(view->plan_cells);
	free(view->levels);
}

void sweep_each_view(const struct sweep *sweep,
		     void (*take)(void *arg, const struct sweep_view *view), void *arg)
{
	const struct matrix_plan *plan = &sweep->plan;
	size_t nr = plan_is_compared(plan) ? plan->factors.items[plan->compared].values.nr : 1;

	for (size_t i = 0; i < nr; i++) {
		struct sweep_view view;

		if (plan_is_compared(plan) && i == plan->baseline)
			continue;
		sweep_view_init(&view, sweep, plan_is_compared(plan) ? i : SIZE_MAX);
		if (view.input.nr_cells > 0)
			take(arg, &view);
		sweep_view_release(&view);
	}
}

struct verdict_sum {
	enum verdict verdict;
	bool has_one;
};

static void add_verdict(void *arg, const struct sweep_view *view)
{
	struct verdict_sum *sum = arg;

	sum->verdict = sum->has_one ? verdict_worse(sum->verdict, view->answer.verdict)
				    : view->answer.verdict;
	sum->has_one = true;
}

enum verdict sweep_verdict(const struct sweep *sweep)
{
	struct verdict_sum sum = { .verdict = VERDICT_UNDECIDED };

	if (plan_is_compared(&sweep->plan))
		sweep_each_view(sweep, add_verdict, &sum);
	return sum.verdict;
}
