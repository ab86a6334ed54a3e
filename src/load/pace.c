/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pace: the schedule of rate-limited directions. Waiting for it is the worker's. */
#include "load/pace.h"

#include <math.h>

#include "base/clock.h"
#include "model/job.h"

void pace_init(struct pace *pace, const struct job *job, const struct clock *clock, uint64_t seed)
{
	*pace = (struct pace){
		.ticks_per_sec = clock->ticks_per_sec,
		.is_poisson = job->rate_process == RATE_POISSON,
	};
	rng_init(&pace->rng, seed);
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		struct pace_dir *limit = &pace->dir[dir];

		limit->is_bytes = job->rate_bytes_per_sec[dir] > 0;
		limit->per_sec =
			limit->is_bytes ? job->rate_bytes_per_sec[dir] : job->rate_iops[dir];
		pace->is_limited |= limit->per_sec > 0;
	}
}

void pace_start(struct pace *pace, uint64_t epoch_ticks)
{
	pace->epoch_ticks = epoch_ticks;
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++)
		pace->dir[dir].issued = pace->dir[dir].due_ticks = 0;
}

uint64_t pace_due_ticks(const struct pace *pace, enum io_dir dir)
{
	const struct pace_dir *limit = &pace->dir[dir];
	uint64_t whole_s, rest;

	if (limit->per_sec == 0)
		return pace->epoch_ticks;
	if (pace->is_poisson)
		return pace->epoch_ticks + limit->due_ticks;
	/* rest / per_sec < 1 s; the product is below rate * 2^34 and needs more than 64 bits */
	whole_s = limit->issued / limit->per_sec;
	rest = limit->issued % limit->per_sec;
	return pace->epoch_ticks + whole_s * pace->ticks_per_sec +
	       (uint64_t)((unsigned __int128)rest * pace->ticks_per_sec / limit->per_sec);
}

void pace_issued(struct pace *pace, enum io_dir dir, uint64_t len_bytes)
{
	struct pace_dir *limit = &pace->dir[dir];
	uint64_t amount = limit->is_bytes ? len_bytes : 1;

	limit->issued += amount;
	if (pace->is_poisson && limit->per_sec)
		limit->due_ticks +=
			(uint64_t)(-log(1 - rng_double(&pace->rng)) * (double)amount /
				   (double)limit->per_sec * (double)pace->ticks_per_sec);
}

enum io_dir pace_choose(const struct pace *pace, enum io_dir dir, enum io_dir other,
			uint64_t now_ticks, uint64_t *ret_due_ticks)
{
	uint64_t due_ticks = pace_due_ticks(pace, dir);

	*ret_due_ticks = due_ticks;
	if (due_ticks <= now_ticks || other == dir)
		return dir;
	due_ticks = pace_due_ticks(pace, other);
	if (due_ticks >= *ret_due_ticks)
		return dir;
	*ret_due_ticks = due_ticks;
	return other;
}
