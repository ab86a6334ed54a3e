/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_MATRIX_VIRTUAL_H
#define REGIO_ANALYSIS_MATRIX_VIRTUAL_H

/* The cells of a matrix in virtual time: each by the rule of analysis/virtual_rule.h. */

struct matrix_answer;
struct matrix_cell_answer;
struct matrix_input;

/* Decision and noise of a cell out of its ret->nr_pairs values by seed. */
void matrix_virtual_judge(const struct matrix_input *input, const double *base, const double *new,
			  struct matrix_cell_answer *ret);

/*
 * Fills the tests of single factors and the levels. Effects depend on a factor when two cells that
 * differ in nothing else have effects that the rule tells apart; there is no p, only found or not.
 */
void matrix_virtual_depends(struct matrix_answer *answer, const struct matrix_input *input);

#endif
