/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_SEED_H
#define REGIO_LOAD_SEED_H

/*
 * Seeds of the generators of a clone. They depend on the randseed of the job and the number of
 * the clone in the set; without randrepeat on the seed of the run as well, which is stored with
 * the result. So everything random can be repeated.
 */

#include <stdint.h>

#include "base/rng.h"
#include "load/plan.h"
#include "model/job.h"

enum seed_use {
	SEED_OFFSETS,
	SEED_DATA,   /* first content of the buffers */
	SEED_REFILL, /* refill_buffers */
	SEED_DELAY,  /* startdelay */
	SEED_FILE_SIZES,
	SEED_PACE,   /* rate_process=poisson */
	SEED_VERIFY, /* content of blocks that are verified */
};

static inline uint64_t seed_of_clone(const struct clone_plan *plan, uint64_t run_seed,
				     enum seed_use use)
{
	const struct job *job = plan->job;
	uint64_t seed = rng_mix64(job->randseed + (job->randrepeat ? 0 : rng_mix64(run_seed + 1)));

	return rng_mix64(rng_mix64(seed + plan->thread_number + 1) + (uint64_t)use);
}

#endif
