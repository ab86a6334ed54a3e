/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_MOMENTS_H
#define REGIO_STATS_MOMENTS_H

#include <stdint.h>

/*
 * Exact sums of whole numbers (latencies in ns, sizes in bytes): cheap enough for the hot path
 * and mergeable by addition in any order, with the same result. Valid while the sum stays below
 * 2^64, which is 584 years of latency. Zero is the valid empty value.
 */
struct moments {
	uint64_t n;
	uint64_t min;
	uint64_t max;
	uint64_t sum;
	unsigned __int128 sum_sq;
};

static inline void moments_add(struct moments *moments, uint64_t value)
{
	uint64_t min = moments->n ? moments->min : UINT64_MAX;

	moments->n++;
	moments->sum += value;
	moments->sum_sq += (unsigned __int128)value * value;
	moments->min = value < min ? value : min;
	moments->max = value > moments->max ? value : moments->max;
}

void moments_merge(struct moments *into, const struct moments *from);

/* 0 when empty. */
double moments_mean(const struct moments *moments);

/* Sample standard deviation (divisor n - 1), 0 for fewer than two values. */
double moments_stddev(const struct moments *moments);

#endif
