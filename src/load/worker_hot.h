/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_WORKER_HOT_H
#define REGIO_LOAD_WORKER_HOT_H

/* What the two loops of a worker share: part of worker_sync.c and worker_async.c. */

#include "load/worker.h"

struct err;

#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define ALWAYS_INLINE inline __attribute__((always_inline))

/* What lies before the next I/O. */
enum worker_event {
	WORKER_EVENT_NONE,  /* take it from the stream */
	WORKER_EVENT_TAKEN, /* the request is filled already */
	WORKER_EVENT_END,   /* nothing more is to be issued */
};

/* until_event is 0: thinktime, fsync, rate. Grants the next I/Os until an event. */
enum worker_event worker_take_event(struct worker *worker, struct io_req *req);
/* now_ticks has reached the deadline: the ramp is over (true) or the run (false). */
bool worker_pass_deadline(struct worker *worker);
/* Another thread wants something: to stop (false), or to know what was counted until now. */
bool worker_attend(struct worker *worker);
/* Waits until that time. False if the run ended before. */
bool worker_wait_until(struct worker *worker, uint64_t due_ticks);
/* The thread sets itself up before the gate. Failures are recorded. */
void worker_set_up(struct worker *worker);
void worker_tear_down(struct worker *worker);
/* The files of the clone. Those that were opened are to be closed after a failure, too. */
int worker_open_files(struct worker *worker, struct err *err);
void worker_close_files(struct worker *worker);
/* Closes and removes them and opens new ones; an engine knows nothing of these. */
int worker_remake_files(struct worker *worker, struct err *err);
/* unlink_each_loop: the same with the engine. False after a failure, which is recorded. */
bool worker_renew_files(struct worker *worker);
/* CPUs, nodes, priorities and rights of the thread that calls. */
int worker_take_place(const struct worker *worker, struct err *err);
/* What is counted begins here, with empty counts and a new schedule. */
void worker_begin_measuring(struct worker *worker);
/* The same without a new schedule: what was counted until now only prepared it. */
void worker_measure_again(struct worker *worker);
/* flow: the others do not wait for it any more. */
void worker_leave_flow(struct worker *worker);
/* latency_target: the search for a depth begins with 1. */
void worker_begin_search(struct worker *worker);
/* Sleeps a little after an EAGAIN; false if that went on for too long, or at `stop`. */
bool worker_pause(struct worker *worker);
/* True if a failure of that kind (enum error_kinds) is to be passed over; it is counted then. */
bool worker_pass_over(struct worker *worker, unsigned kind, int error);
/* Records the first failure, with the request it happened on (or NULL and what it was). */
void worker_fail(struct worker *worker, int error, const struct io_req *req, const char *what);

/*
 * A request whose result is not its length. True if it is to be issued again (*req is what is
 * left of it). False if it is over: then either its result is its length now (it was short at the
 * end of the file) or it failed, and is_passing_over says whether the run goes on.
 */
bool worker_go_on(struct worker *worker, struct io_req *req);

/*
 * What some jobs want of each completed data I/O beside its counts (is_observed). False ends the
 * run; where that is a failure it has been recorded.
 */
bool worker_observe(struct worker *worker, struct io_req *req, uint64_t slat_ns, uint64_t clat_ns);
/* True if the job has any use for it. */
bool worker_wants_observing(const struct worker *worker);

/* verify, see worker_verify.c. What comes before the next I/O of the stream. */
enum worker_event worker_verify_take(struct worker *worker, struct io_req *req);
/* An I/O of the stream is about to be issued. False after a failure. */
bool worker_verify_prepare(struct worker *worker, struct io_req *req);
/* It has been completed. False ends the run. */
bool worker_verify_completed(struct worker *worker, struct io_req *req);
/* Nothing of it was transferred. True if it was to be checked, so that this has been told. */
bool worker_verify_missing(struct worker *worker, struct io_req *req);
/* Reads back what was written, after a loop of the job. */
void worker_verify_back(struct worker *worker);
/* verify_only: learns from the stream what an earlier run has written. */
void worker_verify_pretend(struct worker *worker);
int worker_verify_set_up(struct worker *worker, struct err *err);
void worker_verify_tear_down(struct worker *worker);

/* end_fsync: through the engine, so that mmap does its own; in the runtime, in no other count. */
void worker_sync_files(struct worker *worker);
/* Drops the pages of all files; failure is worth a note, not the run. arg is the worker. */
void worker_invalidate(void *arg);
/* The loop that suits the engine. */
void worker_run_loop(struct worker *worker);
void worker_run_sync(struct worker *worker);
void worker_run_async(struct worker *worker);
/* Submits and reaps until nothing is in flight. False after a failure. */
bool worker_drain(struct worker *worker);

static ALWAYS_INLINE uint64_t worker_stamp(const struct worker *worker)
{
	return clock_ticks(&worker->clock);
}

/* The counters of two CPUs may be some ticks apart, so a difference can be negative. */
static ALWAYS_INLINE uint64_t worker_elapsed_ns(const struct worker *worker, uint64_t from_ticks,
						uint64_t to_ticks)
{
	int64_t delta = (int64_t)(to_ticks - from_ticks);

	return clock_ticks_to_ns(&worker->clock, delta > 0 ? (uint64_t)delta : 0);
}

static ALWAYS_INLINE void counter_add(_Atomic uint64_t *counter, uint64_t value)
{
	/* one writer: no locked instruction */
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + value,
			      memory_order_relaxed);
}

static ALWAYS_INLINE void latency_add(struct latency *latency, uint64_t value_ns)
{
	hist_record(latency->hist, value_ns);
	moments_add(&latency->moments, value_ns);
}

static ALWAYS_INLINE void worker_count(struct worker *worker, enum io_dir dir, uint64_t bytes)
{
	counter_add(&worker->shared.ios[dir], 1);
	counter_add(&worker->shared.bytes[dir], bytes);
}

/* True if another I/O may be issued as far as time and `stop` are concerned. */
static ALWAYS_INLINE bool worker_may_go_on(struct worker *worker)
{
	if (UNLIKELY(atomic_load_explicit(&worker->control.attention, memory_order_relaxed)) &&
	    !worker_attend(worker))
		return false;
	return LIKELY(worker->now_ticks < worker->deadline_ticks) || worker_pass_deadline(worker);
}

/* Fills *req with the next I/O and stamps its start; false if there is none. */
static ALWAYS_INLINE bool worker_prepare(struct worker *worker, struct io_req *req)
{
	enum worker_event event = WORKER_EVENT_NONE;

	if (UNLIKELY(worker->until_event == 0))
		event = worker_take_event(worker, req);
	if (LIKELY(event == WORKER_EVENT_NONE)) {
		worker->until_event--;
		if (!stream_next(&worker->stream, req))
			return false;
	} else if (event == WORKER_EVENT_END) {
		return false;
	}
	if (req->dir == IO_WRITE) {
		worker->nr_writes++;
		worker->last_file_written = req->file;
		worker->needs_stamp |= payload_prepare(&worker->payload, req);
	}
	if (UNLIKELY(worker->needs_stamp || worker->stream.has_turned)) {
		worker->needs_stamp = false;
		worker->stream.has_turned = false;
		worker->now_ticks = worker_stamp(worker);
	}
	req->start_ticks = worker->now_ticks;
	return true;
}

#endif
