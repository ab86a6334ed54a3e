/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spread: zipf, pareto, normal and zoned choices of blocks. */
#include "load/spread.h"

#include <math.h>

#include "base/rng.h"

/*
 * Zipf by rejection-inversion: Hörmann and Derflinger 1996, "Rejection-inversion to generate
 * variates from monotone discrete distributions". Exact for every theta > 0 but 1, with constant
 * work. Ranks count from 1 here; H is the integral of x^-theta, zipf_inverse its inverse.
 */
static double zipf_integral(double theta, double x)
{
	return expm1((1 - theta) * log(x)) / (1 - theta);
}

static double zipf_inverse(double theta, double y)
{
	double t = y * (1 - theta);

	return exp(log1p(t < -1 ? -1 : t) / (1 - theta));
}

static void zipf_init(struct spread *spread)
{
	double theta = spread->distribution->parameter;

	spread->zipf_low = zipf_integral(theta, 1.5) - 1;
	spread->zipf_high = zipf_integral(theta, (double)spread->nr + 0.5);
	spread->zipf_margin =
		2 - zipf_inverse(theta, zipf_integral(theta, 2.5) - exp(-theta * log(2)));
}

static uint64_t zipf_draw(const struct spread *spread, struct rng *rng)
{
	double theta = spread->distribution->parameter;

	for (;;) {
		double u = spread->zipf_high +
			   rng_double(rng) * (spread->zipf_low - spread->zipf_high);
		double x = zipf_inverse(theta, u);
		double rank = fmin(fmax(floor(x + 0.5), 1), (double)spread->nr);

		if (rank - x <= spread->zipf_margin ||
		    u >= zipf_integral(theta, rank + 0.5) - exp(-theta * log(rank)))
			return (uint64_t)rank - 1;
	}
}

static uint64_t pareto_draw(const struct spread *spread, struct rng *rng)
{
	return (uint64_t)((double)(spread->nr - 1) * pow(rng_double(rng), spread->power));
}

/* Box and Muller 1958. What falls outside comes in again at the other end. */
static uint64_t normal_draw(const struct spread *spread, struct rng *rng)
{
	double radius = sqrt(-2 * log(1 - rng_double(rng)));
	double normal = radius * cos(2 * M_PI * rng_double(rng));
	double place = fmod((double)spread->shift + spread->stddev * normal, (double)spread->nr);

	if (spread->stddev == 0)
		return rng_below(rng, spread->nr);
	if (place < 0)
		place += (double)spread->nr;
	return place < (double)spread->nr ? (uint64_t)place : spread->nr - 1;
}

/* First block behind a zone that begins at block `from`. */
static uint64_t zone_end(const struct spread *spread, const struct access_zone *zone, uint64_t from)
{
	uint64_t len =
		spread->distribution->kind == DISTRIBUTION_ZONED_BYTES
			? zone->size_bytes / spread->unit_bytes
			: (uint64_t)((unsigned __int128)spread->nr * zone->size_percent / 100);

	return len < spread->nr - from ? from + len : spread->nr;
}

/* What no zone has is for the whole range. */
static uint64_t zoned_draw(const struct spread *spread, struct rng *rng)
{
	uint64_t ticket = rng_below(rng, 100);
	uint64_t from = 0;

	for (size_t i = 0; i < spread->zones->nr; i++) {
		const struct access_zone *zone = &spread->zones->items[i];
		uint64_t end = zone_end(spread, zone, from);

		if (ticket < zone->access_percent && end > from)
			return from + rng_below(rng, end - from);
		if (ticket < zone->access_percent)
			break;
		ticket -= zone->access_percent;
		from = end;
	}
	return rng_below(rng, spread->nr);
}

void spread_init(struct spread *spread, const struct distribution *distribution, enum io_dir dir,
		 uint64_t nr, uint64_t unit_bytes, struct rng *places)
{
	double h = distribution->parameter;

	*spread = (struct spread){
		.distribution = distribution,
		.zones = &distribution->zones[dir],
		.nr = nr,
		.unit_bytes = unit_bytes,
		.shift = (uint64_t)(distribution->center * (double)nr),
	};
	permutation_start(&spread->places, nr, places);
	if (distribution->kind == DISTRIBUTION_ZIPF)
		zipf_init(spread);
	if (distribution->kind == DISTRIBUTION_PARETO)
		spread->power = log(h) / log(1 - h);
	if (distribution->kind == DISTRIBUTION_NORMAL)
		spread->stddev = fmin((double)nr * h / 100, (double)nr / 2);
}

uint64_t spread_draw(const struct spread *spread, struct rng *rng)
{
	uint64_t rank = 0;

	switch (spread->distribution->kind) {
	case DISTRIBUTION_UNIFORM:
		return rng_below(rng, spread->nr);
	case DISTRIBUTION_NORMAL:
		return normal_draw(spread, rng);
	case DISTRIBUTION_ZONED:
	case DISTRIBUTION_ZONED_BYTES:
		return zoned_draw(spread, rng);
	case DISTRIBUTION_ZIPF:
		rank = zipf_draw(spread, rng);
		break;
	case DISTRIBUTION_PARETO:
		rank = pareto_draw(spread, rng);
		break;
	}
	if (spread->distribution->has_center)
		return (rank + spread->shift) % spread->nr;
	return permutation_place(&spread->places, rank);
}
