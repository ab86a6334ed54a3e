/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker_observe: what is done with a completed I/O for the few jobs that ask for more than
 * counts, each in a line of its own. The loops do not call it for the others. */
#include "load/worker_hot.h"

#include <errno.h>

#include "load/depth_search.h"
#include "load/log_ring.h"
#include "model/job.h"

/* max_latency: a slower I/O ends the job as failed. */
static bool is_in_time(struct worker *worker, const struct io_req *req, uint64_t lat_ns)
{
	if (worker->job->max_latency_ns == 0 || lat_ns <= worker->job->max_latency_ns)
		return true;
	worker_fail(worker, ETIMEDOUT, req, NULL);
	return false;
}

static void add_to_log(struct worker *worker, const struct io_req *req, uint64_t slat_ns,
		       uint64_t clat_ns)
{
	const struct log_entry entry = {
		.done_ticks = worker->now_ticks,
		.slat_ns = slat_ns,
		.clat_ns = clat_ns,
		.offset_bytes = req->offset_bytes,
		.len_bytes = req->len_bytes,
		.dir = req->dir,
	};

	worker->needs_stamp |= log_ring_add(worker->log, &entry);
}

/*
 * From the time the rate wanted the I/O to start. A device that stalls makes all the I/Os late that
 * should have been issued meanwhile, which times from the real start hide.
 */
static void add_intended(struct worker *worker, const struct io_req *req)
{
	uint64_t due_ticks = worker->due_ticks[req->slot];

	worker->due_ticks[req->slot] = 0; /* what comes without a rate has none: reads of verify */
	if (due_ticks)
		latency_add(&worker->dir[req->dir].latency[LATENCY_INTENDED],
			    worker_elapsed_ns(worker, due_ticks, worker->now_ticks));
}

/* Takes slots away from the loop, as far as they are idle, or gives them back. */
static void park_slots(struct worker *worker)
{
	size_t nr_wanted = worker->iodepth - worker->search->depth;

	while (worker->nr_parked < nr_wanted && worker->nr_free > 0)
		worker->parked[worker->nr_parked++] = worker->free[--worker->nr_free];
	while (worker->nr_parked > nr_wanted)
		worker->free[worker->nr_free++] = worker->parked[--worker->nr_parked];
}

void worker_begin_search(struct worker *worker)
{
	depth_search_begin(worker->search, worker->now_ticks);
	worker->found_depth = worker->search->depth;
	park_slots(worker);
}

/* latency_target: false at the end of the last window, and where it cannot be met. */
static bool search_depth(struct worker *worker, const struct io_req *req, uint64_t lat_ns)
{
	enum depth_step step;

	if (worker->is_in_ramp)
		return true;
	step = depth_search_add(worker->search, req->start_ticks, worker->now_ticks, lat_ns);
	worker->found_depth = worker->search->depth;
	if (step == DEPTH_FOUND)
		worker_measure_again(worker);
	if (step == DEPTH_FAILED)
		worker_fail(worker, ETIMEDOUT, req, NULL);
	park_slots(worker);
	return step != DEPTH_FAILED && step != DEPTH_DONE;
}

static bool settles_by_latency(const struct job *job)
{
	return job->steady_duration_ns && job->steady.metric == STEADY_LAT;
}

bool worker_wants_observing(const struct worker *worker)
{
	return worker->job->max_latency_ns > 0 || worker->log || worker->verify ||
	       worker->due_ticks || worker->search || settles_by_latency(worker->job);
}

bool worker_observe(struct worker *worker, struct io_req *req, uint64_t slat_ns, uint64_t clat_ns)
{
	bool is_verified;

	if (worker->log)
		add_to_log(worker, req, slat_ns, clat_ns);
	if (worker->due_ticks)
		add_intended(worker, req);
	if (settles_by_latency(worker->job))
		counter_add(&worker->shared.lat_sum_ns, slat_ns + clat_ns);
	is_verified = !worker->verify || worker_verify_completed(worker, req);
	if (worker->search && !search_depth(worker, req, slat_ns + clat_ns))
		return false;
	return is_in_time(worker, req, slat_ns + clat_ns) && is_verified;
}
