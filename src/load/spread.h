/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_SPREAD_H
#define REGIO_LOAD_SPREAD_H

/*
 * random_distribution: draws block numbers of a range that are not equally likely. One spread
 * serves one file and direction; which blocks are the likely ones does not change while it lives.
 */

#include <stdint.h>

#include "load/permutation.h"
#include "model/job.h"

struct rng;

struct spread {
	const struct distribution *distribution;
	const struct access_zones *zones;
	uint64_t nr; /* blocks of the range */
	uint64_t unit_bytes;
	uint64_t shift;		   /* rank 0 is this block, where a centre is given */
	struct permutation places; /* of the ranks, where none is */
	double zipf_low, zipf_high, zipf_margin;
	double power;  /* pareto */
	double stddev; /* normal, in blocks */
};

/* places: draws which blocks are likely. The distribution is borrowed. */
void spread_init(struct spread *spread, const struct distribution *distribution, enum io_dir dir,
		 uint64_t nr, uint64_t unit_bytes, struct rng *places);

/* A block number below nr, which must not be 0. */
uint64_t spread_draw(const struct spread *spread, struct rng *rng);

#endif
