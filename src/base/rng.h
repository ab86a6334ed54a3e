/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_RNG_H
#define REGIO_BASE_RNG_H

#include <stdint.h>

/*
 * Seeded generator of pseudo-random numbers: xoshiro256++ 1.0 (Blackman & Vigna 2019, "Scrambled
 * linear pseudorandom number generators", ACM TOMS 47(4)), seeded by splitmix64 (Steele, Lea &
 * Flood 2014). Period 2^256 - 1. The same seed gives the same numbers on every machine and in
 * every version of regio: seeds are stored with results. Not for secrets. One owner per rng.
 */
struct rng {
	uint64_t state[4]; /* never all zero after rng_init */
};

/* Every seed is good, 0 included. */
void rng_init(struct rng *rng, uint64_t seed);

/* A generator for a part of the work (worker nr of a job): depends on rng's current state and nr
 * only, and leaves rng unchanged, so parts can be created in any order. */
struct rng rng_split(const struct rng *rng, uint64_t nr);

/* The finaliser of splitmix64: a bijective mix of 64 bits. Also good for hashing seeds. */
uint64_t rng_mix64(uint64_t value);

static inline uint64_t rng_rotl(uint64_t value, int bits)
{
	return (value << bits) | (value >> (64 - bits));
}

static inline uint64_t rng_next(struct rng *rng)
{
	uint64_t *s = rng->state;
	uint64_t result = rng_rotl(s[0] + s[3], 23) + s[0];
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rng_rotl(s[3], 45);
	return result;
}

/* Uniform in 0..limit-1 without bias; limit > 0. Lemire 2019, "Fast random integer generation in
 * an interval", ACM TOMACS 29(1), algorithm 5: one multiplication, a division only rarely. */
static inline uint64_t rng_below(struct rng *rng, uint64_t limit)
{
#ifdef __SIZEOF_INT128__
	unsigned __int128 product = (unsigned __int128)rng_next(rng) * limit;

	if ((uint64_t)product < limit) {
		uint64_t threshold = -limit % limit; /* 2^64 mod limit */

		while ((uint64_t)product < threshold)
			product = (unsigned __int128)rng_next(rng) * limit;
	}
	return (uint64_t)(product >> 64);
#else
	uint64_t threshold = -limit % limit;
	uint64_t value;

	do {
		value = rng_next(rng);
	} while (value < threshold);
	return value % limit;
#endif
}

/* Uniform in [0, 1): the top 53 bits, so all values are multiples of 2^-53. */
static inline double rng_double(struct rng *rng)
{
	return (double)(rng_next(rng) >> 11) * 0x1.0p-53;
}

#endif
