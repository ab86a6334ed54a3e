/* SPDX-License-Identifier: GPL-2.0-or-later */
/* depth_search: windows of I/Os, and what the next depth is after a good or a bad one. */
#include "load/depth_search.h"

#include "base/clock.h"
#include "model/job.h"

/* After so many good windows at the depth that was found, the search begins anew above it. */
#define CALM_WINDOWS 10
#define PERCENT_MAX 100.0

void depth_search_init(struct depth_search *search, const struct job *job, unsigned max_depth,
		       const struct clock *clock)
{
	*search = (struct depth_search){
		.target_ns = job->latency_target_ns,
		.window_ticks = clock_ns_to_ticks(clock, job->latency_window_ns),
		.percentile = job->latency_percentile,
		.is_endless = job->latency_run,
		.max_depth = max_depth,
		.depth = 1,
		.bad = max_depth + 1,
	};
}

void depth_search_begin(struct depth_search *search, uint64_t now_ticks)
{
	search->begin_ticks = now_ticks;
	search->nr_ios = 0;
	search->nr_late = 0;
}

static enum depth_step try_depth(struct depth_search *search, unsigned depth)
{
	search->is_last = false;
	search->nr_calm = 0;
	if (depth == search->depth)
		return DEPTH_KEPT;
	search->depth = depth;
	return DEPTH_CHANGED;
}

static enum depth_step after_bad(struct depth_search *search)
{
	if (search->depth == 1)
		return try_depth(search, 1);
	search->bad = search->depth;
	if (search->good >= search->bad)
		search->good = 0; /* it was once */
	return try_depth(search, search->good + 1 < search->bad ? (search->good + search->bad) / 2
								: search->good);
}

/* No larger depth is left to try. */
static enum depth_step settle(struct depth_search *search)
{
	if (search->is_last)
		return DEPTH_DONE;
	if (!search->is_endless) {
		search->is_last = true;
		return DEPTH_FOUND;
	}
	if (++search->nr_calm >= CALM_WINDOWS) {
		search->nr_calm = 0;
		search->bad = search->max_depth + 1;
	}
	return DEPTH_KEPT;
}

static enum depth_step after_good(struct depth_search *search)
{
	search->good = search->depth;
	if (search->depth == search->max_depth || search->depth + 1 >= search->bad)
		return settle(search);
	if (search->bad <= search->max_depth)
		return try_depth(search, (search->good + search->bad) / 2);
	return try_depth(search, search->depth > search->max_depth / 2 ? search->max_depth
								       : search->depth * 2);
}

static bool is_good(const struct depth_search *search)
{
	uint64_t nr_in_time = search->nr_ios - search->nr_late;

	return (double)nr_in_time * PERCENT_MAX >= search->percentile * (double)search->nr_ios;
}

enum depth_step depth_search_add(struct depth_search *search, uint64_t start_ticks,
				 uint64_t now_ticks, uint64_t lat_ns)
{
	bool is_late = lat_ns > search->target_ns;
	enum depth_step step;

	if (start_ticks < search->begin_ticks)
		return DEPTH_KEPT;
	search->nr_ios++;
	search->nr_late += is_late;
	if (is_late && search->percentile >= PERCENT_MAX) {
		if (search->depth == 1)
			return DEPTH_FAILED;
		step = after_bad(search); /* the rest of the window cannot make it good */
	} else {
		if (now_ticks - search->begin_ticks < search->window_ticks)
			return DEPTH_KEPT;
		step = is_good(search) ? after_good(search) : after_bad(search);
	}
	depth_search_begin(search, now_ticks);
	return step;
}
