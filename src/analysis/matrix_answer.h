/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_MATRIX_ANSWER_H
#define REGIO_ANALYSIS_MATRIX_ANSWER_H

/*
 * What a matrix says: a verdict for each cell, and on which factors it depends. Where sides are
 * compared, a cell's effect is candidate against baseline; else its value itself.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/compare.h"
#include "analysis/effect.h"
#include "analysis/stop.h"
#include "analysis/verdict.h"
#include "base/cleanup.h"
#include "model/metric.h"

#define MATRIX_MAX_FACTORS 32

/* Borrowed. */
struct matrix_factor {
	const char *name;
	const char *const *values;
	size_t nr_values;
};

struct matrix_input_cell {
	const size_t *levels; /* one for each factor */
	/* By block; NAN = no run. new is NULL where nothing is compared. */
	const double *base, *new;
	size_t nr_blocks;
	const struct stop_look *look; /* of a sequential matrix; NULL or nr_pairs 0 = none */
	bool is_failed;		      /* a side failed again and again */
};

struct matrix_input {
	const struct matrix_factor *factors; /* without the compared one */
	size_t nr_factors;
	const struct matrix_input_cell *cells;
	size_t nr_cells;
	struct effect_rule rule;
	enum polarity polarity;
	bool is_compared;
	bool is_sequential;
	bool is_virtual; /* blocks are seeds of guests: analysis/virtual_rule.h decides */
	uint64_t seed;	 /* of the rearrangements */
};

enum matrix_state {
	MATRIX_JUDGED,
	MATRIX_TOO_FEW, /* runs */
	MATRIX_BROKEN,	/* a side failed */
};

struct matrix_cell_answer {
	enum matrix_state state;
	size_t nr_pairs; /* or runs */
	/* Where nothing is compared only summary a is set. */
	struct comparison comparison; /* nr_pairs > 0 */
	enum verdict verdict;
	double adjusted_p; /* over all cells; of a sequential matrix its level holds by itself */
	double noise;	   /* robust deviation of one run as a share, of the noisier side; NAN */
};

/* Does the effect depend on a factor, or differently so with another one? */
struct matrix_test {
	size_t first;
	size_t second;	      /* SIZE_MAX: a main effect */
	bool is_tested;	      /* enough runs, and the combinations are there */
	double p, adjusted_p; /* Holm over all tests of the matrix */
};

/* One value of a factor against its first value, over all else; where nothing is compared. */
struct matrix_level {
	size_t factor, level;
	double effect; /* ratio, or difference in points */
	struct interval interval;
	enum scale scale;
	size_t nr; /* of differences */
};

struct matrix_answer {
	struct matrix_cell_answer *cells;
	size_t nr_cells;
	struct matrix_test *tests; /* main effects in the order of the factors, then pairs */
	size_t nr_tests;
	struct matrix_level *levels;
	size_t nr_levels;
	size_t order[MATRIX_MAX_FACTORS]; /* factors, the strongest first */
	enum verdict verdict;		  /* of all cells together */
	size_t nr_repeats_needed; /* so that a cell can be told at all; 0 = there are enough */
	double alpha;		  /* of one cell */
};

void matrix_answer_init(struct matrix_answer *answer, const struct matrix_input *input);
void matrix_answer_release(struct matrix_answer *answer);
CLEANUP_DEFINE(matrix_answer, struct matrix_answer, matrix_answer_release)

#endif
