/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_HIST_H
#define REGIO_STATS_HIST_H

#include <stddef.h>
#include <stdint.h>

/*
 * Log-linear latency histogram with the bucket layout of fio: 64 buckets per power of two,
 * 29 groups. Values below 128 ns are exact, above that a bucket is 1/64 of its value wide, so a
 * midpoint is wrong by at most 0.8 %. The last bucket holds everything from 17.0 s on.
 *
 * One writer per histogram; histograms of several workers are merged after they have joined.
 */
#define HIST_GROUP_BITS 6
#define HIST_NR_GROUPS 29
#define HIST_NR_BUCKETS (HIST_NR_GROUPS << HIST_GROUP_BITS)

/* Two values nearer than this (relative) can share a bucket on both sides of a comparison. */
#define HIST_RESOLUTION 0.016

struct hist {
	uint64_t counts[HIST_NR_BUCKETS];
};

static inline size_t hist_index(uint64_t value_ns)
{
	/* Bit 6 is always set, so that values below 128 get shift 0 without a branch. */
	unsigned int msb = 63U - (unsigned int)__builtin_clzll(value_ns | (1U << HIST_GROUP_BITS));
	unsigned int shift = msb - HIST_GROUP_BITS;
	size_t index = ((size_t)shift << HIST_GROUP_BITS) + (size_t)(value_ns >> shift);

	return index < HIST_NR_BUCKETS ? index : HIST_NR_BUCKETS - 1;
}

static inline void hist_record(struct hist *hist, uint64_t value_ns)
{
	hist->counts[hist_index(value_ns)]++;
}

/* Integer part of the midpoint of a bucket, in ns. index < HIST_NR_BUCKETS. */
uint64_t hist_value(size_t index);

void hist_merge(struct hist *into, const struct hist *from);
uint64_t hist_total(const struct hist *hist);

/*
 * Midpoint of the bucket that holds the observation of rank ceil(q * total), in ns.
 * q in 0..1; an empty histogram gives 0.
 */
uint64_t hist_quantile(const struct hist *hist, double q);

/* The same for many q in ascending order, in one pass over the buckets. */
void hist_quantiles(const struct hist *hist, const double *qs, size_t nr_qs,
		    uint64_t *ret_values_ns);

#endif
