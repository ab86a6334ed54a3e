/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BENCH_MATRIX_H
#define REGIO_BENCH_MATRIX_H

/*
 * A matrix: cells, each with one or more sides of which the first is the baseline. Runs go block
 * by block: a block has one run of every side of every cell that is not decided, cells in random
 * order and the sides of a cell next to each other in random order, so a drift of the machine
 * touches all cells and sides alike. The order follows from the seed and from the values alone:
 * a matrix that is started again asks for the same trials in the same order, so one that was
 * interrupted goes on by answering them from its store.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/stop.h"

struct err;

/* A trial that failed is repeated; so often. Then its cell is given up. */
#define MATRIX_MAX_ATTEMPTS 3 /* as long as the config says nothing else */

struct matrix_trial {
	size_t cell, side;
	unsigned repeat;  /* from 1; 0 = before the first that counts */
	unsigned attempt; /* from 1 */
};

enum matrix_outcome {
	MATRIX_VALUE,  /* *ret_value is set; of a warm-up it is not looked at */
	MATRIX_FAILED, /* the trial ran and failed */
	MATRIX_STOP,   /* budget or signal: no more trials */
};

struct matrix_cell {
	size_t nr_sides; /* at least 1 */
	/* Filled by matrix_run: */
	double **values;	 /* [side][repeat - 1]; NAN = none */
	unsigned nr_blocks;	 /* that are complete for the first side */
	struct stop *stops;	 /* [side - 1] of a sequential matrix */
	struct stop_look *looks; /* nr_pairs 0 = none yet */
	bool is_given_up;	 /* a side failed too often */
	size_t failed_side;
	unsigned nr_failures;
};

struct matrix_config {
	unsigned repeats; /* blocks; of a sequential matrix the most */
	unsigned nr_warmups;
	unsigned max_attempts; /* of one trial; 0 = MATRIX_MAX_ATTEMPTS */
	bool is_sequential;
	struct effect_rule rule; /* of a sequential matrix */
	uint64_t seed;
	/* Errors end the matrix. */
	int (*answer)(void *arg, const struct matrix_trial *trial, enum matrix_outcome *ret_answer,
		      double *ret_value, struct err *err);
	void *arg;
};

struct matrix {
	struct matrix_cell *cells; /* owned */
	size_t nr_cells;
	unsigned nr_blocks; /* begun */
	bool is_stopped;    /* MATRIX_STOP came before the end */
};

/* Takes the number of sides of each cell. */
void matrix_init(struct matrix *matrix, const size_t *nr_sides, size_t nr_cells);
void matrix_release(struct matrix *matrix);

int matrix_run(struct matrix *matrix, const struct matrix_config *config, struct err *err);

/* Trials of the whole matrix if none fails; of a sequential one the most. */
size_t matrix_count_trials(const struct matrix *matrix, const struct matrix_config *config);

/* Of a sequential matrix: every side is decided. */
bool matrix_cell_is_decided(const struct matrix_cell *cell);

#endif
