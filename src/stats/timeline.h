/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_TIMELINE_H
#define REGIO_STATS_TIMELINE_H

/*
 * A count that grows over a run, kept at points about equally far apart in time: few enough to be
 * stored with every result, whatever the length of the run. When the points are used up every
 * second one is dropped and the distance doubles. Zero is the valid empty value.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TIMELINE_MAX_POINTS 128
#define TIMELINE_MIN_STEP_US UINT64_C(100000)

struct timeline {
	uint64_t step_us; /* 0 = TIMELINE_MIN_STEP_US */
	size_t nr;
	uint64_t elapsed_us[TIMELINE_MAX_POINTS]; /* rising */
	uint64_t count[TIMELINE_MAX_POINTS];	  /* never falling */
};

/* Whether a point is due. */
bool timeline_is_due(const struct timeline *timeline, uint64_t elapsed_us);
/* elapsed_us is above the one of the last point, count not below it. */
void timeline_add(struct timeline *timeline, uint64_t elapsed_us, uint64_t count);

/* Growth per second from point to point; returns how many: one less than there are points. */
size_t timeline_rates(const struct timeline *timeline, double ret_rates[TIMELINE_MAX_POINTS]);

#endif
