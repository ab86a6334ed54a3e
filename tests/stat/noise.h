/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_STAT_NOISE_H
#define REGIO_TESTS_STAT_NOISE_H

#include <stddef.h>

#include "base/rng.h"

/*
 * Made-up runs of a benchmark whose true level is 100: the shapes of noise for which the error
 * rates of the method were worked out.
 */
enum noise_shape {
	NOISE_LOGNORMAL, /* relative deviation `cv` */
	NOISE_LEFT_TAIL, /* cv 2 %, but 12 % of the runs 10 to 35 % slower */
	NOISE_FAST_MODE, /* cv 6 %, but 7 % of the runs 75 % faster */
};

struct noise {
	const char *name;
	enum noise_shape shape;
	double cv;
	double drift_per_run; /* share by which each run of a session is slower than the last */
};

/* Value of run number `nr` (from 0) of a session. */
double noise_run(const struct noise *noise, size_t nr, struct rng *rng);

#endif
