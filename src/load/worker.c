/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker: life of the thread of one clone, from its start to what it leaves behind. */
#include "load/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "base/rng.h"
#include "load/gate.h"
#include "load/load.h"
#include "load/log_ring.h"
#include "load/seed.h"
#include "load/verify.h"
#include "load/worker_hot.h"
#include "model/job.h"

/* Pages of its own: CPUs fetch lines in pairs, so that neighbours would disturb each other by half
 * a per cent or not, depending on what was allocated before (bench/monitor-cost). */
#define WORKER_ALIGNMENT 4096
#define WAIT_POLL_NS 1000000 /* how soon the end of another job is seen */

struct worker *worker_create(const struct worker_config *config)
{
	size_t bytes = (sizeof(struct worker) + WORKER_ALIGNMENT - 1) / WORKER_ALIGNMENT *
		       WORKER_ALIGNMENT;
	struct worker *worker = aligned_alloc(WORKER_ALIGNMENT, bytes);

	if (!worker)
		return NULL;
	*worker = (struct worker){
		.engine = config->plan->engine,
		.clock = *config->load->clock,
		.deadline_ticks = UINT64_MAX,
		.config = *config,
		.job = config->plan->job,
		.iodepth = config->plan->iodepth,
		.log = config->log,
	};
	return worker;
}

void worker_free(struct worker *worker)
{
	if (!worker)
		return;
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		for (unsigned kind = 0; kind < LATENCY_NR_KINDS; kind++)
			free(worker->dir[dir].latency[kind].hist);
	}
	free(worker->sync.hist);
	free(worker->failure.what);
	free(worker->search);
	verify_free(worker->verify);
	free(worker);
}

void worker_stop(struct worker *worker)
{
	atomic_store_explicit(&worker->control.stop, true, memory_order_relaxed);
	atomic_store_explicit(&worker->control.attention, true, memory_order_release);
}

void worker_go(struct worker *worker)
{
	atomic_store_explicit(&worker->control.go, true, memory_order_release);
}

void worker_miss_rate(struct worker *worker)
{
	atomic_store_explicit(&worker->control.has_missed, true, memory_order_relaxed);
	worker_stop(worker);
}

void worker_read(const struct worker *worker, struct sample_counts *ret_counts)
{
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		ret_counts->ios[dir] =
			atomic_load_explicit(&worker->shared.ios[dir], memory_order_relaxed);
		ret_counts->bytes[dir] =
			atomic_load_explicit(&worker->shared.bytes[dir], memory_order_relaxed);
	}
}

static size_t within(unsigned value, size_t low, size_t high)
{
	return value < low ? low : value > high ? high : value;
}

/* iodepth_.. of the job: 0 means the depth for batch and low, "poll" for complete_min. */
static void set_batches(struct worker *worker)
{
	const struct job *job = worker->job;
	size_t depth = worker->iodepth;

	worker->batch = job->iodepth_batch ? within(job->iodepth_batch, 1, depth) : depth;
	worker->low = job->iodepth_low ? within(job->iodepth_low, 1, depth) : depth;
	worker->complete_min = within(job->iodepth_batch_complete_min, 0, depth);
	worker->complete_max = within(job->iodepth_batch_complete_max,
				      worker->complete_min ? worker->complete_min : 1, depth);
}

static void usage_now(struct worker_usage *ret_usage)
{
	struct rusage usage;

	(void)getrusage(RUSAGE_THREAD, &usage); /* cannot fail with a valid pointer */
	*ret_usage = (struct worker_usage){
		.usr_us = (uint64_t)usage.ru_utime.tv_sec * 1000000 +
			  (uint64_t)usage.ru_utime.tv_usec,
		.sys_us = (uint64_t)usage.ru_stime.tv_sec * 1000000 +
			  (uint64_t)usage.ru_stime.tv_usec,
		.context_switches = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw,
		.major_faults = (uint64_t)usage.ru_majflt,
		.minor_faults = (uint64_t)usage.ru_minflt,
	};
}

static void latency_clear(struct latency *latency)
{
	latency->moments = (struct moments){ .n = 0 };
	if (latency->hist)
		*latency->hist = (struct hist){ .counts = { 0 } };
}

static void clear_counts(struct worker *worker)
{
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		worker->dir[dir].short_ios = 0;
		for (unsigned kind = 0; kind < LATENCY_NR_KINDS; kind++)
			latency_clear(&worker->dir[dir].latency[kind]);
	}
	latency_clear(&worker->sync);
	worker->sync_ios = 0;
	for (unsigned i = 0; i < RESULT_NR_DEPTHS; i++) {
		worker->depth_at_submit[i] = 0;
		worker->per_submit[i] = 0;
		worker->per_complete[i] = 0;
	}
}

/* Ticks of a duration after from; 0 ns: never. */
static uint64_t deadline_after(const struct worker *worker, uint64_t from_ticks, uint64_t ns)
{
	return ns ? from_ticks + clock_ns_to_ticks(&worker->clock, ns) : UINT64_MAX;
}

/* From here on it counts. */
static void begin_epoch(struct worker *worker)
{
	worker_read(worker, &worker->at_epoch);
	usage_now(&worker->usage);
	worker->now_ticks = worker_stamp(worker);
	atomic_store_explicit(&worker->shared.epoch_ticks, worker->now_ticks, memory_order_release);
}

void worker_measure_again(struct worker *worker)
{
	clear_counts(worker);
	begin_epoch(worker);
}

void worker_begin_measuring(struct worker *worker)
{
	if (worker->is_in_ramp) {
		clear_counts(worker);
		stream_forget_ios(&worker->stream);
	}
	worker->is_in_ramp = false;
	begin_epoch(worker);
	if (worker->search)
		worker_begin_search(worker);
	worker->deadline_ticks = deadline_after(worker, worker->now_ticks, worker->job->runtime_ns);
	pace_start(&worker->pace, worker->now_ticks);
	if (worker->log)
		atomic_store_explicit(&worker->log->epoch_ticks, worker->now_ticks,
				      memory_order_release);
}

/* wait_for: sleeps until the other job has ended; false if the run is over before. */
static bool wait_for_other(struct worker *worker)
{
	static const struct timespec pause = { .tv_nsec = WAIT_POLL_NS };

	while (worker->job->wait_for &&
	       !atomic_load_explicit(&worker->control.go, memory_order_acquire)) {
		if (atomic_load_explicit(&worker->control.stop, memory_order_relaxed))
			return false;
		(void)nanosleep(&pause, NULL);
	}
	return true;
}

/* False if the run is over before it began. */
static bool wait_startdelay(struct worker *worker)
{
	const struct job *job = worker->job;
	uint64_t delay_ns = job->startdelay_min_ns;
	struct rng rng;

	if (job->startdelay_max_ns > delay_ns) {
		rng_init(&rng,
			 seed_of_clone(worker->config.plan, worker->config.load->seed, SEED_DELAY));
		delay_ns += rng_below(&rng, job->startdelay_max_ns - delay_ns + 1);
	}
	if (delay_ns == 0)
		return true;
	return worker_wait_until(worker, worker_stamp(worker) +
						 clock_ns_to_ticks(&worker->clock, delay_ns));
}

void worker_sync_files(struct worker *worker)
{
	struct io_req *req = worker->reqs;

	for (uint32_t i = 0; i < worker->config.plan->nr_files; i++) {
		*req = (struct io_req){ .buf = worker->buffer, .dir = IO_SYNC, .file = i };
		do {
			int ret = worker->engine->submit(worker->engine_state, &req, 1);

			if (ret == 1 && engine_is_async(worker->engine))
				ret = worker->engine->reap(worker->engine_state, worker->done, 1,
							   1);
			req->result = ret < 0 ? ret : req->result;
		} while (req->result == -EINTR || (req->result == -EAGAIN && worker_pause(worker)));
		if (req->result < 0) {
			worker_fail(worker, (int)-req->result, req, NULL);
			return;
		}
	}
}

void worker_count_up(struct worker *worker)
{
	struct sample_counts counts;
	struct worker_usage begin = worker->usage;
	uint64_t calls = worker->sync_ios;

	usage_now(&worker->usage);
	worker->usage.usr_us -= begin.usr_us;
	worker->usage.sys_us -= begin.sys_us;
	worker->usage.context_switches -= begin.context_switches;
	worker->usage.major_faults -= begin.major_faults;
	worker->usage.minor_faults -= begin.minor_faults;
	worker->ended_at_unix_s = (int64_t)(clock_wall_ns() / 1000000000);

	worker_read(worker, &counts);
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		worker->dir[dir].total_ios = counts.ios[dir] - worker->at_epoch.ios[dir];
		worker->dir[dir].io_bytes = counts.bytes[dir] - worker->at_epoch.bytes[dir];
		calls += worker->dir[dir].total_ios;
	}
	if (!engine_is_async(worker->engine)) {
		/* one at a time; null has no call to count, as in fio */
		worker->depth_at_submit[0] = calls;
		if (!(worker->engine->flags & ENGINE_NO_FILES))
			worker->per_submit[1] = worker->per_complete[1] = calls;
	}
}

static void end_measuring(struct worker *worker)
{
	uint64_t end_ticks = worker_stamp(worker);

	worker_count_up(worker);
	atomic_store_explicit(&worker->shared.end_ticks, end_ticks, memory_order_release);
	if (worker->log)
		atomic_store_explicit(&worker->log->end_ticks, end_ticks, memory_order_release);
}

void worker_run_loop(struct worker *worker)
{
	worker->has_ended = false;
	if (engine_is_async(worker->engine))
		worker_run_async(worker);
	else
		worker_run_sync(worker);
}

/* The whole job; with verify one loop of it, which is then read back. */
static void run_once(struct worker *worker)
{
	const struct job *job = worker->job;

	if (job->verify_only && job_does(job, IO_WRITE))
		worker_verify_pretend(worker);
	else
		worker_run_loop(worker);
	if (job->end_fsync && worker->nr_writes && !worker->failure.error)
		worker_sync_files(worker);
	if (worker->verify)
		worker_verify_back(worker);
}

void worker_leave_behind(struct worker *worker)
{
	struct sample_counts counts;

	worker_fail(worker, ETIMEDOUT, NULL, "an I/O does not come back from the kernel");
	worker->usage = (struct worker_usage){ .usr_us = 0 };
	if (atomic_load_explicit(&worker->shared.epoch_ticks, memory_order_acquire) == 0)
		return;
	worker_read(worker, &counts);
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++) {
		worker->dir[dir].total_ios = counts.ios[dir] - worker->at_epoch.ios[dir];
		worker->dir[dir].io_bytes = counts.bytes[dir] - worker->at_epoch.bytes[dir];
	}
	worker->ended_at_unix_s = (int64_t)(clock_wall_ns() / 1000000000);
	atomic_store_explicit(&worker->shared.end_ticks, worker_stamp(worker),
			      memory_order_release);
}

/* Where something is to be done between two loops; else the stream goes through all of them. */
static bool may_loop_again(struct worker *worker)
{
	if (worker->failure.error || !stream_resume(&worker->stream))
		return false;
	return !worker->job->unlink_each_loop || worker_renew_files(worker);
}

static void worker_run(struct worker *worker)
{
	const struct job *job = worker->job;

	set_batches(worker);
	if (!wait_for_other(worker) || !wait_startdelay(worker))
		return;
	worker->now_ticks = worker_stamp(worker);
	if (job->ramp_time_ns) {
		worker->is_in_ramp = true;
		worker->deadline_ticks =
			deadline_after(worker, worker->now_ticks, job->ramp_time_ns);
		pace_start(&worker->pace, worker->now_ticks);
	} else {
		worker_begin_measuring(worker);
	}
	do {
		run_once(worker);
	} while (may_loop_again(worker));
	worker_leave_flow(worker);
	if (worker->is_in_ramp) { /* nothing of it counts */
		worker->has_ramp_only = true;
		worker_begin_measuring(worker);
	}
	end_measuring(worker);
	if (atomic_load_explicit(&worker->control.has_missed, memory_order_relaxed))
		worker_fail(worker, EIO, NULL, "less than the least rate was done (rate_min)");
}

void *worker_main(void *arg)
{
	struct worker *worker = arg;
	struct gate *gate = worker->config.gate;

	worker_set_up(worker);
	if (gate_pass(gate) && !worker->failure.error && !worker->is_called_off &&
	    !worker->job->create_only && !worker->config.plan->is_idle)
		worker_run(worker);
	worker_tear_down(worker);
	atomic_store_explicit(&worker->shared.has_left, true, memory_order_release);
	gate_leave(gate);
	return NULL;
}
