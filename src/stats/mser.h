/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_MSER_H
#define REGIO_STATS_MSER_H

#include <stdbool.h>
#include <stddef.h>

/* Start-up samples of one run to leave out. */
struct mser {
	size_t nr_drop;
	bool is_steady;	   /* false: the run never settled, do not use it for a verdict */
	double mean_after; /* of the samples kept; NAN if there are none */
};

/*
 * MSER-5 (White, Cobb & Spratt 2000) over samples at equal distances in time. With fewer than
 * two batches of five nothing is dropped.
 */
struct mser mser5(const double *samples, size_t nr);

#endif
