/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot: copies of what workers have counted, made by themselves while they run. */
#include "load/snapshot.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "load/collect.h"
#include "load/phase.h"
#include "load/worker_hot.h"
#include "model/result.h"

#define NR_LATENCIES (IO_NR_DATA_DIRS * LATENCY_NR_KINDS + 1)
#define ANSWER_NS UINT64_C(300000000) /* a worker that sleeps looks up every 100 ms */

struct snapshot {
	struct worker *copy; /* owned; all of the worker but its shared parts */
	struct worker *bare; /* owned; only what anybody may read */
	struct hist hists[NR_LATENCIES];
	atomic_bool is_done;
};

static struct latency *latency_at(struct worker *worker, size_t i)
{
	if (i == NR_LATENCIES - 1)
		return &worker->sync;
	return &worker->dir[i / LATENCY_NR_KINDS].latency[i % LATENCY_NR_KINDS];
}

/* The copy has histograms of its own, in the snapshot. */
static void copy_counts(struct worker *worker, struct snapshot *snapshot)
{
	struct worker *copy = snapshot->copy;

	memcpy(copy, worker, offsetof(struct worker, shared));
	for (size_t i = 0; i < NR_LATENCIES; i++) {
		const struct latency *from = latency_at(worker, i);

		if (!from->hist)
			continue;
		snapshot->hists[i] = *from->hist;
		latency_at(copy, i)->hist = &snapshot->hists[i];
	}
}

/* Nothing of the ramp counts. */
static void forget_counts(struct worker *copy)
{
	for (size_t i = 0; i < NR_LATENCIES; i++)
		latency_at(copy, i)->moments = (struct moments){ .n = 0 };
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		copy->dir[dir].total_ios = 0;
		copy->dir[dir].io_bytes = 0;
		copy->dir[dir].short_ios = 0;
	}
	copy->sync_ios = 0;
}

static void copy_times(const struct worker *worker, struct worker *copy, uint64_t end_ticks)
{
	uint64_t epoch_ticks =
		atomic_load_explicit(&worker->shared.epoch_ticks, memory_order_relaxed);

	atomic_store_explicit(&copy->shared.epoch_ticks, epoch_ticks, memory_order_relaxed);
	atomic_store_explicit(&copy->shared.end_ticks, end_ticks, memory_order_relaxed);
}

void snapshot_take(struct worker *worker)
{
	struct snapshot *snapshot = worker->snapshot;
	struct worker_usage begin = worker->usage;

	worker_count_up(worker);
	copy_counts(worker, snapshot);
	copy_times(worker, snapshot->copy, worker_stamp(worker));
	if (worker->is_in_ramp)
		forget_counts(snapshot->copy);
	worker->usage = begin;
	worker->needs_stamp = true;
	atomic_store_explicit(&snapshot->is_done, true, memory_order_release);
}

bool worker_attend(struct worker *worker)
{
	/* first of all: what is set from here on is seen by the next call */
	(void)atomic_exchange_explicit(&worker->control.attention, false, memory_order_acq_rel);
	if (atomic_exchange_explicit(&worker->control.wants_snapshot, false, memory_order_acquire))
		snapshot_take(worker);
	if (!atomic_load_explicit(&worker->control.stop, memory_order_relaxed))
		return true;
	atomic_store_explicit(&worker->control.attention, true, memory_order_relaxed);
	return false;
}

static struct worker *worker_alloc(void)
{
	size_t bytes = (sizeof(struct worker) + WORKER_CACHE_LINE - 1) / WORKER_CACHE_LINE *
		       WORKER_CACHE_LINE;

	return aligned_alloc(WORKER_CACHE_LINE, bytes);
}

static struct snapshot *snapshot_create(void)
{
	struct snapshot *snapshot = xcalloc(1, sizeof(*snapshot));

	snapshot->copy = worker_alloc();
	snapshot->bare = worker_alloc();
	if (snapshot->copy && snapshot->bare)
		return snapshot;
	snapshot_free(snapshot);
	return NULL;
}

void snapshot_free(struct snapshot *snapshot)
{
	if (!snapshot)
		return;
	free(snapshot->copy);
	free(snapshot->bare);
	free(snapshot);
}

static bool has_left(const struct worker *worker)
{
	return atomic_load_explicit(&worker->shared.has_left, memory_order_acquire);
}

/* A worker that has left is copied at once. One that was asked before and did not answer yet may
 * still do so: it is not asked again until then. */
static void ask(struct phase_clone *clone)
{
	struct worker *worker = clone->worker;

	if (!clone->snapshot)
		clone->snapshot = snapshot_create();
	if (!clone->snapshot || has_left(worker) ||
	    atomic_load_explicit(&worker->control.wants_snapshot, memory_order_relaxed))
		return;
	atomic_store_explicit(&clone->snapshot->is_done, false, memory_order_relaxed);
	worker->snapshot = clone->snapshot;
	atomic_store_explicit(&worker->control.wants_snapshot, true, memory_order_release);
	atomic_store_explicit(&worker->control.attention, true, memory_order_release);
}

static bool has_answered(const struct phase_clone *clone)
{
	return has_left(clone->worker) ||
	       (clone->snapshot &&
		atomic_load_explicit(&clone->snapshot->is_done, memory_order_acquire));
}

static void wait_for_answers(const struct phase_clone *clones, size_t nr)
{
	static const struct timespec pause = { .tv_nsec = 200000 };
	uint64_t until_ns = clock_now_ns() + ANSWER_NS;

	for (size_t i = 0; i < nr; i++) {
		while (clones[i].worker && !has_answered(&clones[i]) && clock_now_ns() < until_ns)
			(void)nanosleep(&pause, NULL);
	}
}

/* Only what anybody may read. */
static void copy_shared(const struct worker *worker, struct worker *copy)
{
	struct sample_counts counts;

	*copy = (struct worker){
		.engine = worker->engine,
		.clock = worker->clock,
		.config = worker->config,
		.job = worker->job,
		.iodepth = worker->iodepth,
	};
	worker_read(worker, &counts);
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		copy->dir[dir].total_ios = counts.ios[dir];
		copy->dir[dir].io_bytes = counts.bytes[dir];
	}
	copy_times(worker, copy, clock_ticks(&worker->clock));
}

/* The collector takes histograms away: they are made anew for it. */
static void give_hists(struct worker *copy)
{
	for (size_t i = 0; i < NR_LATENCIES; i++) {
		struct latency *latency = latency_at(copy, i);
		const struct hist *hist = latency->hist;

		latency->hist = NULL;
		if (hist && latency->moments.n)
			*latency_need_hist(latency) = *hist;
	}
}

static struct worker *copy_worker(struct phase_clone *clone)
{
	struct worker *worker = clone->worker;
	struct snapshot *snapshot = clone->snapshot;

	if (!snapshot)
		return NULL;
	if (has_left(worker)) {
		copy_counts(worker, snapshot);
		copy_times(worker, snapshot->copy,
			   atomic_load_explicit(&worker->shared.end_ticks, memory_order_relaxed));
	} else if (!has_answered(clone)) {
		copy_shared(worker, snapshot->bare);
		return snapshot->bare;
	}
	give_hists(snapshot->copy);
	return snapshot->copy;
}

void snapshot_collect(struct phase_clone *clones, size_t nr, struct result *result)
{
	struct phase_clone *copies = xcalloc(nr + 1, sizeof(*copies));

	for (size_t i = 0; i < nr; i++) {
		if (clones[i].worker)
			ask(&clones[i]);
	}
	wait_for_answers(clones, nr);
	for (size_t i = 0; i < nr; i++) {
		if (!clones[i].worker)
			continue;
		copies[i] = clones[i];
		copies[i].worker = copy_worker(&clones[i]);
	}
	collect_results(copies, nr, result);
	free(copies);
}
