/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_PERMUTATION_H
#define REGIO_LOAD_PERMUTATION_H

#include <stdint.h>

struct rng;

/*
 * All numbers 0..nr-1, each once, in an order chosen by a key: random offsets without repeats that
 * need no map of what was visited and no search for what is left.
 *
 * Let k be the smallest number of bits with 2^k >= nr. A round
 *
 *	x = (x * m + a) mod 2^k,  m odd;    x = x ^ (x >> k/2)
 *
 * is invertible on the k-bit numbers: an odd m has an inverse mod 2^k, and the shift leaves the
 * upper bits, from which the lower ones can be restored. Several rounds with their own m and a are
 * a bijection of the k-bit numbers; the multiplication carries low bits upwards, the shift brings
 * high bits down. Counting x through all k-bit numbers and dropping the images >= nr leaves every
 * number below nr exactly once. As nr > 2^(k-1), fewer than half are dropped.
 *
 * Not a uniformly drawn permutation (a key has a few hundred bits), but successive numbers pass
 * tests of runs, serial correlation and pairs; few bits need more rounds for that.
 */
#define PERMUTATION_ROUNDS 4
#define PERMUTATION_ROUNDS_SMALL 6
#define PERMUTATION_SMALL_BITS 10 /* up to here PERMUTATION_ROUNDS_SMALL */

struct permutation_round {
	uint64_t factor; /* odd */
	uint64_t addend;
};

struct permutation {
	uint64_t nr;
	uint64_t left;	/* numbers not yet given out */
	uint64_t mask;	/* 2^k - 1 */
	uint64_t index; /* next k-bit number */
	unsigned shift;
	unsigned nr_rounds;
	struct permutation_round rounds[PERMUTATION_ROUNDS_SMALL];
};

/* Starts a pass with a new key. nr up to 2^63; 0 gives an exhausted permutation. */
void permutation_start(struct permutation *permutation, uint64_t nr, struct rng *rng);

static inline uint64_t permutation_round(const struct permutation *permutation, unsigned round,
					 uint64_t value)
{
	value = value * permutation->rounds[round].factor + permutation->rounds[round].addend;
	value &= permutation->mask;
	return value ^ (value >> permutation->shift);
}

/* Image of a k-bit number. */
static inline uint64_t permutation_image(const struct permutation *permutation, uint64_t value)
{
	value = permutation_round(permutation, 0, value);
	value = permutation_round(permutation, 1, value);
	value = permutation_round(permutation, 2, value);
	value = permutation_round(permutation, 3, value);
	for (unsigned round = PERMUTATION_ROUNDS; round < permutation->nr_rounds; round++)
		value = permutation_round(permutation, round, value);
	return value;
}

/* The next number of the pass; left must not be 0. */
static inline uint64_t permutation_next(struct permutation *permutation)
{
	uint64_t value;

	do {
		value = permutation_image(permutation, permutation->index++);
	} while (value >= permutation->nr);
	permutation->left--;
	return value;
}

/* The place of one number below nr; nothing is given out. */
static inline uint64_t permutation_place(const struct permutation *permutation, uint64_t value)
{
	do {
		value = permutation_image(permutation, value);
	} while (value >= permutation->nr);
	return value;
}

#endif
