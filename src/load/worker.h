/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_WORKER_H
#define REGIO_LOAD_WORKER_H

/*
 * A worker is the thread of one clone: it sets itself up (files, buffers, engine), waits at
 * the gate, issues I/O until the amount, the time or `stop` ends it, and leaves its counts behind.
 * It alone touches its struct until it has been joined, with two exceptions: `shared`, which the
 * main thread reads now and then, and `control`, which the main thread writes.
 *
 * Time. Stamps are raw ticks of the clock, differences become nanoseconds by one
 * multiplication. A stamp costs as much as the rest of the loop, so there is one per I/O with
 * synchronous engines: the completion of an I/O is the start of the next one, which makes clat
 * longer by the few ns of bookkeeping in between. Asynchronous engines take one stamp per submit
 * call (issue) and one per reap call (complete), shared by the batch; the start of a request is
 * the last stamp at hand when it is prepared. Whenever something slow lay between (waiting for the
 * rate, thinktime, new data, a new pass) the stamp is taken again before the I/O starts.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "engine/engine.h"
#include "load/buffers.h"
#include "load/pace.h"
#include "load/payload.h"
#include "load/plan.h"
#include "load/sample.h"
#include "load/stream.h"
#include "model/result.h"

#define WORKER_CACHE_LINE 64

struct depth_search;
struct flow;
struct gate;
struct load_config;
struct write_range;
struct log_ring;
struct verify;

/* What a worker is made of; borrowed for its life. */
struct snapshot;

struct worker_config {
	const struct clone_plan *plan;
	const struct file_table *files;
	struct gate *gate;
	const struct load_config *load;
	struct log_ring *log; /* or NULL */
	struct flow *flow;    /* or NULL */
};

/* Written by the worker, read by the main thread: relaxed, but for the two that publish others. */
struct worker_shared {
	_Atomic uint64_t ios[IO_NR_DATA_DIRS];
	_Atomic uint64_t bytes[IO_NR_DATA_DIRS];
	/* Start of the measurement (after the ramp), 0 before; published with at_epoch. */
	_Atomic uint64_t epoch_ticks;
	/* End of the measurement, 0 before. */
	_Atomic uint64_t end_ticks;
	atomic_bool has_left;	     /* nothing of the worker changes any more */
	_Atomic uint64_t lat_sum_ns; /* of all I/Os, where steadystate= looks at it */
};

/* Where and why a worker gave up; 0 errno: it did not. */
struct worker_failure {
	int error;
	bool is_io; /* else `what` says it */
	enum io_dir dir;
	uint32_t file;
	uint64_t offset_bytes;
	uint64_t len_bytes;
	bool is_full_resid; /* nothing was transferred, and no error */
	char *what;	    /* owned */
};

struct worker_usage {
	uint64_t usr_us, sys_us;
	uint64_t context_switches, major_faults, minor_faults;
};

struct worker {
	/* read by the loop */
	const struct engine_ops *engine;
	void *engine_state;
	struct clock clock;
	uint64_t now_ticks;	 /* last stamp at hand */
	uint64_t deadline_ticks; /* end of the ramp, then of the run */
	uint64_t until_event;	 /* I/Os until the next event */
	bool needs_stamp;	 /* something slow happened since now_ticks */
	bool is_observed;	 /* completed I/Os go to worker_observe() as well */
	struct log_ring *log;	 /* or NULL; the writer owns it */
	struct io_req *reqs;
	struct io_req **free;	/* stack of idle requests */
	struct io_req **queued; /* prepared, not submitted; in order */
	struct io_req **done;	/* what the last reap gave */
	size_t nr_free, nr_queued, nr_in_flight;
	void *buffer; /* slot i owns slot_bytes of it from i * slot_bytes on */
	size_t slot_bytes;
	size_t batch, complete_min, complete_max, low; /* iodepth_..., within the depth */

	/* written by the loop */
	struct dir_result dir[IO_NR_DATA_DIRS];
	struct latency sync;
	uint64_t sync_ios;
	uint64_t depth_at_submit[RESULT_NR_DEPTHS];
	uint64_t per_submit[RESULT_NR_DEPTHS];
	uint64_t per_complete[RESULT_NR_DEPTHS];
	uint64_t nr_writes; /* issued */

	struct verify *verify; /* or NULL; then every I/O is an event */
	uint64_t verify_ticks; /* spent in reading back at the end of each loop */
	uint64_t verify_reads; /* before that, within the run */
	bool is_verify_cut;    /* the time was over before all was read back */

	struct stream stream;
	struct payload payload;
	struct pace pace;

	/* events */
	uint64_t granted;			       /* I/Os issued between two events */
	uint64_t nr_issued;			       /* up to the last event */
	uint64_t thought_at, synced_at, datasynced_at; /* nr_issued, resp. nr_writes */
	uint64_t idle_at;			       /* nr_issued */
	uint64_t range_synced_at;		       /* nr_writes */
	bool is_in_flow;
	uint64_t flow_ios;	     /* issued, where the job shares with others */
	struct write_range *written; /* by file, not synced yet; NULL without sync_file_range */
	uint64_t thought_ticks;	     /* end of the last idle time */
	bool is_passing_over;	     /* the last failed request does not end the run */
	uint64_t nr_passed_over;
	int first_passed_over; /* errno */
	uint32_t last_file_written;
	bool is_in_ramp;
	bool has_ended;		  /* nothing more is to be issued */
	uint64_t eagain_since_ns; /* nothing in flight and no room in the kernel */

	/* cold */
	struct worker_config config;
	const struct job *job;
	size_t iodepth;
	struct engine_file *engine_files;
	struct buffers buffers; /* what `buffer` is part of */
	size_t buffer_bytes;
	struct depth_search *search; /* NULL without latency_target */
	unsigned found_depth;	     /* by it, so far */
	struct io_req **parked;	     /* slots beyond its depth */
	size_t nr_parked;
	uint64_t *due_ticks; /* by slot: when the rate wants the I/O to start; NULL without one */
	bool is_engine_open;
	bool is_called_off; /* stopped before it began */
	struct sample_counts at_epoch;
	struct worker_usage usage; /* of the measurement */
	struct worker_failure failure;
	int invalidate_error; /* errno, with the file it happened on */
	uint32_t invalidate_file;
	int64_t tid;
	int64_t ended_at_unix_s;
	bool has_ramp_only; /* ended before the ramp did */

	struct snapshot *snapshot; /* where one is to go; valid while wants_snapshot */

	_Alignas(WORKER_CACHE_LINE) struct worker_shared shared;
	_Alignas(WORKER_CACHE_LINE) struct {
		atomic_bool attention; /* one of the others was set; all that the loops ask */
		atomic_bool stop;
		atomic_bool wants_snapshot;
		atomic_bool go;		/* wait_for: the other job has ended */
		atomic_bool has_missed; /* less than rate_min was done */
	} control;
};

/* NULL only if there is no memory for it. */
struct worker *worker_create(const struct worker_config *config);
/* Accepts NULL. The thread must have been joined. */
void worker_free(struct worker *worker);

/* Body of the thread; arg is the worker. */
void *worker_main(void *arg);

/* From another thread, of a worker that hangs: makes results of what it counted so far. */
void worker_leave_behind(struct worker *worker);

/* From another thread. */
void worker_stop(struct worker *worker);
void worker_go(struct worker *worker);
/* It did less than the least rate of the job: ends it as failed. */
void worker_miss_rate(struct worker *worker);
void worker_read(const struct worker *worker, struct sample_counts *ret_counts);
/* By its own thread, or when that has ended: totals out of the counters, as of now. */
void worker_count_up(struct worker *worker);

#endif
