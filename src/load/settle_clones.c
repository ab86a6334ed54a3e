/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settle_clones: adds up what clones that settle together have done, and ends them. */
#include "load/settle_clones.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "load/phase.h"
#include "load/settle.h"
#include "load/worker.h"
#include "model/job.h"

/* The first of those that settle together stands for them. */
static bool is_together(const struct settle_view *view, size_t first, size_t other)
{
	const struct worker *a = view->clones[first].worker;
	const struct worker *b = view->clones[other].worker;

	if (!b || b->job->phase != view->phase)
		return false;
	return first == other || settle_is_shared(a->job, b->job);
}

static bool is_first(const struct settle_view *view, size_t index)
{
	for (size_t i = 0; i < index; i++) {
		if (is_together(view, index, i))
			return false;
	}
	return true;
}

bool settle_clones_begin(const struct settle_view *view)
{
	bool is_any = false;

	for (size_t i = 0; i < view->nr; i++) {
		const struct worker *worker = view->clones[i].worker;

		if (!worker || worker->job->phase != view->phase ||
		    !settle_is_wanted(worker->job) || !is_first(view, i))
			continue;
		view->clones[i].settle = settle_create(worker->job);
		is_any = true;
	}
	return is_any;
}

static void add_counts(const struct worker *worker, struct settle_counts *sum)
{
	struct sample_counts counts;

	worker_read(worker, &counts);
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		sum->done.ios[dir] += counts.ios[dir];
		sum->done.bytes[dir] += counts.bytes[dir];
	}
	sum->lat_sum_ns += atomic_load_explicit(&worker->shared.lat_sum_ns, memory_order_relaxed);
}

/* When the last of them began to be measured, in ns; false if one has not, or all have ended. */
static bool find_epoch(const struct settle_view *view, size_t first, uint64_t *ret_epoch_ns)
{
	uint64_t latest_ticks = 0;
	bool is_running = false;

	for (size_t i = first; i < view->nr; i++) {
		const struct worker *worker = view->clones[i].worker;
		uint64_t ticks;

		if (!is_together(view, first, i))
			continue;
		ticks = atomic_load_explicit(&worker->shared.epoch_ticks, memory_order_acquire);
		if (ticks == 0)
			return false;
		if (ticks > latest_ticks)
			latest_ticks = ticks;
		is_running |=
			!atomic_load_explicit(&worker->shared.end_ticks, memory_order_acquire);
	}
	*ret_epoch_ns = latest_ticks > view->base_ticks
				? clock_ticks_to_ns(&view->clones[first].worker->clock,
						    latest_ticks - view->base_ticks)
				: 0;
	return is_running;
}

static void end_all(const struct settle_view *view, size_t first)
{
	for (size_t i = first; i < view->nr; i++) {
		if (is_together(view, first, i))
			worker_stop(view->clones[i].worker);
	}
}

uint64_t settle_clones_look(const struct settle_view *view, uint64_t now_ns)
{
	uint64_t due_ns = UINT64_MAX;

	for (size_t first = 0; first < view->nr; first++) {
		struct settle *settle = view->clones[first].settle;
		struct settle_counts counts = { .lat_sum_ns = 0 };
		uint64_t epoch_ns;

		if (!settle || view->clones[first].worker->job->phase != view->phase ||
		    !find_epoch(view, first, &epoch_ns))
			continue;
		for (size_t i = first; i < view->nr; i++) {
			if (is_together(view, first, i))
				add_counts(view->clones[i].worker, &counts);
		}
		if (settle_look(settle, epoch_ns, now_ns, &counts))
			end_all(view, first);
		if (settle->due_ns && settle->due_ns < due_ns)
			due_ns = settle->due_ns;
	}
	return due_ns;
}
