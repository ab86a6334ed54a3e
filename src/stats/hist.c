/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hist: values, merging and quantiles of latency histograms; recording is inline in the header. */
#include "stats/hist.h"

#include <assert.h>
#include <float.h>
#include <math.h>

uint64_t hist_value(size_t index)
{
	unsigned int shift;
	uint64_t base;
	uint64_t offset;

	assert(index < HIST_NR_BUCKETS);
	if (index < (2U << HIST_GROUP_BITS))
		return index;

	shift = (unsigned int)(index >> HIST_GROUP_BITS) - 1;
	base = 1ULL << (shift + HIST_GROUP_BITS);
	offset = index & ((1U << HIST_GROUP_BITS) - 1);
	return base + (offset << shift) + (1ULL << (shift - 1));
}

void hist_merge(struct hist *into, const struct hist *from)
{
	for (size_t i = 0; i < HIST_NR_BUCKETS; i++)
		into->counts[i] += from->counts[i];
}

uint64_t hist_total(const struct hist *hist)
{
	uint64_t total = 0;

	for (size_t i = 0; i < HIST_NR_BUCKETS; i++)
		total += hist->counts[i];
	return total;
}

/* Smallest rank that covers the share q, at least 1; total > 0. */
static uint64_t rank_of(double q, uint64_t total)
{
	/* A product such as 0.07 * 100 may lie an ulp above the whole number that is meant. */
	long double rank = ceill((long double)q * (long double)total * (1.0L - DBL_EPSILON));

	if (rank < 1.0L)
		return 1;
	return rank >= (long double)total ? total : (uint64_t)rank;
}

void hist_quantiles(const struct hist *hist, const double *qs, size_t nr_qs,
		    uint64_t *ret_values_ns)
{
	uint64_t total = hist_total(hist);
	uint64_t sum = total ? hist->counts[0] : 0;
	size_t index = 0;

	for (size_t i = 0; i < nr_qs; i++) {
		uint64_t rank;

		assert(i == 0 || qs[i] >= qs[i - 1]);
		if (total == 0) {
			ret_values_ns[i] = 0;
			continue;
		}
		rank = rank_of(qs[i], total);
		while (sum < rank)
			sum += hist->counts[++index];
		ret_values_ns[i] = hist_value(index);
	}
}

uint64_t hist_quantile(const struct hist *hist, double q)
{
	uint64_t value_ns;

	hist_quantiles(hist, &q, 1, &value_ns);
	return value_ns;
}
