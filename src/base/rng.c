/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rng: seeding and splitting of the generator; drawing numbers is inline in the header. */
#include "base/rng.h"

#define SPLITMIX64_GAMMA UINT64_C(0x9e3779b97f4a7c15) /* 2^64 / golden ratio, odd */

/* Stafford 2011, variant 13 of the MurmurHash3 finaliser, as splitmix64 uses it. */
uint64_t rng_mix64(uint64_t value)
{
	value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
	return value ^ (value >> 31);
}

void rng_init(struct rng *rng, uint64_t seed)
{
	/* Four outputs of splitmix64 differ, so the state is never all zero. */
	for (int i = 0; i < 4; i++) {
		seed += SPLITMIX64_GAMMA;
		rng->state[i] = rng_mix64(seed);
	}
}

struct rng rng_split(const struct rng *rng, uint64_t nr)
{
	const uint64_t *s = rng->state;
	uint64_t seed =
		rng_mix64(s[0] ^ rng_rotl(s[1], 16) ^ rng_rotl(s[2], 32) ^ rng_rotl(s[3], 48));
	struct rng part;

	rng_init(&part, rng_mix64(seed + (nr + 1) * SPLITMIX64_GAMMA));
	return part;
}
