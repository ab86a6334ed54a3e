/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_matrix: one value for each metric and run -> one result for each run. */
#include "import/lkp_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "import/importer.h"
#include "import/lkp_memory.h"
#include "import/lkp_result.h"
#include "model/lkp_table.h"
#include "model/result.h"

/* Runs that did not end: of them only failures count. */
#define INCOMPLETE "last_state.is_incomplete_run"

static void series_release(struct lkp_matrix_series *series)
{
	free(series->name);
	free(series->values);
}

void lkp_matrix_release(struct lkp_matrix *matrix)
{
	VEC_FOREACH (&matrix->series, series)
		series_release(series);
	vec_release(&matrix->series);
	note_list_release(&matrix->notes);
}

struct lkp_matrix_series *lkp_matrix_begin(struct lkp_matrix *matrix, const char *name, size_t len,
					   unsigned line)
{
	vec_push(&matrix->series,
		 (struct lkp_matrix_series){ .name = xstrndup(name, len), .line = line });
	return vec_last(&matrix->series);
}

static bool is_plain_zero(const char *text, size_t len)
{
	return len == 1 && *text == '0';
}

static bool is_fraction(const char *text, size_t len)
{
	return memchr(text, '.', len) || memchr(text, 'e', len) || memchr(text, 'E', len);
}

void lkp_matrix_add(struct lkp_matrix *matrix, struct lkp_matrix_series *series, double value,
		    const char *text, size_t len)
{
	series->values = vec_grow(series->values, series->nr + 1, &series->capacity,
				  sizeof(*series->values));
	series->values[series->nr++] = value;
	series->nr_plain_zeros += is_plain_zero(text, len);
	series->has_fraction |= is_fraction(text, len);
	matrix->nr_values++;
}

/*
 * LKP puts 0 where a run lacks a metric that others have. Where the others are fractions, a whole
 * 0 can be nothing else: a measured one would be 0.0.
 */
void lkp_matrix_end(struct lkp_matrix *matrix, struct lkp_matrix_series *series)
{
	if (!series->has_fraction || !series->nr_plain_zeros ||
	    series->nr_plain_zeros == series->nr)
		return;
	for (size_t i = 0; i < series->nr; i++) {
		if (series->values[i] != 0.0 || signbit(series->values[i]))
			continue;
		series->values[i] = (double)NAN;
		matrix->nr_filled++;
	}
}

void lkp_matrix_drop_last(struct lkp_matrix *matrix)
{
	if (!matrix->series.nr)
		return;
	series_release(vec_last(&matrix->series));
	(void)vec_pop(&matrix->series);
}

size_t lkp_matrix_nr_runs(const struct lkp_matrix *matrix)
{
	size_t nr = matrix->nr_sources;

	VEC_FOREACH (&matrix->series, series)
		nr = series->nr > nr ? series->nr : nr;
	return nr;
}

static bool is_incomplete(const struct lkp_matrix *matrix, size_t run)
{
	VEC_FOREACH (&matrix->series, series) {
		if (!strcmp(series->name, INCOMPLETE))
			return run < series->nr && series->values[run] == 1.0;
	}
	return false;
}

static void describe(const struct lkp_matrix *matrix, struct result *result)
{
	if (matrix->table)
		lkp_describe(matrix->table, matrix->column, result);
	if (!result->label && matrix->kernel)
		result->label = xstrdup(matrix->kernel);
}

static void fill(const struct lkp_matrix *matrix, size_t run, struct result *result)
{
	bool has_ended = !is_incomplete(matrix, run);

	VEC_FOREACH (&matrix->series, series) {
		struct given_metric *metric;

		if (run >= series->nr || isnan(series->values[run]) || !*series->name ||
		    (!has_ended && !lkp_is_failure(series->name)))
			continue;
		metric = lkp_add_metric(result, series->name, series->values[run], series->line);
		metric->nr_runs = matrix->is_average ? GIVEN_RUNS_UNKNOWN : 0;
	}
	result->interrupted = !has_ended;
	if (!has_ended)
		note_add(&result->notes, NOTE_INPUT_INCOMPLETE,
			 "run %zu did not end (" INCOMPLETE "): its measurements do not count",
			 run + 1);
}

int lkp_matrix_deliver(struct import_reader *in, const struct lkp_matrix *matrix, struct err *err)
{
	size_t nr_runs = lkp_matrix_nr_runs(matrix);
	int ret = 0;

	for (size_t run = 0; ret == 0 && run < nr_runs; run++) {
		CLEANUP(result) struct result result = { .tool = xstrdup("lkp") };

		fill(matrix, run, &result);
		if (!result.given.nr)
			continue;
		lkp_finish_metrics(&result, matrix->is_average);
		describe(matrix, &result);
		note_list_append(&result.notes, &matrix->notes);
		ret = import_deliver(in, &result, err);
	}
	return ret;
}
