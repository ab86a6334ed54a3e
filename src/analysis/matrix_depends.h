/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_MATRIX_DEPENDS_H
#define REGIO_ANALYSIS_MATRIX_DEPENDS_H

struct matrix_answer;
struct matrix_input;

/* Fills tests, levels and the order of the factors. */
void matrix_depends(struct matrix_answer *answer, const struct matrix_input *input);

#endif
