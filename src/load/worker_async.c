/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker_async: the loop for engines that submit and reap, with many requests in flight. */
#include "load/worker_hot.h"

#include <errno.h>
#include <string.h>

/* Number of I/Os in flight to its place in fio's map: 1, 2, 4, .. 32, >=64. */
static ALWAYS_INLINE unsigned depth_index(size_t depth)
{
	unsigned index = 63U - (unsigned)__builtin_clzll(depth | 1);

	return index < RESULT_NR_DEPTHS ? index : RESULT_NR_DEPTHS - 1;
}

/* Number of I/Os per call to its place in fio's map: 0, 1-4, 5-8, .. 33-64, >64. */
static ALWAYS_INLINE unsigned call_index(size_t nr)
{
	unsigned index;

	if (nr <= 4)
		return nr > 0;
	index = 63U - (unsigned)__builtin_clzll(nr - 1);
	return index < RESULT_NR_DEPTHS ? index : RESULT_NR_DEPTHS - 1;
}

static ALWAYS_INLINE void complete(struct worker *worker, struct io_req *req)
{
	uint64_t slat_ns = worker_elapsed_ns(worker, req->start_ticks, req->issue_ticks);
	uint64_t clat_ns = worker_elapsed_ns(worker, req->issue_ticks, worker->now_ticks);

	worker->free[worker->nr_free++] = req;
	if (UNLIKELY(req->dir == IO_SYNC)) {
		latency_add(&worker->sync, clat_ns);
		worker->sync_ios++;
		return;
	}
	latency_add(&worker->dir[req->dir].latency[LATENCY_SLAT], slat_ns);
	latency_add(&worker->dir[req->dir].latency[LATENCY_CLAT], clat_ns);
	latency_add(&worker->dir[req->dir].latency[LATENCY_LAT], slat_ns + clat_ns);
	worker_count(worker, req->dir, req->len_bytes);
	if (UNLIKELY(worker->is_observed) && !worker_observe(worker, req, slat_ns, clat_ns))
		worker->has_ended = true;
}

/* A request whose result is not its length. False if it failed. */
static bool complete_short(struct worker *worker, struct io_req *req)
{
	if (worker_go_on(worker, req)) {
		req->start_ticks = worker->now_ticks;
		worker->queued[worker->nr_queued++] = req;
		return true;
	}
	if (req->result == req->len_bytes) {
		complete(worker, req);
		return true;
	}
	worker->free[worker->nr_free++] = req;
	return worker->is_passing_over;
}

/* One reap call. False after a failure, of a request or of the engine. */
static ALWAYS_INLINE bool reap(struct worker *worker, size_t min, size_t max)
{
	bool is_good = true;
	int nr = worker->engine->reap(worker->engine_state, worker->done, min, max);

	worker->now_ticks = worker_stamp(worker);
	if (UNLIKELY(nr < 0)) {
		if (nr == -EINTR)
			return true;
		worker_fail(worker, -nr, NULL, "reap completed requests");
		return false;
	}
	worker->nr_in_flight -= (size_t)nr;
	worker->per_complete[call_index((size_t)nr)]++;
	for (int i = 0; i < nr; i++) {
		struct io_req *req = worker->done[i];

		if (LIKELY(req->result == req->len_bytes))
			complete(worker, req);
		else
			is_good &= complete_short(worker, req);
	}
	return is_good;
}

/*
 * Nothing was taken. EAGAIN: the kernel has no room, which completions make; when there are none
 * to come, try again for a while. False when the engine cannot go on.
 */
static bool submit_refused(struct worker *worker, int error)
{
	if (error == EINTR)
		return true;
	if (error == EAGAIN && worker->nr_in_flight > 0)
		return reap(worker, 1, worker->iodepth);
	if (error == EAGAIN && worker_pause(worker))
		return true;
	worker_fail(worker, error, worker->queued[0], NULL);
	return false;
}

/* One submit call with what is queued. False after a failure. */
static ALWAYS_INLINE bool submit(struct worker *worker)
{
	size_t depth = worker->nr_in_flight + worker->nr_queued;
	int nr = worker->engine->submit(worker->engine_state, worker->queued, worker->nr_queued);
	uint64_t issue_ticks = worker_stamp(worker);

	if (UNLIKELY(nr < 0))
		return submit_refused(worker, -nr);
	worker->eagain_since_ns = 0;
	worker->now_ticks = issue_ticks;
	for (int i = 0; i < nr; i++)
		worker->queued[i]->issue_ticks = issue_ticks;
	worker->depth_at_submit[depth_index(depth)] += (uint64_t)nr;
	worker->per_submit[call_index((size_t)nr)]++;
	worker->nr_in_flight += (size_t)nr;
	worker->nr_queued -= (size_t)nr;
	if (UNLIKELY(worker->nr_queued > 0))
		memmove(worker->queued, worker->queued + nr,
			worker->nr_queued * sizeof(struct io_req *));
	return true;
}

/* Prepares requests until a batch is queued or no slot is free. */
static ALWAYS_INLINE void fill_queue(struct worker *worker)
{
	while (worker->nr_queued < worker->batch && worker->nr_free > 0) {
		struct io_req *req = worker->free[--worker->nr_free];

		req->buf = (char *)worker->buffer + req->slot * worker->slot_bytes;
		if (LIKELY(worker_prepare(worker, req))) {
			worker->queued[worker->nr_queued++] = req;
			continue;
		}
		worker->free[worker->nr_free++] = req;
		worker->has_ended = true;
		return;
	}
}

/* Everything is in use: waits for completions, down to iodepth_low. */
static ALWAYS_INLINE bool reap_when_full(struct worker *worker)
{
	size_t min = worker->complete_min ? worker->complete_min : 1;

	do {
		size_t wanted = min < worker->nr_in_flight ? min : worker->nr_in_flight;

		if (!reap(worker, wanted, worker->complete_max))
			return false;
	} while (worker->nr_in_flight > worker->low);
	return true;
}

bool worker_drain(struct worker *worker)
{
	while (worker->nr_queued > 0 || worker->nr_in_flight > 0) {
		if (worker->nr_queued > 0 && !submit(worker))
			return false;
		if (worker->nr_in_flight > 0 && !reap(worker, 1, worker->iodepth))
			return false;
	}
	return true;
}

/* After a failure: what is in the kernel still has to come back, and is counted. */
static void reap_rest(struct worker *worker)
{
	while (worker->nr_in_flight > 0) {
		size_t before = worker->nr_in_flight;

		worker->nr_queued = 0;
		(void)reap(worker, 1, worker->iodepth);
		if (worker->nr_in_flight == before)
			return; /* the engine is broken; its close cancels the rest */
	}
	worker->nr_queued = 0;
}

void worker_run_async(struct worker *worker)
{
	while (!worker->has_ended && worker_may_go_on(worker)) {
		fill_queue(worker);
		if (LIKELY(worker->nr_queued > 0) && !submit(worker))
			break;
		if (UNLIKELY(worker->nr_in_flight == 0))
			continue;
		if (worker->nr_free == 0) {
			if (!reap_when_full(worker))
				break;
		} else if (worker->complete_min == 0 && !reap(worker, 0, worker->complete_max)) {
			break;
		}
	}
	if (worker->failure.error == 0)
		(void)worker_drain(worker);
	reap_rest(worker);
}
