/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_SORTED_H
#define REGIO_STATS_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* Ascending, in place. */
void sort_doubles(double *values, size_t nr);

/* Heap copy in ascending order; the caller frees it. */
double *sorted_copy(const double *values, size_t nr);

/* nr > 0; mean of the middle two if nr is even. */
double sorted_median(const double *sorted, size_t nr);

/*
 * Twice the midrank of every value (whole numbers even with ties), in the order of the input.
 * Returns the sum of t^3 - t over groups of t equal values: 0 if and only if all differ.
 */
double midranks_doubled(const double *values, size_t nr, int64_t *ret_ranks);

#endif
