/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker_event: what happens rarely between two I/Os: ramp, thinktime, fsync, rates, failures. */
#include "load/worker_hot.h"

#include <assert.h>
#include <errno.h>
#include <time.h>

#include "base/arena.h"
#include "load/flow.h"
#include "load/write_range.h"
#include "model/job.h"

/* A sleeping worker looks at `stop` so often. */
#define SLEEP_SLICE_NS UINT64_C(100000000)
/* Shorter waits are spun: falling asleep takes longer. */
#define SPIN_BELOW_NS UINT64_C(5000)
/* Pause of a job that is ahead of those it shares with, where it names none. */
#define FLOW_PAUSE_NS UINT64_C(10000)
/* The kernel has no room and nothing in flight will make any. */
#define EAGAIN_PAUSE_NS 100000
#define EAGAIN_LIMIT_NS UINT64_C(30000000000) /* as fio */

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t think_blocks(const struct job *job)
{
	return job->thinktime_blocks ? job->thinktime_blocks : 1;
}

bool worker_pass_deadline(struct worker *worker)
{
	if (!worker->is_in_ramp)
		return false;
	worker_begin_measuring(worker);
	return worker->now_ticks < worker->deadline_ticks;
}

bool worker_wait_until(struct worker *worker, uint64_t due_ticks)
{
	for (;;) {
		uint64_t until_ticks = min_u64(due_ticks, worker->deadline_ticks);
		uint64_t left_ns;

		worker->now_ticks = worker_stamp(worker);
		if (!worker_may_go_on(worker))
			return false;
		if (worker->now_ticks >= due_ticks)
			return true;
		if (worker->now_ticks >= until_ticks)
			continue; /* the ramp has ended */
		left_ns = clock_ticks_to_ns(&worker->clock, until_ticks - worker->now_ticks);
		if (left_ns > SPIN_BELOW_NS)
			(void)clock_sleep_until_ns(clock_now_ns() +
						   min_u64(left_ns, SLEEP_SLICE_NS));
	}
}

/* What thinktime_blocks counts: I/Os issued so far, or only those that have been completed. */
static uint64_t think_progress(const struct worker *worker)
{
	uint64_t nr_pending = worker->nr_in_flight + worker->nr_queued;

	if (worker->job->thinktime_blocks_type == THINK_ISSUED || nr_pending > worker->nr_issued)
		return worker->nr_issued;
	return worker->nr_issued - nr_pending;
}

/* Idle after every thinktime_blocks I/Os, with nothing in flight; part of it busy. */
static bool think(struct worker *worker)
{
	const struct job *job = worker->job;
	uint64_t counted = think_progress(worker); /* what is completed now counts for the next */
	uint64_t begin_ticks, spin_ticks;

	if (!worker_drain(worker))
		return false;
	begin_ticks = worker_stamp(worker);
	spin_ticks = clock_ns_to_ticks(&worker->clock,
				       min_u64(job->thinktime_spin_ns, job->thinktime_ns));
	while (worker->now_ticks = worker_stamp(worker),
	       worker->now_ticks - begin_ticks < spin_ticks) {
		if (!worker_may_go_on(worker))
			return false;
	}
	if (!worker_wait_until(worker,
			       begin_ticks + clock_ns_to_ticks(&worker->clock, job->thinktime_ns)))
		return false;
	worker->thought_ticks = worker->now_ticks;
	if (job->rate_ignore_thinktime)
		pace_skip(&worker->pace, worker->now_ticks - begin_ticks);
	worker->thought_at = counted;
	worker->idle_at = worker->nr_issued;
	return true;
}

/* By the number of I/Os, or with thinktime_iotime by the time since the last idle time. */
static bool must_think(struct worker *worker)
{
	const struct job *job = worker->job;

	if (job->thinktime_ns == 0)
		return false;
	if (job->thinktime_iotime_ns == 0)
		return think_progress(worker) >= worker->thought_at + think_blocks(job) &&
		       worker->nr_issued > worker->idle_at;
	if (worker->thought_ticks == 0)
		worker->thought_ticks = worker->now_ticks;
	return clock_ticks_to_ns(&worker->clock, worker_stamp(worker) - worker->thought_ticks) >=
	       job->thinktime_iotime_ns;
}

static void fill_sync(struct worker *worker, struct io_req *req, bool is_datasync)
{
	req->dir = IO_SYNC;
	req->datasync = is_datasync;
	req->range_flags = 0;
	req->file = worker->last_file_written;
	req->offset_bytes = 0;
	req->len_bytes = 0;
}

static bool take_range_sync(struct worker *worker, struct io_req *req)
{
	const struct sync_range *sync = &worker->job->sync_range;

	if (!sync->every || worker->nr_writes - worker->range_synced_at < sync->every)
		return false;
	worker->range_synced_at = worker->nr_writes;
	fill_sync(worker, req, false);
	write_range_take(&worker->written[req->file], sync->flags, req);
	return true;
}

/* The fsync, fdatasync or sync_file_range that is due after the writes so far. */
static bool take_sync(struct worker *worker, struct io_req *req)
{
	const struct job *job = worker->job;
	bool is_sync =
		job->fsync_every && worker->nr_writes - worker->synced_at >= job->fsync_every;
	bool is_datasync = job->fdatasync_every &&
			   worker->nr_writes - worker->datasynced_at >= job->fdatasync_every;

	if (is_datasync)
		worker->datasynced_at = worker->nr_writes;
	if (is_sync)
		worker->synced_at = worker->nr_writes;
	if (!is_sync && !is_datasync)
		return take_range_sync(worker, req);
	fill_sync(worker, req, !is_sync);
	return true;
}

/* Waits for the rate of the direction that goes next, with nothing in flight. */
static enum worker_event take_paced(struct worker *worker, struct io_req *req)
{
	enum io_dir drawn = stream_dir(&worker->stream);
	enum io_dir other = drawn;
	enum io_dir dir;
	uint64_t due_ticks;

	if (worker->stream.is_mixed_dirs)
		other = drawn == IO_READ ? IO_WRITE : IO_READ;
	worker->now_ticks = worker_stamp(worker);
	for (;;) {
		dir = pace_choose(&worker->pace, drawn, other, worker->now_ticks, &due_ticks);
		if (due_ticks <= worker->now_ticks)
			break;
		/* a new ramp or epoch moves the schedule, so it is asked again afterwards */
		if (!worker_drain(worker) || !worker_wait_until(worker, due_ticks))
			return WORKER_EVENT_END;
	}
	if (!stream_take(&worker->stream, dir, req))
		return WORKER_EVENT_END;
	worker->due_ticks[req->slot] =
		worker->pace.dir[dir].per_sec ? due_ticks : worker->now_ticks;
	pace_issued(&worker->pace, dir, req->len_bytes);
	worker->nr_issued++;
	return WORKER_EVENT_TAKEN;
}

/* The next I/O of a job with verify, which has to look at each. */
static enum worker_event take_verified(struct worker *worker, struct io_req *req)
{
	enum worker_event event = WORKER_EVENT_TAKEN;

	if (worker->pace.is_limited)
		event = take_paced(worker, req);
	else if (!stream_next(&worker->stream, req))
		event = WORKER_EVENT_END;
	else
		worker->nr_issued++;
	if (event == WORKER_EVENT_TAKEN && !worker_verify_prepare(worker, req))
		return WORKER_EVENT_END;
	return event;
}

static uint64_t until_think(const struct worker *worker)
{
	uint64_t due_at = worker->thought_at + think_blocks(worker->job);
	uint64_t progress = think_progress(worker);

	return due_at > progress ? due_at - progress : 1;
}

/* I/Os until the next event that counts I/Os. */
static uint64_t until_next_event(const struct worker *worker)
{
	const struct job *job = worker->job;
	uint64_t until = UINT64_MAX;

	if (job->thinktime_ns && job->thinktime_iotime_ns)
		until = 1; /* the clock decides */
	else if (job->thinktime_ns)
		until = min_u64(until, until_think(worker));
	if (job->fsync_every)
		until = min_u64(until, worker->synced_at + job->fsync_every - worker->nr_writes);
	if (job->fdatasync_every)
		until = min_u64(until,
				worker->datasynced_at + job->fdatasync_every - worker->nr_writes);
	return until;
}

/* Until the others of its flow_id have caught up. False if the run ended before. */
static bool wait_for_flow(struct worker *worker)
{
	const struct job *job = worker->job;
	uint64_t pause_ns = job->flow_sleep_ns ? job->flow_sleep_ns : FLOW_PAUSE_NS;
	uint64_t pause_ticks = clock_ns_to_ticks(&worker->clock, pause_ns);

	while (flow_is_ahead(worker->config.flow, job->flow_weight, worker->flow_ios)) {
		if (!worker_drain(worker) ||
		    !worker_wait_until(worker, worker_stamp(worker) + pause_ticks))
			return false;
	}
	return true;
}

/* The next I/O of a job each of whose I/Os is an event. */
static enum worker_event take_one(struct worker *worker, struct io_req *req)
{
	enum worker_event event = WORKER_EVENT_TAKEN;

	if (worker->config.flow && !wait_for_flow(worker))
		return WORKER_EVENT_END;
	if (worker->verify)
		event = take_verified(worker, req);
	else if (worker->pace.is_limited)
		event = take_paced(worker, req);
	else if (!stream_next(&worker->stream, req))
		event = WORKER_EVENT_END;
	else
		worker->nr_issued++;
	if (event == WORKER_EVENT_TAKEN && worker->config.flow) {
		worker->flow_ios++;
		flow_issued(worker->config.flow);
	}
	if (event == WORKER_EVENT_TAKEN && worker->written && req->dir == IO_WRITE)
		write_range_add(&worker->written[req->file], req);
	return event;
}

enum worker_event worker_take_event(struct worker *worker, struct io_req *req)
{
	worker->nr_issued += worker->granted;
	worker->granted = 0;
	worker->needs_stamp = true;
	if (worker->verify) {
		enum worker_event event = worker_verify_take(worker, req);

		if (event != WORKER_EVENT_NONE)
			return event;
	}
	if (take_sync(worker, req))
		return WORKER_EVENT_TAKEN;
	if (must_think(worker) && !think(worker))
		return WORKER_EVENT_END;
	if (worker->verify || worker->pace.is_limited || worker->written || worker->config.flow)
		return take_one(worker, req);
	/* there may be fewer writes among them: then the event looks again */
	worker->granted = worker->until_event = until_next_event(worker);
	return WORKER_EVENT_NONE;
}

void worker_fail(struct worker *worker, int error, const struct io_req *req, const char *what)
{
	struct worker_failure *failure = &worker->failure;

	if (failure->error)
		return; /* the first one counts */
	failure->error = error ? error : EIO;
	if (what)
		failure->what = xstrdup(what);
	if (!req)
		return;
	failure->is_io = true;
	failure->dir = req->dir;
	failure->file = req->file;
	failure->offset_bytes = req->offset_bytes;
	failure->len_bytes = req->len_bytes;
}

bool worker_pause(struct worker *worker)
{
	static const struct timespec pause = { .tv_nsec = EAGAIN_PAUSE_NS };

	if (atomic_load_explicit(&worker->control.stop, memory_order_relaxed))
		return false;
	if (worker->eagain_since_ns == 0)
		worker->eagain_since_ns = clock_now_ns();
	if (clock_now_ns() - worker->eagain_since_ns > EAGAIN_LIMIT_NS)
		return false;
	(void)nanosleep(&pause, NULL);
	return true;
}

bool worker_pass_over(struct worker *worker, unsigned kind, int error)
{
	const struct ignored_errors *ignored;
	bool is_ignored = false;

	if (!(worker->job->continue_on_error & kind))
		return false;
	ignored = &worker->job->ignored_errors[__builtin_ctz(kind)];
	for (size_t i = 0; i < ignored->nr; i++)
		is_ignored |= ignored->numbers[i] == error;
	if (!is_ignored && (ignored->nr > 0 || (error != EIO && error != EILSEQ)))
		return false;
	if (worker->nr_passed_over++ == 0)
		worker->first_passed_over = error;
	return true;
}

/* A request that failed for good; true if the job goes on all the same. */
static bool pass_failed_over(struct worker *worker, const struct io_req *req)
{
	int error = req->result < 0 ? (int)-req->result : EIO;

	return worker_pass_over(worker, req->dir == IO_READ ? ERRORS_READ : ERRORS_WRITE, error);
}

bool worker_go_on(struct worker *worker, struct io_req *req)
{
	uint64_t moved_bytes;

	if (req->result == -EINTR || (req->result == -EAGAIN && worker_pause(worker)))
		return true;
	if (req->result == -ENOSPC && req->dir == IO_WRITE && worker->job->fill_device) {
		worker->has_ended = true; /* full: that was the aim */
		return false;
	}
	if (req->result == 0 && worker->verify && worker_verify_missing(worker, req))
		return false;
	if (req->result <= 0 || req->dir == IO_SYNC) {
		if (req->dir != IO_SYNC)
			worker_count(worker, req->dir, 0);
		worker->is_passing_over = pass_failed_over(worker, req);
		if (worker->is_passing_over)
			return false;
		worker_fail(worker, req->result < 0 ? (int)-req->result : EIO, req, NULL);
		worker->failure.is_full_resid |= req->result == 0;
		return false;
	}
	worker->eagain_since_ns = 0;
	moved_bytes = (uint64_t)req->result;
	assert(moved_bytes < req->len_bytes);
	worker->dir[req->dir].short_ios++;
	if (req->offset_bytes + moved_bytes == worker->engine_files[req->file].size_bytes) {
		req->len_bytes = (uint32_t)moved_bytes; /* up to the end of the file is all of it */
		return false;
	}
	worker_count(worker, req->dir, moved_bytes);
	req->buf = (char *)req->buf + moved_bytes;
	req->offset_bytes += moved_bytes;
	req->len_bytes -= (uint32_t)moved_bytes;
	return true;
}
