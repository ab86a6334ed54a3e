/* SPDX-License-Identifier: GPL-2.0-or-later */
/* order: the coin that orders the runs of a pair. */
#include "bench/order.h"

/* Keeps the coin apart from offsets and data, which are drawn from the same seed. */
#define ORDER_STREAM 0x6f72646572 /* "order" */

void order_init(struct order *order, uint64_t seed)
{
	struct rng rng;

	rng_init(&rng, seed);
	order->rng = rng_split(&rng, ORDER_STREAM);
}

bool order_next_a_first(struct order *order)
{
	return rng_next(&order->rng) >> 63;
}
