/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matrix_answer: the verdict of each cell. On what it depends is left to matrix_depends. */
#include "analysis/matrix_answer.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/matrix_depends.h"
#include "analysis/matrix_virtual.h"
#include "analysis/virtual_rule.h"
#include "base/arena.h"
#include "base/vec.h"

struct pairs {
	double *base, *new;
	size_t nr;
};

/* The blocks of which both sides are there, in their order. */
static void pairs_init(struct pairs *pairs, const struct matrix_input_cell *cell)
{
	*pairs = (struct pairs){ .base = xcalloc(cell->nr_blocks + 1, sizeof(*pairs->base)),
				 .new = xcalloc(cell->nr_blocks + 1, sizeof(*pairs->new)) };
	for (size_t i = 0; i < cell->nr_blocks; i++) {
		if (!isfinite(cell->base[i]) || (cell->new && !isfinite(cell->new[i])))
			continue;
		pairs->base[pairs->nr] = cell->base[i];
		pairs->new[pairs->nr++] = cell->new ? cell->new[i] : cell->base[i];
	}
}

static void pairs_release(struct pairs *pairs)
{
	free(pairs->base);
	free(pairs->new);
}

static double noise_of(const struct comparison *comparison)
{
	double noise = fmax(summary_robust_cv(&comparison->a), summary_robust_cv(&comparison->b));

	return comparison->a.n > 1 ? noise : NAN;
}

static void judge_cell(const struct matrix_input *input, const struct matrix_input_cell *cell,
		       struct matrix_cell_answer *ret)
{
	const struct compare_config config = { .rule = input->rule, .polarity = input->polarity };
	struct pairs pairs;

	pairs_init(&pairs, cell);
	*ret = (struct matrix_cell_answer){
		.state = MATRIX_TOO_FEW, .nr_pairs = pairs.nr, .adjusted_p = 1.0, .noise = NAN
	};
	if (pairs.nr > 0) {
		const struct sample base = { .values = pairs.base, .nr = pairs.nr };
		const struct sample new = { .values = pairs.new, .nr = pairs.nr };

		compare_samples(&config, &base, &new, &ret->comparison);
		ret->noise = noise_of(&ret->comparison);
	}
	if (cell->look && cell->look->nr_pairs > 0)
		ret->comparison.decision = cell->look->decision;
	if (input->is_virtual && pairs.nr >= VIRTUAL_MIN_SEEDS)
		matrix_virtual_judge(input, pairs.base, pairs.new, ret);
	if (cell->is_failed)
		ret->state = MATRIX_BROKEN;
	else if (pairs.nr > 0 && ret->comparison.decision.is_tested)
		ret->state = MATRIX_JUDGED;
	pairs_release(&pairs);
}

/* The guard counts as well: a cell alarms only if both p are small. */
static double alarm_p(const struct decision *decision)
{
	return fmax(decision->p, decision->guard_p);
}

/*
 * Holm over the cells of a matrix with fixed repeats: one false alarm among all with alpha. A
 * difference that does not survive is undecided, not "none".
 */
static void adjust_cells(struct matrix_answer *answer, double alpha)
{
	struct comparison *kept = xcalloc(answer->nr_cells + 1, sizeof(*kept));

	for (size_t i = 0; i < answer->nr_cells; i++) {
		kept[i] = answer->cells[i].comparison;
		kept[i].decision.is_tested = answer->cells[i].state == MATRIX_JUDGED;
		kept[i].decision.p = alarm_p(&kept[i].decision);
	}
	comparisons_adjust(kept, answer->nr_cells, COMPARE_ADJUST_HOLM);
	for (size_t i = 0; i < answer->nr_cells; i++) {
		struct decision *decision = &answer->cells[i].comparison.decision;

		if (answer->cells[i].state != MATRIX_JUDGED)
			continue;
		answer->cells[i].adjusted_p = kept[i].adjusted_p;
		if (kept[i].adjusted_p <= alpha)
			continue;
		decision->is_significant = false;
		if (decision->finding == FINDING_LOWER || decision->finding == FINDING_HIGHER)
			decision->finding = FINDING_UNDECIDED;
	}
	free(kept);
}

/* Repeats with which the smallest p of a cell survives Holm among all of them. */
static size_t repeats_needed(const struct matrix_answer *answer, double alpha)
{
	size_t nr = EFFECT_MIN_RUNS;
	size_t fewest = SIZE_MAX;

	while (compare_smallest_p(nr, nr) * (double)answer->nr_cells > alpha)
		nr++;
	for (size_t i = 0; i < answer->nr_cells; i++) {
		if (answer->cells[i].state != MATRIX_BROKEN && answer->cells[i].nr_pairs < fewest)
			fewest = answer->cells[i].nr_pairs;
	}
	return fewest < nr ? nr : 0;
}

static void judge_all(struct matrix_answer *answer, const struct matrix_input *input)
{
	bool has_regression = false, has_open = false, has_change = false;

	for (size_t i = 0; i < answer->nr_cells; i++) {
		struct matrix_cell_answer *cell = &answer->cells[i];

		cell->verdict =
			cell->state == MATRIX_JUDGED
				? verdict_of(cell->comparison.decision.finding, input->polarity)
				: VERDICT_UNDECIDED;
		has_regression |= cell->verdict == VERDICT_REGRESSION;
		has_open |= cell->verdict == VERDICT_UNDECIDED;
		has_change |= cell->verdict == VERDICT_IMPROVEMENT;
	}
	answer->verdict = has_regression ? VERDICT_REGRESSION
			  : has_open	 ? VERDICT_UNDECIDED
			  : has_change	 ? VERDICT_IMPROVEMENT
					 : VERDICT_NO_DIFFERENCE;
}

void matrix_answer_init(struct matrix_answer *answer, const struct matrix_input *input)
{
	*answer = (struct matrix_answer){
		.cells = xcalloc(input->nr_cells + 1, sizeof(*answer->cells)),
		.nr_cells = input->nr_cells,
		.verdict = VERDICT_NO_DIFFERENCE,
		.alpha = input->rule.alpha,
	};
	for (size_t i = 0; i < input->nr_cells; i++)
		judge_cell(input, &input->cells[i], &answer->cells[i]);
	if (input->is_compared && !input->is_sequential && !input->is_virtual) {
		adjust_cells(answer, input->rule.alpha);
		answer->nr_repeats_needed = repeats_needed(answer, input->rule.alpha);
	}
	if (input->is_compared)
		judge_all(answer, input);
	matrix_depends(answer, input);
}

void matrix_answer_release(struct matrix_answer *answer)
{
	free(answer->cells);
	free(answer->tests);
	free(answer->levels);
	*answer = (struct matrix_answer){ .cells = NULL };
}
