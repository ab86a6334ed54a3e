/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_SUBSET_H
#define REGIO_STATS_SUBSET_H

#include <stddef.h>
#include <stdint.h>

/*
 * Exact permutation p-values for ranks with ties, two-sided: twice the smaller tail, at most 1.
 * The ranks are doubled midranks, so whole numbers.
 */

/*
 * Where does `sum` stand among the sums of all choices of `nr_chosen` of the `nr` ranks?
 * nr_chosen in 1..nr. Streitberg & Roehmel 1986. Time and memory grow with the square of
 * nr_chosen * (nr - nr_chosen); meant for up to RANKSUM_MAX_EXACT of these.
 */
double subset_sum_p(const int64_t *ranks, size_t nr, size_t nr_chosen, int64_t sum);

/* Where does `sum` stand among the sums of all subsets of the ranks, each rank in or out? */
double sign_sum_p(const int64_t *ranks, size_t nr, int64_t sum);

#endif
