/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENGINE_IN_FLIGHT_H
#define REGIO_ENGINE_IN_FLIGHT_H

/*
 * What an asynchronous engine was lent: requests in the kernel, and those done without it (trims,
 * refused ones), which are reaped first.
 */

#include <stddef.h>

#include "engine/done_queue.h"

struct in_flight {
	struct done_queue done;
	size_t nr_in_kernel;
};

/* min..max completed requests from the kernel, or -errno; min is never more than it has. */
typedef int in_flight_reap_fn(void *state, struct io_req **done, size_t min, size_t max);

/* Inlined into each engine's reap, where reap_kernel is a constant and the call direct. */
static inline __attribute__((always_inline)) int in_flight_reap(struct in_flight *in_flight,
								struct io_req **done, size_t min,
								size_t max,
								in_flight_reap_fn *reap_kernel,
								void *state)
{
	size_t nr = done_queue_pop(&in_flight->done, done, max);
	size_t wanted = min > nr ? min - nr : 0;
	int ret;

	if (nr == max || in_flight->nr_in_kernel == 0)
		return (int)nr;
	if (wanted > in_flight->nr_in_kernel)
		wanted = in_flight->nr_in_kernel;
	ret = reap_kernel(state, done + nr, wanted, max - nr);
	if (ret < 0)
		return nr > 0 ? (int)nr : ret;
	in_flight->nr_in_kernel -= (size_t)ret;
	return (int)nr + ret;
}

#endif
