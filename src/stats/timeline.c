/* SPDX-License-Identifier: GPL-2.0-or-later */
/* timeline: how a count grew over a run, in a bounded number of points. */
#include "stats/timeline.h"

#define US_PER_SEC 1e6

static uint64_t step_us(const struct timeline *timeline)
{
	return timeline->step_us ? timeline->step_us : TIMELINE_MIN_STEP_US;
}

bool timeline_is_due(const struct timeline *timeline, uint64_t elapsed_us)
{
	return timeline->nr == 0 ||
	       elapsed_us >= timeline->elapsed_us[timeline->nr - 1] + step_us(timeline);
}

/* The first point stays: it is the start. */
static void drop_every_second(struct timeline *timeline)
{
	size_t kept = 0;

	for (size_t i = 0; i < timeline->nr; i += 2) {
		timeline->elapsed_us[kept] = timeline->elapsed_us[i];
		timeline->count[kept++] = timeline->count[i];
	}
	timeline->nr = kept;
	timeline->step_us = 2 * step_us(timeline);
}

void timeline_add(struct timeline *timeline, uint64_t elapsed_us, uint64_t count)
{
	if (timeline->nr == TIMELINE_MAX_POINTS)
		drop_every_second(timeline);
	timeline->elapsed_us[timeline->nr] = elapsed_us;
	timeline->count[timeline->nr++] = count;
}

size_t timeline_rates(const struct timeline *timeline, double ret_rates[TIMELINE_MAX_POINTS])
{
	for (size_t i = 1; i < timeline->nr; i++) {
		double grown = (double)(timeline->count[i] - timeline->count[i - 1]);
		double us = (double)(timeline->elapsed_us[i] - timeline->elapsed_us[i - 1]);

		ret_rates[i - 1] = grown * US_PER_SEC / us;
	}
	return timeline->nr ? timeline->nr - 1 : 0;
}
