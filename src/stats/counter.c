/* SPDX-License-Identifier: GPL-2.0-or-later */
/* counter: differences of counters that only grow, but may wrap. */
#include "stats/counter.h"

/* In one run a 32-bit counter advances less than this; more means that it began anew. */
#define MAX_WRAPPED_DELTA (UINT64_C(1) << 31)

bool counter_delta(uint64_t before, uint64_t after, uint64_t *ret_delta)
{
	const uint64_t wrap = UINT64_C(1) << 32;
	uint64_t wrapped;

	if (after >= before) {
		*ret_delta = after - before;
		return true;
	}
	if (before >= wrap)
		return false;
	wrapped = after + wrap - before;
	if (wrapped >= MAX_WRAPPED_DELTA)
		return false;
	*ret_delta = wrapped;
	return true;
}
