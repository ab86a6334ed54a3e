/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matrix_virtual: cells by medians and ranges over seeds, and which of them differ. */
#include "analysis/matrix_virtual.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/matrix_answer.h"
#include "analysis/virtual_rule.h"
#include "base/arena.h"
#include "base/vec.h"
#include "stats/sorted.h"

struct value_list VEC_BODY(double);

void matrix_virtual_judge(const struct matrix_input *input, const double *base, const double *new,
			  struct matrix_cell_answer *ret)
{
	struct decision *decision = &ret->comparison.decision;
	struct virtual_decision found;

	virtual_decide(base, new, ret->nr_pairs, input->rule.min_effect, &found);
	*decision = (struct decision){
		.finding = found.finding,
		.is_significant = found.finding != FINDING_NO_DIFFERENCE,
		.is_tested = true,
		.scale = SCALE_RATIO,
		.nr_a = ret->nr_pairs,
		.nr_b = ret->nr_pairs,
		.p = NAN,
		.guard_p = NAN,
		.alpha = NAN,
		.effect = found.ratio,
		.interval = found.ratios,
		.equivalence = found.ratios,
		.decidable_effect = fmax(input->rule.min_effect, found.spread),
	};
	if (isnan(found.ratio) || isnan(found.ratios.lo)) { /* from nothing there is no ratio */
		decision->scale = SCALE_POINTS;
		decision->effect = found.b.median - found.a.median;
		decision->interval = (struct interval){ .lo = found.b.min - found.a.max,
							.hi = found.b.max - found.a.min };
		decision->equivalence = decision->interval;
	}
	ret->noise = found.spread;
	ret->adjusted_p = NAN;
}

/* What differs between levels: the ratio of the sides by seed, or the value itself. */
static double response(const struct matrix_input_cell *cell, size_t block)
{
	if (block >= cell->nr_blocks)
		return NAN;
	return cell->new ? cell->new[block] / cell->base[block] : cell->base[block];
}

/* The levels of all factors but one are the same. */
static bool is_beside(const struct matrix_input *input, size_t a, size_t b, size_t factor)
{
	for (size_t i = 0; i < input->nr_factors; i++) {
		if (i != factor && input->cells[a].levels[i] != input->cells[b].levels[i])
			return false;
	}
	return true;
}

/* True when the rule tells the responses of two cells apart; *ratios gets b / a by seed. */
static bool cells_differ(const struct matrix_input *input, size_t a, size_t b,
			 struct value_list *ratios)
{
	size_t nr = input->cells[a].nr_blocks;
	CLEANUP(free) double *left = xcalloc(nr + 1, sizeof(*left));
	CLEANUP(free) double *right = xcalloc(nr + 1, sizeof(*right));
	struct virtual_decision found = { .finding = FINDING_NO_DIFFERENCE };
	size_t kept = 0;

	for (size_t i = 0; i < nr; i++) {
		left[kept] = response(&input->cells[a], i);
		right[kept] = response(&input->cells[b], i);
		if (!isfinite(left[kept]) || !isfinite(right[kept]))
			continue;
		if (left[kept] != 0)
			vec_push(ratios, right[kept] / left[kept]);
		kept++;
	}
	if (kept)
		virtual_decide(left, right, kept, input->rule.min_effect, &found);
	return found.finding != FINDING_NO_DIFFERENCE;
}

static void fill_level(struct matrix_level *level, const struct value_list *ratios)
{
	CLEANUP(free) double *sorted = NULL;

	level->scale = SCALE_RATIO;
	level->nr = ratios->nr;
	level->effect = NAN;
	level->interval = INTERVAL_UNBOUNDED;
	if (ratios->nr == 0)
		return;
	sorted = sorted_copy(ratios->items, ratios->nr);
	level->effect = sorted_median(sorted, ratios->nr);
	level->interval = (struct interval){ .lo = sorted[0], .hi = sorted[ratios->nr - 1] };
}

/* Compares all cells of one level with those of another that they have all else in common with. */
static bool levels_differ(const struct matrix_input *input, size_t factor, size_t from, size_t to,
			  struct value_list *ratios, bool *ret_is_tested)
{
	bool differ = false;

	for (size_t a = 0; a < input->nr_cells; a++) {
		if (input->cells[a].levels[factor] != from)
			continue;
		for (size_t b = 0; b < input->nr_cells; b++) {
			if (input->cells[b].levels[factor] != to || !is_beside(input, a, b, factor))
				continue;
			if (cells_differ(input, a, b, ratios))
				differ = true;
			*ret_is_tested |= ratios->nr > 0;
		}
	}
	return differ;
}

/* Every level against the first one; each ends up in `levels`. */
static void test_factor(const struct matrix_input *input, size_t factor, struct matrix_test *test,
			struct matrix_level *levels)
{
	bool is_found = false;

	*test = (struct matrix_test){ .first = factor, .second = SIZE_MAX };
	for (size_t to = 1; to < input->factors[factor].nr_values; to++) {
		struct value_list ratios = VEC_INIT;
		struct matrix_level *level = &levels[to - 1];

		*level = (struct matrix_level){ .factor = factor, .level = to };
		if (levels_differ(input, factor, 0, to, &ratios, &test->is_tested))
			is_found = true;
		fill_level(level, &ratios);
		vec_release(&ratios);
	}
	test->p = is_found ? 0 : 1;
	test->adjusted_p = test->p;
}

void matrix_virtual_depends(struct matrix_answer *answer, const struct matrix_input *input)
{
	size_t at = 0;

	for (size_t i = 0; i < input->nr_factors; i++) {
		test_factor(input, i, &answer->tests[i], &answer->levels[at]);
		at += input->factors[i].nr_values - 1;
	}
}
