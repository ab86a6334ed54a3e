/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_INTERVAL_H
#define REGIO_STATS_INTERVAL_H

#include <math.h>
#include <stdbool.h>

/*
 * A confidence interval. Where too few values exist for the wanted level, the only interval
 * that has it is the whole line: lo = -INFINITY, hi = INFINITY.
 */
struct interval {
	double lo;
	double hi;
};

#define INTERVAL_UNBOUNDED ((struct interval){ .lo = -INFINITY, .hi = INFINITY })

static inline bool interval_is_bounded(struct interval interval)
{
	return isfinite(interval.lo) && isfinite(interval.hi);
}

/* Whether it lies strictly inside (-limit, limit). */
static inline bool interval_within(struct interval interval, double limit)
{
	return interval.lo > -limit && interval.hi < limit;
}

#endif
