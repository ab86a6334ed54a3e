/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_PACE_H
#define REGIO_LOAD_PACE_H

/*
 * rate and rate_iops: when the next I/O of a direction may start. The schedule of a direction is
 * absolute from the epoch of the job, and whatever was late is caught up: I/O number n starts no
 * earlier than n / rate_iops after the epoch, or than the time the bytes before it take at rate.
 *
 * rate_process=poisson: the gap after an I/O is exponential, with the mean that the I/O takes at
 * the rate: 1 / rate_iops, or its own length / rate. So the rate is met whatever the block sizes.
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "model/io.h"

struct clock;
struct job;

struct pace_dir {
	uint64_t per_sec; /* bytes or I/Os; 0 = not limited */
	uint64_t issued;  /* likewise, since the epoch */
	bool is_bytes;
	uint64_t due_ticks; /* poisson: of the next one, after the epoch */
};

struct pace {
	uint64_t ticks_per_sec;
	uint64_t epoch_ticks;
	bool is_limited; /* in any direction */
	bool is_poisson;
	struct rng rng; /* poisson: the gaps */
	struct pace_dir dir[IO_NR_DATA_DIRS];
};

void pace_init(struct pace *pace, const struct job *job, const struct clock *clock, uint64_t seed);

/* The schedule starts here, with nothing issued. */
void pace_start(struct pace *pace, uint64_t epoch_ticks);

/* Earliest start of the next I/O of dir; the epoch where it is not limited. */
uint64_t pace_due_ticks(const struct pace *pace, enum io_dir dir);

/*
 * Which direction goes next when `dir` was drawn and `other` may go instead (or equals it): dir if
 * it is due, else other if that is due, else the one due first. *ret_due_ticks is its time.
 */
enum io_dir pace_choose(const struct pace *pace, enum io_dir dir, enum io_dir other,
			uint64_t now_ticks, uint64_t *ret_due_ticks);

/* An I/O of that length was issued. */
void pace_issued(struct pace *pace, enum io_dir dir, uint64_t len_bytes);

/* Time that nothing is to be caught up for. */
static inline void pace_skip(struct pace *pace, uint64_t ticks)
{
	pace->epoch_ticks += ticks;
}

#endif
