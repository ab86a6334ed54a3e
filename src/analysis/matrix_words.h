/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_MATRIX_WORDS_H
#define REGIO_ANALYSIS_MATRIX_WORDS_H

/*
 * The answer of a matrix in words: which values of the factors lead to which verdict, in as few
 * conditions as the cells allow, and what the tests say about the factors.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct matrix_answer;
struct matrix_cell_answer;
struct matrix_input;
struct strbuf;

enum matrix_class {
	MATRIX_REGRESSION,
	MATRIX_IMPROVEMENT,
	MATRIX_CHANGE, /* of a metric that is neither good nor bad */
	MATRIX_SAME,
	MATRIX_UNDECIDED,
	MATRIX_FEW_RUNS,
	MATRIX_FAILING,
	MATRIX_NR_CLASSES,
};

/* "regression", "improvement", "change", "no_difference", "undecided", "too_few_runs", "failed". */
const char *matrix_class_name(enum matrix_class class);
enum matrix_class matrix_class_of(const struct matrix_cell_answer *cell);

/* Cells of one class that some values of each factor have in common, and no cell of another. */
struct matrix_group {
	enum matrix_class class;
	bool **levels; /* [factor][level] */
	size_t *cells;
	size_t nr_cells;
};

struct matrix_groups {
	struct matrix_group *items;
	size_t nr;
	size_t nr_factors;
};

/* In the order of the classes; together they cover every cell. */
void matrix_groups_init(struct matrix_groups *groups, const struct matrix_input *input,
			const struct matrix_answer *answer);
void matrix_groups_release(struct matrix_groups *groups);
CLEANUP_DEFINE(matrix_groups, struct matrix_groups, matrix_groups_release)

/* "scheduler mq-deadline and fs btrfs"; "" where every value is in it. */
void matrix_group_conditions(const struct matrix_input *input, const struct matrix_answer *answer,
			     const struct matrix_group *group, struct strbuf *out);

/* "regression with scheduler mq-deadline and fs btrfs (-46.1 % [-48.4, -42.2]); none with ..". */
void matrix_sentence(const struct matrix_input *input, const struct matrix_answer *answer,
		     const struct matrix_groups *groups, struct strbuf *out);

/* "depends on scheduler (p 0.001) and on fs and scheduler together (p 0.008), not on bs". */
void matrix_depends_sentence(const struct matrix_input *input, const struct matrix_answer *answer,
			     struct strbuf *out);

#endif
