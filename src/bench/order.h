/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BENCH_ORDER_H
#define REGIO_BENCH_ORDER_H

/*
 * In which order the two runs of a pair are taken: a fair coin for each pair. Not ABAB, which a
 * disturbance of every second run would turn into a difference; and unlike with a balanced
 * plan, the test on the signs of the pairs is exact whatever the drift.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

struct order {
	struct rng rng;
};

/* The same seed gives the same order in every version of regio. */
void order_init(struct order *order, uint64_t seed);

/* The next coin: whether A is first. */
bool order_next_a_first(struct order *order);

#endif
