/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_FISHER_H
#define REGIO_STATS_FISHER_H

#include <stddef.h>

/*
 * Two-sided p of Fisher's exact test (Fisher 1934) of "nr_hits of nr" in two groups: the total
 * probability of all tables with these margins that are no more probable than the one seen.
 */
double fisher_p(size_t nr_hits_a, size_t nr_a, size_t nr_hits_b, size_t nr_b);

#endif
