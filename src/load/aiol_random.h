/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_AIOL_RANDOM_H
#define REGIO_LOAD_AIOL_RANDOM_H

/*
 * Numbers for an instance of aiol: from regio's generator, or those that stress-ng draws under
 * --no-rand-seed (two multiply-with-carry generators, Marsaglia 1994; 16 bits take the low, then
 * the high half of a value, single bits come 32 from one value, the low one first).
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"

struct aiol_random {
	bool like_stress_ng;
	struct rng windows; /* waiting does not touch it, so offsets repeat with the seed */
	struct rng bits;
	uint32_t z, w;
	uint32_t halves, bit_pool; /* what is left of a value */
	unsigned nr_halves, nr_bits;
};

void aiol_random_init(struct aiol_random *random, bool like_stress_ng, uint64_t seed,
		      unsigned instance);
uint32_t aiol_random_32(struct aiol_random *random); /* of stress-ng's generator */
uint16_t aiol_random_window(struct aiol_random *random);
bool aiol_random_bit(struct aiol_random *random);

#endif
