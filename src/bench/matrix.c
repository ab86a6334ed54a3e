/* SPDX-License-Identifier: GPL-2.0-or-later */
/* matrix: in which order the trials of many cells run. What one is comes in by its callback. */
#include "bench/matrix.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/rng.h"

/* Keeps the orders apart from offsets and data, which are drawn from the same seed. */
#define MATRIX_STREAM 0x6d6174726978 /* "matrix" */

enum next { NEXT_TRIAL, NEXT_END };

struct runner {
	struct matrix *matrix;
	const struct matrix_config *config;
	struct rng rng;
	size_t *order; /* of cells; room for all */
	size_t *sides; /* room for the largest cell */
	struct err *err;
};

void matrix_init(struct matrix *matrix, const size_t *nr_sides, size_t nr_cells)
{
	*matrix = (struct matrix){ .cells = xcalloc(nr_cells, sizeof(*matrix->cells)),
				   .nr_cells = nr_cells };
	for (size_t i = 0; i < nr_cells; i++)
		matrix->cells[i].nr_sides = nr_sides[i];
}

void matrix_release(struct matrix *matrix)
{
	for (size_t i = 0; i < matrix->nr_cells; i++) {
		struct matrix_cell *cell = &matrix->cells[i];

		for (size_t side = 0; cell->values && side < cell->nr_sides; side++)
			free(cell->values[side]);
		free(cell->values);
		free(cell->stops);
		free(cell->looks);
	}
	free(matrix->cells);
	*matrix = (struct matrix){ .cells = NULL };
}

size_t matrix_count_trials(const struct matrix *matrix, const struct matrix_config *config)
{
	size_t nr_sides = 0;

	for (size_t i = 0; i < matrix->nr_cells; i++)
		nr_sides += matrix->cells[i].nr_sides;
	return nr_sides * config->repeats + config->nr_warmups;
}

bool matrix_cell_is_decided(const struct matrix_cell *cell)
{
	for (size_t side = 1; side < cell->nr_sides; side++) {
		if (!cell->looks || !cell->looks[side - 1].is_last)
			return false;
	}
	return true;
}

/* Fisher and Yates: every order is as likely. */
static void shuffle(struct rng *rng, size_t *items, size_t nr)
{
	for (size_t i = nr; i > 1; i--) {
		size_t j = (size_t)rng_below(rng, i);
		size_t kept = items[i - 1];

		items[i - 1] = items[j];
		items[j] = kept;
	}
}

/* Until it succeeds or the cell is given up. */
static int trial_run(struct runner *runner, struct matrix_trial *trial, double *ret_value)
{
	const struct matrix_config *config = runner->config;
	struct matrix_cell *cell = &runner->matrix->cells[trial->cell];
	unsigned max_attempts = config->max_attempts ? config->max_attempts : MATRIX_MAX_ATTEMPTS;

	for (trial->attempt = 1; trial->attempt <= max_attempts; trial->attempt++) {
		enum matrix_outcome answer = MATRIX_FAILED;
		int ret = config->answer(config->arg, trial, &answer, ret_value, runner->err);

		if (ret < 0)
			return ret;
		if (answer == MATRIX_STOP) {
			runner->matrix->is_stopped = true;
			return NEXT_END;
		}
		if (answer == MATRIX_VALUE)
			return NEXT_TRIAL;
		cell->nr_failures++;
	}
	cell->is_given_up = true;
	cell->failed_side = trial->side;
	return NEXT_TRIAL;
}

/* A side that is decided needs no more runs; the baseline as long as any other does. */
static bool side_is_wanted(const struct matrix_config *config, const struct matrix_cell *cell,
			   size_t side)
{
	if (!config->is_sequential)
		return true;
	if (side == 0)
		return !matrix_cell_is_decided(cell);
	return !cell->looks[side - 1].is_last;
}

static void look_at_pairs(struct runner *runner, struct matrix_cell *cell, unsigned repeat)
{
	double base = cell->values[0][repeat - 1];

	for (size_t side = 1; side < cell->nr_sides; side++) {
		double value = cell->values[side][repeat - 1];
		bool a_first = false;

		if (!isfinite(value) || !side_is_wanted(runner->config, cell, side))
			continue;
		for (size_t i = 0; i < cell->nr_sides && runner->sides[i] != side; i++)
			a_first |= runner->sides[i] == 0;
		stop_add_pair(&cell->stops[side - 1], base, value, a_first, &cell->looks[side - 1]);
	}
}

static int cell_run(struct runner *runner, size_t nr, unsigned repeat)
{
	struct matrix_cell *cell = &runner->matrix->cells[nr];
	size_t *sides = runner->sides;
	int next = NEXT_TRIAL;

	for (size_t i = 0; i < cell->nr_sides; i++)
		sides[i] = i;
	shuffle(&runner->rng, sides, cell->nr_sides);
	for (size_t i = 0; i < cell->nr_sides && next == NEXT_TRIAL && !cell->is_given_up; i++) {
		struct matrix_trial trial = { .cell = nr, .side = sides[i], .repeat = repeat };

		if (side_is_wanted(runner->config, cell, sides[i]))
			next = trial_run(runner, &trial, &cell->values[sides[i]][repeat - 1]);
	}
	if (next != NEXT_TRIAL || cell->is_given_up)
		return next;
	cell->nr_blocks = repeat;
	if (runner->config->is_sequential)
		look_at_pairs(runner, cell, repeat);
	return NEXT_TRIAL;
}

static int block_run(struct runner *runner, unsigned repeat)
{
	struct matrix *matrix = runner->matrix;
	int next = NEXT_TRIAL;

	for (size_t i = 0; i < matrix->nr_cells; i++)
		runner->order[i] = i;
	shuffle(&runner->rng, runner->order, matrix->nr_cells);
	for (size_t i = 0; i < matrix->nr_cells && next == NEXT_TRIAL; i++) {
		struct matrix_cell *cell = &matrix->cells[runner->order[i]];

		if (cell->is_given_up ||
		    (runner->config->is_sequential && matrix_cell_is_decided(cell)))
			continue;
		next = cell_run(runner, runner->order[i], repeat);
	}
	return next;
}

/* Whatever its outcome: the first runs fill caches and wake the device. */
static int warmups_run(struct runner *runner)
{
	int next = NEXT_TRIAL;

	for (unsigned i = 0; i < runner->config->nr_warmups && next == NEXT_TRIAL; i++) {
		struct matrix_trial trial = { .cell = i % runner->matrix->nr_cells,
					      .attempt = i + 1 };
		enum matrix_outcome answer = MATRIX_FAILED;
		double unused = NAN;
		int ret = runner->config->answer(runner->config->arg, &trial, &answer, &unused,
						 runner->err);

		if (ret < 0)
			return ret;
		if (answer == MATRIX_STOP) {
			runner->matrix->is_stopped = true;
			next = NEXT_END;
		}
	}
	return next;
}

static int cell_prepare(struct matrix_cell *cell, const struct matrix_config *config,
			struct err *err)
{
	const struct stop_config stop = { .rule = config->rule, .max_pairs = config->repeats };
	int ret = 0;

	cell->values = xcalloc(cell->nr_sides, sizeof(*cell->values));
	for (size_t side = 0; side < cell->nr_sides; side++) {
		cell->values[side] = xcalloc(config->repeats, sizeof(**cell->values));
		for (unsigned i = 0; i < config->repeats; i++)
			cell->values[side][i] = NAN;
	}
	if (!config->is_sequential)
		return 0;
	cell->stops = xcalloc(cell->nr_sides, sizeof(*cell->stops));
	cell->looks = xcalloc(cell->nr_sides, sizeof(*cell->looks));
	for (size_t side = 1; side < cell->nr_sides && ret == 0; side++)
		ret = stop_init(&cell->stops[side - 1], &stop, err);
	return ret;
}

int matrix_run(struct matrix *matrix, const struct matrix_config *config, struct err *err)
{
	struct runner runner = { .matrix = matrix, .config = config, .err = err };
	size_t max_sides = 1;
	struct rng seeded;
	int next = NEXT_TRIAL;

	for (size_t i = 0; i < matrix->nr_cells && next >= 0; i++) {
		if (matrix->cells[i].nr_sides > max_sides)
			max_sides = matrix->cells[i].nr_sides;
		next = cell_prepare(&matrix->cells[i], config, err);
	}
	rng_init(&seeded, config->seed);
	seeded = rng_split(&seeded, MATRIX_STREAM);
	runner.order = xcalloc(matrix->nr_cells, sizeof(*runner.order));
	runner.sides = xcalloc(max_sides, sizeof(*runner.sides));
	if (next == NEXT_TRIAL)
		next = warmups_run(&runner);
	for (unsigned repeat = 1; repeat <= config->repeats && next == NEXT_TRIAL; repeat++) {
		matrix->nr_blocks = repeat;
		runner.rng = rng_split(&seeded, repeat); /* whatever the block before drew */
		next = block_run(&runner, repeat);
	}
	free(runner.order);
	free(runner.sides);
	return next < 0 ? next : 0;
}
