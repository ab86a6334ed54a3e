/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_LKP_MATRIX_H
#define REGIO_IMPORT_LKP_MATRIX_H

/*
 * LKP's matrix: for each metric an array with one value for each run. Built series by series,
 * delivered run by run.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "model/note.h"

struct err;
struct import_reader;
struct lkp_column;
struct lkp_table;

/* All numbers of a matrix are in memory: this many at most. */
#define LKP_MATRIX_MAX_VALUES 8000000U
/* LKP keeps 100. */
#define LKP_MATRIX_MAX_RUNS 100000U

struct lkp_matrix_series {
	char *name;
	double *values; /* NAN = the run has none */
	size_t nr, capacity;
	size_t nr_plain_zeros; /* "0", not "0.0" */
	bool has_fraction;     /* a value that is no whole number, or printed as a fraction */
	unsigned line;
};

struct lkp_matrix {
	VEC(struct lkp_matrix_series) series;
	size_t nr_values;  /* of all series */
	size_t nr_sources; /* runs by the matrix' own list; 0 = it has none */
	size_t nr_filled;  /* zeros that stood for nothing */
	bool is_average;   /* avg.json: one column, the mean of several runs */
	/* Of the results; NULL = the frame chooses a label. */
	const struct lkp_table *table;
	const struct lkp_column *column;
	const char *kernel;
	struct note_list notes; /* of each result */
};

void lkp_matrix_release(struct lkp_matrix *matrix);
CLEANUP_DEFINE(lkp_matrix, struct lkp_matrix, lkp_matrix_release)

/* Valid until the next series begins. */
struct lkp_matrix_series *lkp_matrix_begin(struct lkp_matrix *matrix, const char *name, size_t len,
					   unsigned line);
/* text is the number as it was written, which tells a filled gap from a measured 0. */
void lkp_matrix_add(struct lkp_matrix *matrix, struct lkp_matrix_series *series, double value,
		    const char *text, size_t len);
/* What a series needs to know of all its values. */
void lkp_matrix_end(struct lkp_matrix *matrix, struct lkp_matrix_series *series);

/* Gives up the last series: it was cut. */
void lkp_matrix_drop_last(struct lkp_matrix *matrix);

/* Runs there are: the longest series, or the matrix' own list. */
size_t lkp_matrix_nr_runs(const struct lkp_matrix *matrix);

int lkp_matrix_deliver(struct import_reader *in, const struct lkp_matrix *matrix, struct err *err);

#endif
