/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_POWER_H
#define REGIO_STATS_POWER_H

#include <stddef.h>

/* More pairs than this are never proposed as a number: "out of reach". */
#define POWER_MAX_PAIRS 100000

/*
 * Pairs that find a true effect with about 80 % power by sequential rank tests, at most
 * POWER_MAX_PAIRS. Spread of one run and effect on the same scale (logarithms or points).
 */
size_t power_pairs_to_find(double spread, double effect);

/* Pairs that show "no difference >= limit" with about 80 % power if there is none. */
size_t power_pairs_to_exclude(double spread, double limit);

/* Smallest effect that this many pairs find with about 80 % power. nr_pairs > 0. */
double power_effect(double spread, size_t nr_pairs);

/* Smallest limit that this many pairs exclude with about 80 % power if there is no effect. */
double power_limit(double spread, size_t nr_pairs);

#endif
