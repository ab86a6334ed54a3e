/* SPDX-License-Identifier: GPL-2.0-or-later */
/* permutation: keys of the random orders without repeats; walking them is inline in the header. */
#include "load/permutation.h"

#include <assert.h>

#include "base/rng.h"

void permutation_start(struct permutation *permutation, uint64_t nr, struct rng *rng)
{
	unsigned bits = nr > 1 ? 64U - (unsigned)__builtin_clzll(nr - 1) : 0;

	assert(nr <= UINT64_C(1) << 63);
	permutation->nr = nr;
	permutation->left = nr;
	permutation->index = 0;
	permutation->mask = (UINT64_C(1) << bits) - 1;
	permutation->shift = bits > 3 ? bits / 2 : 1;
	permutation->nr_rounds =
		bits <= PERMUTATION_SMALL_BITS ? PERMUTATION_ROUNDS_SMALL : PERMUTATION_ROUNDS;
	for (unsigned i = 0; i < PERMUTATION_ROUNDS_SMALL; i++) {
		permutation->rounds[i].factor = rng_next(rng) | 1;
		permutation->rounds[i].addend = rng_next(rng);
	}
}
