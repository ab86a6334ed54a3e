/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker_observe: what is done with a completed I/O for the few jobs that ask for more than
 * counts, each in a line of its own. The loops do not call it for the others. */
#include "load/worker_hot.h"

#include <errno.h>

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

bool worker_wants_observing(const struct worker *worker)
{
	return worker->job->max_latency_ns > 0 || worker->log || worker->verify ||
	       worker->due_ticks;
}

bool worker_observe(struct worker *worker, struct io_req *req, uint64_t slat_ns, uint64_t clat_ns)
{
	bool is_verified;

	if (worker->log)
		add_to_log(worker, req, slat_ns, clat_ns);
	if (worker->due_ticks)
		add_intended(worker, req);
	is_verified = !worker->verify || worker_verify_completed(worker, req);
	return is_in_time(worker, req, slat_ns + clat_ns) && is_verified;
}
