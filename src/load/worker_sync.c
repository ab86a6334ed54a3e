/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker_sync: the loop for engines that complete a request inside submit. */
#include "load/worker_hot.h"

/* fsync and fdatasync are measured apart and are no I/O. */
static void count_sync(struct worker *worker, const struct io_req *req, uint64_t now_ticks)
{
	latency_add(&worker->sync, worker_elapsed_ns(worker, req->start_ticks, now_ticks));
	worker->sync_ios++;
}

/* Issues what is left of a request until it is done; false if it failed. */
static bool finish_short(struct worker *worker, struct io_req *req)
{
	while (req->result != req->len_bytes && worker_go_on(worker, req)) {
		req->start_ticks = worker_stamp(worker);
		(void)worker->engine->submit(worker->engine_state, &req, 1); /* always takes it */
	}
	req->buf = worker->buffer;
	worker->eagain_since_ns = 0;
	return req->result == req->len_bytes;
}

/* The loop, built once without any question about what hardly any job wants. */
static ALWAYS_INLINE void run_sync(struct worker *worker, const bool is_observed)
{
	int (*submit)(void *, struct io_req *const *, size_t) = worker->engine->submit;
	void *state = worker->engine_state;
	struct io_req *req = worker->reqs;

	while (worker_may_go_on(worker) && worker_prepare(worker, req)) {
		uint64_t start_ticks, now_ticks, clat_ns;

		(void)submit(state, &req, 1); /* always takes it */
		if (UNLIKELY(req->result != req->len_bytes) && !finish_short(worker, req)) {
			if (!worker->is_passing_over)
				return;
			worker->needs_stamp = true;
			continue;
		}
		start_ticks = req->start_ticks;
		now_ticks = worker_stamp(worker);
		worker->now_ticks = now_ticks;
		if (UNLIKELY(req->dir == IO_SYNC)) {
			count_sync(worker, req, now_ticks);
			continue;
		}
		clat_ns = worker_elapsed_ns(worker, start_ticks, now_ticks);
		latency_add(&worker->dir[req->dir].latency[LATENCY_CLAT], clat_ns);
		worker_count(worker, req->dir, req->len_bytes);
		if (is_observed && !worker_observe(worker, req, 0, clat_ns))
			return;
	}
}

void worker_run_sync(struct worker *worker)
{
	if (worker->is_observed)
		run_sync(worker, true);
	else
		run_sync(worker, false);
}
