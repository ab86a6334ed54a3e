/* SPDX-License-Identifier: GPL-2.0-or-later */
/* power: how many pairs a verdict needs, from simulations of the stopping rule. */
#include "stats/power.h"

#include <math.h>

/* n = factor (spread / effect)^2, fitted to simulations over several noise shapes. */
#define FACTOR_FIND 25.0
#define FACTOR_EXCLUDE 27.0

static size_t pairs(double factor, double spread, double effect)
{
	double nr = ceil(factor * (spread / effect) * (spread / effect));

	if (!(nr < POWER_MAX_PAIRS))
		return POWER_MAX_PAIRS;
	return nr > 1.0 ? (size_t)nr : 1;
}

size_t power_pairs_to_find(double spread, double effect)
{
	return pairs(FACTOR_FIND, spread, effect);
}

size_t power_pairs_to_exclude(double spread, double limit)
{
	return pairs(FACTOR_EXCLUDE, spread, limit);
}

double power_effect(double spread, size_t nr_pairs)
{
	return spread * sqrt(FACTOR_FIND / (double)nr_pairs);
}

double power_limit(double spread, size_t nr_pairs)
{
	return spread * sqrt(FACTOR_EXCLUDE / (double)nr_pairs);
}
