/* SPDX-License-Identifier: GPL-2.0-or-later */
/* drift: are the runs of a session independent of their order. */
#include "stats/drift.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/arena.h"
#include "stats/sorted.h"

/* Largest ratio of 8 different values with an exact probability of at most 5 % (.048). */
#define DRIFT_CRITICAL_8 (39.0 / 42.0)
#define DRIFT_CRITICAL_Z -1.645

double drift_ratio(const double *values, size_t nr)
{
	CLEANUP(free) int64_t *ranks = xcalloc(nr ? nr : 1, sizeof(*ranks));
	double steps = 0.0;
	double spread = 0.0;

	midranks_doubled(values, nr, ranks);
	for (size_t i = 0; i < nr; i++) {
		double deviation = (double)(ranks[i] - (int64_t)(nr + 1));
		double step = i ? (double)(ranks[i] - ranks[i - 1]) : 0.0;

		spread += deviation * deviation;
		steps += step * step;
	}
	return spread > 0.0 ? steps / spread : NAN;
}

double drift_z(const double *values, size_t nr)
{
	double n = (double)nr;
	double variance;

	if (nr <= DRIFT_MIN_VALUES)
		return NAN;
	variance = 4.0 * (n - 2.0) * (5.0 * n * n - 2.0 * n - 9.0) /
		   (5.0 * n * (n + 1.0) * (n - 1.0) * (n - 1.0));
	return (drift_ratio(values, nr) - 2.0) / sqrt(variance);
}

bool drift_found(const double *values, size_t nr)
{
	if (nr == DRIFT_MIN_VALUES)
		return drift_ratio(values, nr) <= DRIFT_CRITICAL_8;
	return drift_z(values, nr) <= DRIFT_CRITICAL_Z; /* false for NAN */
}
