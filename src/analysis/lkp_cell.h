/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_LKP_CELL_H
#define REGIO_ANALYSIS_LKP_CELL_H

#include <stdbool.h>
#include <stddef.h>

struct lkp_row;
struct lkp_sample;
struct lkp_series;

/* What the cells of one row are computed from. */
struct lkp_source {
	const struct lkp_sample *samples;
	size_t nr_samples;
	const struct lkp_series **series; /* one for each sample; NULL = it has no such metric */
	bool is_strict;
};

/* Known as a posted average only. */
bool lkp_is_average(const struct lkp_series *series);

/* Values, with a 0 for each run that lacks the metric if strict. Caller frees. */
double *lkp_filled_values(const struct lkp_source *source, size_t column, size_t *ret_nr);

/* Fills the cells of a row with a name. */
void lkp_set_cells(const struct lkp_source *source, struct lkp_row *row);

#endif
