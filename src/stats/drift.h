/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_DRIFT_H
#define REGIO_STATS_DRIFT_H

#include <stdbool.h>
#include <stddef.h>

/* Fewer values show nothing. */
#define DRIFT_MIN_VALUES 8

/*
 * Rank von Neumann ratio (Bartels 1982) of values in the order of measuring: near 2 for
 * independent values, small for a trend or slow waves. NAN if all values are equal.
 */
double drift_ratio(const double *values, size_t nr);

/* The ratio as a standard normal deviate, negative for a trend. NAN up to DRIFT_MIN_VALUES values,
 * for which it is no good, and if all values are equal. */
double drift_z(const double *values, size_t nr);

/* Whether the ratio is too small at the 5 % level (one-sided). */
bool drift_found(const double *values, size_t nr);

#endif
