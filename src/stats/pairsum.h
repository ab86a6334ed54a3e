/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_PAIRSUM_H
#define REGIO_STATS_PAIRSUM_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The sums rows[i] + cols[j] of two ascending arrays, all of them or only those with j >= i:
 * order statistics without building the n * m sums. Differences b - a are the sums of b and -a,
 * Walsh averages are half the sums of an array with itself. All values are finite.
 */
struct pairsum {
	const double *rows;
	size_t nr_rows;
	const double *cols;
	size_t nr_cols;
	bool upper_triangle; /* j >= i only; then nr_rows == nr_cols */
};

size_t pairsum_count(const struct pairsum *pairsum);

/* The k-th smallest sum, k in 1..pairsum_count(). */
double pairsum_select(const struct pairsum *pairsum, size_t k);

/* Mean of the middle two if the count is even; the count must not be 0. */
double pairsum_median(const struct pairsum *pairsum);

#endif
