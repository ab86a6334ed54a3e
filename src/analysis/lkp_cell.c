/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_cell: averages, spreads, changes and counts of failures of one row. */
#include "analysis/lkp_cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lkp_compare.h"
#include "base/arena.h"
#include "model/lkp_table.h"
#include "stats/lkp.h"

/* More is no number of runs. */
#define MAX_FAILS 1e15

bool lkp_is_average(const struct lkp_series *series)
{
	return series && !series->nr_values && series->has_average;
}

double *lkp_filled_values(const struct lkp_source *source, size_t column, size_t *ret_nr)
{
	const struct lkp_series *series = source->series[column];
	size_t nr_runs = source->samples[column].nr_runs;
	size_t nr_values = series ? series->nr_values : 0;
	size_t nr = source->is_strict && nr_runs > nr_values ? nr_runs : nr_values;
	double *values = xcalloc(nr ? nr : 1, sizeof(*values));

	if (nr_values)
		memcpy(values, series->values, nr_values * sizeof(*values));
	*ret_nr = nr;
	return values;
}

/* A spread that was cut to a whole number when it was printed: the middle of what it may have been,
 * which is printed as the same number again. */
static double printed_spread(double percent)
{
	return percent == trunc(percent) ? percent + 0.5 : percent;
}

static void set_metric(const struct lkp_source *source, size_t column, struct lkp_cell *cell)
{
	const struct lkp_series *series = source->series[column];
	CLEANUP(free) double *values = NULL;
	size_t nr;

	if (lkp_is_average(series)) {
		cell->is_present = true;
		cell->mean = series->average;
		cell->spread_percent = printed_spread(series->spread_percent);
		return;
	}
	values = lkp_filled_values(source, column, &nr);
	cell->is_present = nr || source->is_strict;
	if (nr)
		lkp_average(values, nr, &cell->mean, &cell->spread_percent);
}

static void set_change(const struct lkp_source *source, struct lkp_row *row, size_t column)
{
	const struct lkp_series *series = source->series[column];
	struct lkp_cell *base = &row->cells[0], *cell = &row->cells[column];
	bool is_absolute = lkp_is_absolute(row->name);

	if (!base->is_present || !cell->is_present)
		return;
	cell->change = lkp_change(base->mean, cell->mean, is_absolute);
	if (lkp_is_average(source->series[0]) && lkp_is_average(series) && !isnan(series->change) &&
	    lkp_change_fits(base->mean, cell->mean, is_absolute, series->change))
		cell->change = series->change;
}

/* ---- failures ---- */

static void set_fails(const struct lkp_source *source, size_t column, struct lkp_cell *cell)
{
	const struct lkp_series *series = source->series[column];
	double fails = 0.0;

	cell->is_present = true;
	cell->nr_runs = source->samples[column].nr_runs;
	if (lkp_is_average(series) && series->average_runs) {
		cell->nr_runs = series->average_runs;
		fails = round(series->average * (double)series->average_runs);
	}
	for (size_t i = 0; series && i < series->nr_values; i++)
		fails += series->values[i];
	cell->nr_fails = fails > 0.0 && fails < MAX_FAILS ? (uint64_t)fails : 0;
}

static void set_rate(const struct lkp_source *source, struct lkp_row *row, size_t column)
{
	const struct lkp_cell *base = &row->cells[0];
	struct lkp_cell *cell = &row->cells[column];
	/* LKP divides by the runs of the column before. */
	uint64_t nr_runs = source->is_strict ? row->cells[column - 1].nr_runs : cell->nr_runs;

	if (nr_runs && base->nr_runs)
		cell->change = 100.0 * ((double)cell->nr_fails / (double)nr_runs -
					(double)base->nr_fails / (double)base->nr_runs);
}

void lkp_set_cells(const struct lkp_source *source, struct lkp_row *row)
{
	for (size_t i = 0; i < source->nr_samples; i++) {
		if (row->is_failure)
			set_fails(source, i, &row->cells[i]);
		else
			set_metric(source, i, &row->cells[i]);
	}
	for (size_t i = 1; i < source->nr_samples; i++) {
		if (row->is_failure)
			set_rate(source, row, i);
		else
			set_change(source, row, i);
	}
}
