/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_SAMPLE_H
#define REGIO_LOAD_SAMPLE_H

/*
 * bw and iops samples of one worker: what it transferred in each window (bwavgtime, iopsavgtime),
 * divided by the real length of the window. As fio: whole KiB/s and I/O/s; a window without I/O in
 * a direction gives no sample of it; the rest at the end that is shorter than a window gives none.
 */

#include <stdbool.h>
#include <stdint.h>

#include "model/io.h"
#include "stats/running.h"

#define SAMPLE_WINDOW_NS UINT64_C(500000000)	/* where none is given */
#define SAMPLE_MIN_WINDOW_NS UINT64_C(10000000) /* shorter ones would cost the workers time */
/* Woken so little before its end, the sampler takes the window as complete. */
#define SAMPLE_SLACK_NS UINT64_C(1000000)

struct sample_counts {
	uint64_t ios[IO_NR_DATA_DIRS];
	uint64_t bytes[IO_NR_DATA_DIRS];
};

struct sampler {
	bool has_begun;
	uint64_t window_ns;
	uint64_t begin_ns; /* of the current window */
	uint64_t due_ns;   /* its end: a grid from the epoch, so that late wake-ups do not add up */
	struct sample_counts begin;
	struct running bw_kib_per_sec[IO_NR_DATA_DIRS];
	struct running iops[IO_NR_DATA_DIRS];
};

/* The first window begins at now_ns, on any clock, with these counts. */
void sampler_begin(struct sampler *sampler, uint64_t window_ns, uint64_t now_ns,
		   const struct sample_counts *counts);
/* Closes the window if it is complete. */
void sampler_take(struct sampler *sampler, uint64_t now_ns, const struct sample_counts *counts);

#endif
