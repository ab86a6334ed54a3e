/* SPDX-License-Identifier: GPL-2.0-or-later */
/* aiol_random: where the windows of aiol lie. */
#include "load/aiol_random.h"

#define MWC_Z 362436069U
#define MWC_W 521288629U

void aiol_random_init(struct aiol_random *random, bool like_stress_ng, uint64_t seed,
		      unsigned instance)
{
	struct rng rng;

	rng_init(&rng, seed);
	*random = (struct aiol_random){
		.like_stress_ng = like_stress_ng,
		.windows = rng_split(&rng, 2 * (uint64_t)instance),
		.bits = rng_split(&rng, 2 * (uint64_t)instance + 1),
		.z = MWC_Z,
		.w = MWC_W,
	};
	if (like_stress_ng)
		(void)aiol_random_32(random); /* goes into the name of the file there */
}

uint32_t aiol_random_32(struct aiol_random *random)
{
	random->z = 36969 * (random->z & 65535) + (random->z >> 16);
	random->w = 18000 * (random->w & 65535) + (random->w >> 16);
	return (random->z << 16) + random->w;
}

uint16_t aiol_random_window(struct aiol_random *random)
{
	if (!random->like_stress_ng)
		return (uint16_t)(rng_next(&random->windows) >> 48);
	if (random->nr_halves == 0) {
		random->halves = aiol_random_32(random);
		random->nr_halves = 1;
		return (uint16_t)random->halves;
	}
	random->nr_halves = 0;
	return (uint16_t)(random->halves >> 16);
}

bool aiol_random_bit(struct aiol_random *random)
{
	bool bit;

	if (!random->like_stress_ng)
		return rng_next(&random->bits) >> 63;
	if (random->nr_bits == 0) {
		random->bit_pool = aiol_random_32(random);
		random->nr_bits = 32;
	}
	bit = random->bit_pool & 1;
	random->bit_pool >>= 1;
	random->nr_bits--;
	return bit;
}
