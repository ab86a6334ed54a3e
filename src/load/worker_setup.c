/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker_setup: maps and fills the buffers of a clone, makes its requests, starts its engine. */
#include "load/worker_hot.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "load/depth_search.h"
#include "load/flow.h"
#include "load/job_command.h"
#include "load/load.h"
#include "load/seed.h"
#include "load/verify.h"
#include "load/write_range.h"
#include "model/job.h"

static void set_up_failed(struct worker *worker, const struct err *err)
{
	int why = err->code == ERR_INPUT ? EINVAL : ENOTSUP;

	worker_fail(worker, err->saved_errno ? err->saved_errno : why, NULL, err->msg);
}

static uint64_t max_block_bytes(const struct worker *worker)
{
	uint64_t bytes = 0;

	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		if ((worker->config.plan->dirs & (1U << dir)) &&
		    worker->job->bs_max_bytes[dir] > bytes)
			bytes = worker->job->bs_max_bytes[dir];
	}
	return bytes;
}

static int map_buffers(struct worker *worker, struct err *err)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes;
	struct rng rng;
	int ret;

	worker->slot_bytes = (max_block_bytes(worker) + page_bytes - 1) / page_bytes * page_bytes;
	bytes = worker->slot_bytes * worker->iodepth;
	ret = buffers_map(worker->job, bytes, worker->config.plan->thread_number, &worker->buffers,
			  err);
	if (ret < 0)
		return ret;
	worker->buffer = worker->buffers.start;
	worker->buffer_bytes = bytes;
	rng_init(&rng, seed_of_clone(worker->config.plan, worker->config.load->seed, SEED_DATA));
	if ((worker->config.plan->dirs & RW_WRITE) && !worker->job->zero_buffers)
		payload_fill(&rng, worker->buffer, bytes);
	return 0;
}

static void make_requests(struct worker *worker)
{
	size_t depth = worker->iodepth;

	worker->reqs = xcalloc(depth, sizeof(*worker->reqs));
	worker->free = xcalloc(depth, sizeof(struct io_req *));
	worker->queued = xcalloc(depth, sizeof(struct io_req *));
	worker->done = xcalloc(depth, sizeof(struct io_req *));
	for (size_t i = 0; i < depth; i++) {
		worker->reqs[i].slot = (uint32_t)i;
		worker->reqs[i].buf = (char *)worker->buffer + i * worker->slot_bytes;
		worker->free[depth - 1 - i] = &worker->reqs[i]; /* slot 0 first */
	}
	worker->nr_free = depth;
}

/* Whether it does so among its I/Os. */
static bool syncs(const struct job *job)
{
	return job->fsync_every || job->fdatasync_every || job->sync_range.every;
}

/* What the job issues, and what verify adds to it. */
static unsigned dirs_of_engine(const struct worker *worker)
{
	const struct job *job = worker->job;
	unsigned dirs = worker->config.plan->dirs;

	if (verify_reads_back(job))
		dirs |= RW_READ;
	if (verify_trims(job))
		dirs |= RW_TRIM;
	if (syncs(job) || job->end_fsync || verify_reads_back(job))
		dirs |= 1U << IO_SYNC;
	return dirs;
}

/* Only what the job can count, and touched so that the loop does not fault it in. */
static void make_histograms(struct worker *worker)
{
	const bool is_wanted[LATENCY_NR_KINDS] = {
		[LATENCY_SLAT] = engine_is_async(worker->engine),
		[LATENCY_CLAT] = true,
		[LATENCY_LAT] = engine_is_async(worker->engine),
		[LATENCY_INTENDED] = worker->pace.is_limited,
	};

	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		struct latency *latency = worker->dir[dir].latency;

		if (!(dirs_of_engine(worker) & (1U << dir)))
			continue;
		for (unsigned kind = 0; kind < LATENCY_NR_KINDS; kind++) {
			if (is_wanted[kind])
				memset(latency_need_hist(&latency[kind]), 0, sizeof(struct hist));
		}
	}
	if (syncs(worker->job))
		memset(latency_need_hist(&worker->sync), 0, sizeof(struct hist));
}

static int open_engine(struct worker *worker, struct err *err)
{
	const struct clone_plan *plan = worker->config.plan;
	const struct engine_config config = {
		.files = worker->engine_files,
		.nr_files = plan->nr_files,
		.reqs = worker->reqs,
		.nr_slots = worker->iodepth,
		.buffer = worker->buffer,
		.buffer_bytes = worker->buffer_bytes,
		.dirs = dirs_of_engine(worker),
		.random = worker->job->rw & RW_RANDOM,
		.direct = worker->job->direct,
		.options = worker->job->engine,
		.job_name = worker->job->name,
		.runtime_ns = worker->job->runtime_ns,
		.end = &worker->control.stop,
	};

	return worker->engine->open(&config, &worker->engine_state, err);
}

static void set_up_stream(struct worker *worker)
{
	const struct clone_plan *plan = worker->config.plan;
	const struct stream_config config = {
		.job = worker->job,
		.regions = plan->regions,
		.nr_files = plan->nr_files,
		.limit_bytes = plan->limit_bytes,
		.is_limit_wrapping = plan->is_limit_wrapping,
		.seed = seed_of_clone(plan, worker->config.load->seed, SEED_OFFSETS),
		.is_pausing = verify_reads_back(worker->job) || worker->job->unlink_each_loop,
		.new_pass =
			worker->job->invalidate && !worker->job->direct && !worker->job->pre_read
				? worker_invalidate
				: NULL,
		.arg = worker,
	};

	stream_init(&worker->stream, &config);
	payload_init(&worker->payload, worker->job,
		     seed_of_clone(plan, worker->config.load->seed, SEED_REFILL));
	pace_init(&worker->pace, worker->job, &worker->clock,
		  seed_of_clone(plan, worker->config.load->seed, SEED_PACE));
}

/* Before the gate, so that nobody runs ahead while the others start. */
static void join_flow(struct worker *worker)
{
	worker->is_in_flow = worker->config.flow != NULL;
	if (worker->is_in_flow)
		flow_join(worker->config.flow, worker->job->flow_weight);
}

void worker_leave_flow(struct worker *worker)
{
	if (worker->is_in_flow)
		flow_leave(worker->config.flow, worker->job->flow_weight, worker->flow_ios);
	worker->is_in_flow = false;
}

static void set_up_search(struct worker *worker)
{
	if (worker->job->latency_target_ns == 0)
		return;
	worker->search = xcalloc(1, sizeof(*worker->search));
	worker->parked = xcalloc(worker->iodepth, sizeof(struct io_req *));
	depth_search_init(worker->search, worker->job, (unsigned)worker->iodepth, &worker->clock);
}

void worker_set_up(struct worker *worker)
{
	struct err err = { .code = 0 };
	int ret;

	(void)prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL); /* sleeps of rate and thinktime */
	worker->tid = gettid();
	ret = worker_take_place(worker, &err);
	if (ret == 0 && !worker->job->create_only)
		ret = job_command_run(worker->job, JOB_COMMAND_BEFORE, worker->config.load->stop,
				      &err);
	if (ret == 0)
		ret = worker_open_files(worker, &err);
	if (ret == 0)
		ret = map_buffers(worker, &err);
	if (ret == 0) {
		make_requests(worker);
		set_up_stream(worker);
		make_histograms(worker);
		set_up_search(worker);
		if (worker->pace.is_limited)
			worker->due_ticks = xcalloc(worker->iodepth, sizeof(*worker->due_ticks));
		if (worker->job->sync_range.every)
			worker->written =
				xcalloc(worker->config.plan->nr_files, sizeof(*worker->written));
		ret = worker_verify_set_up(worker, &err);
	}
	if (ret == 0) {
		worker->is_observed = worker_wants_observing(worker);
		ret = open_engine(worker, &err);
		worker->is_engine_open = ret == 0;
	}
	if (ret == -ERR_INTERRUPTED)
		worker->is_called_off = true; /* no error of the job: somebody has stopped it */
	else if (ret < 0)
		set_up_failed(worker, &err);
	else
		join_flow(worker);
}

bool worker_renew_files(struct worker *worker)
{
	struct err err = { .code = 0 };
	int ret;

	worker->engine->close(worker->engine_state);
	worker->is_engine_open = false;
	ret = worker_remake_files(worker, &err);
	if (ret == 0)
		ret = open_engine(worker, &err);
	worker->is_engine_open = ret == 0;
	worker->needs_stamp = true;
	if (ret < 0)
		set_up_failed(worker, &err);
	return ret == 0;
}

static void run_command_after(struct worker *worker)
{
	struct err err = { .code = 0 };

	if (job_command_run(worker->job, JOB_COMMAND_AFTER, NULL, &err) < 0)
		set_up_failed(worker, &err);
}

void worker_tear_down(struct worker *worker)
{
	bool has_run = worker->is_engine_open && !worker->job->create_only;

	worker_leave_flow(worker);
	if (worker->is_engine_open)
		worker->engine->close(worker->engine_state);
	worker->is_engine_open = false;
	worker_close_files(worker);
	buffers_release(&worker->buffers);
	worker->buffer = NULL;
	free(worker->due_ticks);
	worker->due_ticks = NULL;
	free(worker->parked);
	worker->parked = NULL;
	free(worker->written);
	worker->written = NULL;
	free(worker->reqs);
	free(worker->free);
	free(worker->queued);
	free(worker->done);
	worker->reqs = NULL;
	worker->free = worker->queued = worker->done = NULL;
	stream_release(&worker->stream);
	worker_verify_tear_down(worker);
	if (has_run)
		run_command_after(worker);
}
