/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matrix_groups: cells with one verdict, described by values of as few factors as possible. */
#include <stdlib.h>

#include "analysis/matrix_answer.h"
#include "analysis/matrix_words.h"
#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"

struct grouping {
	const struct matrix_input *input;
	const struct matrix_answer *answer;
	bool *is_covered; /* of each cell */
	struct group_list VEC_BODY(struct matrix_group) groups;
};

const char *matrix_class_name(enum matrix_class class)
{
	static const char *const names[MATRIX_NR_CLASSES] = {
		[MATRIX_REGRESSION] = "regression", [MATRIX_IMPROVEMENT] = "improvement",
		[MATRIX_CHANGE] = "change",	    [MATRIX_SAME] = "no_difference",
		[MATRIX_UNDECIDED] = "undecided",   [MATRIX_FEW_RUNS] = "too_few_runs",
		[MATRIX_FAILING] = "failed",
	};

	return names[class];
}

enum matrix_class matrix_class_of(const struct matrix_cell_answer *cell)
{
	if (cell->state == MATRIX_BROKEN)
		return MATRIX_FAILING;
	if (cell->state == MATRIX_TOO_FEW)
		return MATRIX_FEW_RUNS;
	switch (cell->verdict) {
	case VERDICT_REGRESSION:
		return MATRIX_REGRESSION;
	case VERDICT_IMPROVEMENT:
		return MATRIX_IMPROVEMENT;
	case VERDICT_LOWER:
	case VERDICT_HIGHER:
		return MATRIX_CHANGE;
	case VERDICT_NO_DIFFERENCE:
		return MATRIX_SAME;
	case VERDICT_UNDECIDED:
		break;
	}
	return MATRIX_UNDECIDED;
}

static bool is_member(const struct grouping *grouping, const struct matrix_group *group,
		      size_t cell)
{
	for (size_t i = 0; i < grouping->input->nr_factors; i++) {
		if (!group->levels[i][grouping->input->cells[cell].levels[i]])
			return false;
	}
	return true;
}

/* Whether all cells of the group are of its class, and at least one of them has this level. */
static bool may_have(const struct grouping *grouping, struct matrix_group *group, size_t factor,
		     size_t level)
{
	bool has_one = false;
	bool is_pure = true;

	group->levels[factor][level] = true;
	for (size_t i = 0; i < grouping->input->nr_cells && is_pure; i++) {
		if (grouping->input->cells[i].levels[factor] != level ||
		    !is_member(grouping, group, i))
			continue;
		has_one = true;
		is_pure = matrix_class_of(&grouping->answer->cells[i]) == group->class;
	}
	group->levels[factor][level] = is_pure && has_one;
	return is_pure && has_one;
}

/* The weakest factor first: what does not matter should not stand in the sentence. */
static void group_grow(const struct grouping *grouping, struct matrix_group *group)
{
	for (size_t i = grouping->input->nr_factors; i-- > 0;) {
		size_t factor = grouping->answer->order[i];

		for (size_t level = 0; level < grouping->input->factors[factor].nr_values;
		     level++) {
			if (!group->levels[factor][level])
				(void)may_have(grouping, group, factor, level);
		}
	}
}

static void group_start(struct grouping *grouping, size_t cell)
{
	const struct matrix_input *input = grouping->input;
	struct matrix_group group = {
		.class = matrix_class_of(&grouping->answer->cells[cell]),
		.levels = xcalloc(input->nr_factors + 1, sizeof(*group.levels)),
		.cells = xcalloc(input->nr_cells, sizeof(*group.cells)),
	};

	for (size_t i = 0; i < input->nr_factors; i++) {
		group.levels[i] = xcalloc(input->factors[i].nr_values, sizeof(**group.levels));
		group.levels[i][input->cells[cell].levels[i]] = true;
	}
	group_grow(grouping, &group);
	for (size_t i = 0; i < input->nr_cells; i++) {
		if (!is_member(grouping, &group, i))
			continue;
		group.cells[group.nr_cells++] = i;
		grouping->is_covered[i] = true;
	}
	vec_push(&grouping->groups, group);
}

void matrix_groups_init(struct matrix_groups *groups, const struct matrix_input *input,
			const struct matrix_answer *answer)
{
	struct grouping grouping = {
		.input = input,
		.answer = answer,
		.is_covered = xcalloc(input->nr_cells + 1, sizeof(*grouping.is_covered)),
	};

	for (int class = 0; class < MATRIX_NR_CLASSES; class ++) {
		for (size_t i = 0; i < input->nr_cells; i++) {
			if (!grouping.is_covered[i] &&
			    matrix_class_of(&answer->cells[i]) == (enum matrix_class) class)
				group_start(&grouping, i);
		}
	}
	free(grouping.is_covered);
	*groups = (struct matrix_groups){ .items = grouping.groups.items,
					  .nr = grouping.groups.nr,
					  .nr_factors = input->nr_factors };
}

void matrix_groups_release(struct matrix_groups *groups)
{
	for (size_t i = 0; i < groups->nr; i++) {
		for (size_t j = 0; j < groups->nr_factors; j++)
			free(groups->items[i].levels[j]);
		free(groups->items[i].levels);
		free(groups->items[i].cells);
	}
	free(groups->items);
	*groups = (struct matrix_groups){ .items = NULL };
}
