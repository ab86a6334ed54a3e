/* SPDX-License-Identifier: GPL-2.0-or-later */
/* noise: simulated benchmark runs. */
#include "noise.h"

#include <math.h>

#define LEVEL 100.0
#define LEFT_TAIL_SHARE 0.12
#define FAST_MODE_SHARE 0.07

/* Box & Muller 1958; one of the two deviates is thrown away. */
static double normal_deviate(struct rng *rng)
{
	double radius = sqrt(-2.0 * log(1.0 - rng_double(rng)));

	return radius * cos(2.0 * M_PI * rng_double(rng));
}

static double lognormal(double cv, struct rng *rng)
{
	return exp(sqrt(log1p(cv * cv)) * normal_deviate(rng));
}

double noise_run(const struct noise *noise, size_t nr, struct rng *rng)
{
	double value = LEVEL * exp(-noise->drift_per_run * (double)nr);

	switch (noise->shape) {
	case NOISE_LOGNORMAL:
		return value * lognormal(noise->cv, rng);
	case NOISE_LEFT_TAIL:
		value *= lognormal(0.02, rng);
		if (rng_double(rng) < LEFT_TAIL_SHARE)
			value *= 1.0 - (0.10 + 0.25 * rng_double(rng));
		return value;
	case NOISE_FAST_MODE:
		value *= lognormal(0.06, rng);
		return rng_double(rng) < FAST_MODE_SHARE ? 1.75 * value : value;
	}
	return value;
}
