/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phase: starts, watches and joins the workers that run at the same time. */
#include "load/phase.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "load/flow.h"
#include "load/gate.h"
#include "load/phase_state.h"
#include "load/settle_clones.h"
#include "load/worker.h"
#include "model/job.h"

#define STOP_POLL_NS UINT64_C(50000000) /* a `stop` that no signal comes with is seen so soon */
#define STACK_BYTES (512U << 10) /* engines and the C library need little; there may be 1000 */

static uint64_t min_u64(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t ticks_to_ns(const struct phase *phase, uint64_t ticks)
{
	const struct clock *clock = phase->config->load->clock;

	return ticks > phase->base_ticks ? clock_ticks_to_ns(clock, ticks - phase->base_ticks) : 0;
}

static int start_thread(struct runner *runner, struct err *err)
{
	pthread_attr_t attributes;

	(void)pthread_attr_init(&attributes);
	(void)pthread_attr_setstacksize(&attributes, STACK_BYTES);
	errno = pthread_create(&runner->thread, &attributes, worker_main, runner->clone->worker);
	(void)pthread_attr_destroy(&attributes);
	return errno ? err_set_errno(err, "start a worker thread") : 0;
}

static int start_workers(struct phase *phase, unsigned number, struct err *err)
{
	const struct plan *plan = phase->config->plan;

	for (size_t i = 0; i < plan->nr; i++) {
		struct runner *runner = &phase->runners[phase->nr_runners];
		const struct worker_config config = {
			.plan = &plan->clones[i],
			.files = &plan->files,
			.gate = phase->gate,
			.load = phase->config->load,
			.log = phase->config->clones[i].log,
			.flow = plan->clones[i].job->flow_weight
					? flow_find(phase->config->flows,
						    plan->clones[i].job->flow_id)
					: NULL,
		};
		int ret;

		if (plan->clones[i].job->phase != number)
			continue;
		runner->clone = &phase->config->clones[i];
		runner->clone->worker = worker_create(&config);
		if (!runner->clone->worker)
			return err_set(err, ERR_SYSTEM, "no memory for a worker");
		ret = start_thread(runner, err);
		if (ret < 0)
			return ret;
		phase->has_waiters |= plan->clones[i].job->wait_for != NULL;
		phase->nr_runners++;
	}
	return 0;
}

/* Threads inherit the mask: signals are the main thread's. */
static int start_workers_masked(struct phase *phase, unsigned number, struct err *err)
{
	sigset_t all, before;
	int ret;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	ret = start_workers(phase, number, err);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ret;
}

/* Returns how many were left behind: their I/O hangs in the kernel, and they with it. */
static size_t join_workers(struct phase *phase)
{
	size_t nr_left_behind = 0;

	for (size_t i = 0; i < phase->nr_runners; i++) {
		struct phase_clone *clone = phase->runners[i].clone;

		if (clone->is_over) {
			(void)pthread_join(phase->runners[i].thread, NULL);
			continue;
		}
		(void)pthread_detach(phase->runners[i].thread);
		worker_leave_behind(clone->worker);
		clone->is_left_behind = true;
		nr_left_behind++;
	}
	return nr_left_behind;
}

static bool is_stop_asked(const struct phase *phase)
{
	const atomic_bool *stop = phase->config->load->stop;

	return stop && atomic_load_explicit(stop, memory_order_relaxed);
}

static void pass_stop_on(struct phase *phase)
{
	if (phase->is_stopped || !is_stop_asked(phase))
		return;
	phase->is_stopped = true;
	for (size_t i = 0; i < phase->nr_runners; i++)
		worker_stop(phase->runners[i].clone->worker);
}

/* exitall, exitall_on_error: the end of one job ends others. */
static void stop_others(struct phase *phase, const struct job *job)
{
	for (size_t i = 0; i < phase->nr_runners; i++) {
		struct worker *worker = phase->runners[i].clone->worker;

		if (job->exit_what != EXIT_GROUP || worker->job->group_id == job->group_id)
			worker_stop(worker);
	}
	if (job->exit_what == EXIT_ALL)
		phase->is_last = true;
}

static bool is_running(const struct phase *phase, const char *name)
{
	for (size_t i = 0; i < phase->nr_runners; i++) {
		const struct phase_clone *clone = phase->runners[i].clone;

		if (!clone->is_over && !strcmp(clone->worker->job->name, name))
			return true;
	}
	return false;
}

/* wait_for: lets those start that wait for nothing any more. */
static void let_go(struct phase *phase)
{
	for (size_t i = 0; i < phase->nr_runners; i++) {
		struct worker *worker = phase->runners[i].clone->worker;

		if (worker->job->wait_for && !is_running(phase, worker->job->wait_for))
			worker_go(worker);
	}
}

/* A worker whose measurement may begin twice (latency_target) keeps the counts of its begin to
 * itself: then the samples begin with what is read a little later. */
static void begin_samples(const struct phase *phase, struct phase_clone *clone, uint64_t now_ns)
{
	const struct job *job = clone->worker->job;
	struct sample_counts counts;

	if (job->latency_target_ns) {
		worker_read(clone->worker, &counts);
	} else {
		counts = clone->worker->at_epoch;
		now_ns = ticks_to_ns(phase, clone->epoch_ticks);
	}
	clone->bw_sampler = (struct sampler){ .has_begun = false };
	clone->iops_sampler = (struct sampler){ .has_begun = false };
	sampler_begin(&clone->bw_sampler, job->bw_window_ns, now_ns, &counts);
	sampler_begin(&clone->iops_sampler, job->iops_window_ns, now_ns, &counts);
}

/* Those that burn CPU beside the I/O of others end with it, unless they have their own runtime. */
static void stop_without_io(struct phase *phase)
{
	size_t nr_with_io = 0;

	for (size_t i = 0; i < phase->nr_runners; i++)
		nr_with_io += !(phase->runners[i].clone->worker->engine->flags & ENGINE_NO_IO) &&
			      !phase->runners[i].clone->is_over;
	if (nr_with_io > 0)
		return;
	for (size_t i = 0; i < phase->nr_runners; i++) {
		struct worker *worker = phase->runners[i].clone->worker;

		if (worker->job->engine.exit_on_io_done || worker->job->runtime_ns == 0)
			worker_stop(worker);
	}
}

static void clone_ended(struct phase *phase, struct phase_clone *clone)
{
	const struct worker *worker = clone->worker;
	const struct job *job = worker->job;

	clone->is_over = true;
	phase->nr_running--;
	stop_without_io(phase);
	if (job->exitall || (job->exitall_on_error && worker->failure.error))
		stop_others(phase, job);
	if (phase->has_waiters)
		let_go(phase);
}

/* Takes a sample if a window of the clone is complete; returns when the current one will be. */
static uint64_t sample_clone(const struct phase *phase, struct phase_clone *clone, uint64_t now_ns)
{
	const struct worker_shared *shared = &clone->worker->shared;
	uint64_t epoch_ticks = atomic_load_explicit(&shared->epoch_ticks, memory_order_acquire);
	uint64_t end_ticks = atomic_load_explicit(&shared->end_ticks, memory_order_acquire);
	struct sample_counts counts;

	if (epoch_ticks == 0)
		return UINT64_MAX;
	if (end_ticks)
		now_ns = min_u64(now_ns, ticks_to_ns(phase, end_ticks));
	if (clone->epoch_ticks != epoch_ticks) {
		clone->epoch_ticks = epoch_ticks;
		begin_samples(phase, clone, now_ns);
	}
	worker_read(clone->worker, &counts);
	sampler_take(&clone->bw_sampler, now_ns, &counts);
	sampler_take(&clone->iops_sampler, now_ns, &counts);
	if (!end_ticks && !least_rate_check(&clone->least_rate, clone->worker->job,
					    ticks_to_ns(phase, epoch_ticks), now_ns, &counts))
		worker_miss_rate(clone->worker);
	return end_ticks ? UINT64_MAX
			 : min_u64(clone->bw_sampler.due_ns, clone->iops_sampler.due_ns);
}

/* Returns when the next window of any clone is complete. */
static uint64_t look_at_workers(struct phase *phase, uint64_t now_ns)
{
	uint64_t due_ns = UINT64_MAX;

	for (size_t i = 0; i < phase->nr_runners; i++) {
		struct phase_clone *clone = phase->runners[i].clone;
		bool has_left;

		if (clone->is_over)
			continue;
		/* before the sample, so that the last one sees the end of the measurement */
		has_left =
			atomic_load_explicit(&clone->worker->shared.has_left, memory_order_acquire);
		due_ns = min_u64(due_ns, sample_clone(phase, clone, now_ns));
		if (!has_left)
			continue;
		clone_ended(phase, clone);
	}
	return due_ns;
}

/* Its I/O is over, and what the shell does after it takes its time. */
static bool is_in_postrun(const struct worker *worker)
{
	return worker->job->exec_postrun &&
	       atomic_load_explicit(&worker->shared.end_ticks, memory_order_relaxed);
}

/* True if the runtime of every worker that still runs is over. */
static bool is_time_over(const struct phase *phase, uint64_t now_ns)
{
	for (size_t i = 0; i < phase->nr_runners; i++) {
		const struct phase_clone *clone = phase->runners[i].clone;
		const struct job *job = clone->worker->job;
		uint64_t end_ns = job->startdelay_max_ns + job->ramp_time_ns + job->runtime_ns;

		if (!clone->is_over && (job->runtime_ns == 0 || job->wait_for || now_ns < end_ns ||
					is_in_postrun(clone->worker)))
			return false;
	}
	return true;
}

static bool is_hanging(struct phase *phase, uint64_t now_ns)
{
	const atomic_bool *urgent = phase->config->load->urgent;
	bool is_urgent = urgent && atomic_load_explicit(urgent, memory_order_relaxed);
	bool is_due = phase->is_stopped || is_time_over(phase, now_ns);
	struct sample_counts counts;

	phase_sum_counts(phase, &counts);
	return hang_give_up(&phase->hang, &counts, is_due, is_urgent, now_ns);
}

static struct settle_view view_settlers(const struct phase *phase)
{
	return (struct settle_view){
		.clones = phase->config->clones,
		.nr = phase->config->plan->nr,
		.phase = phase->number,
		.base_ticks = phase->base_ticks,
	};
}

static uint64_t look_at_settlers(const struct phase *phase, uint64_t now_ns)
{
	struct settle_view view = view_settlers(phase);

	return settle_clones_look(&view, now_ns);
}

static bool begin_settling(const struct phase *phase)
{
	struct settle_view view = view_settlers(phase);

	return settle_clones_begin(&view);
}

static void watch_workers(struct phase *phase)
{
	const struct clock *clock = phase->config->load->clock;

	while (phase->nr_running > 0) {
		uint64_t now_ns = ticks_to_ns(phase, clock_ticks(clock));
		uint64_t due_ns;

		pass_stop_on(phase);
		due_ns = look_at_workers(phase, now_ns);
		if (phase->has_settlers)
			due_ns = min_u64(due_ns, look_at_settlers(phase, now_ns));
		phase_tell(phase, now_ns);
		if (phase->nr_running > 0 && is_hanging(phase, now_ns))
			return;
		if (phase->nr_running > 0)
			gate_wait_leave(phase->gate,
					due_ns > now_ns ? min_u64(due_ns - now_ns, STOP_POLL_NS)
							: 0);
	}
}

int phase_run(const struct phase_config *config, unsigned phase_number, struct timeline *timeline,
	      struct err *err)
{
	struct phase phase = {
		.config = config,
		.number = phase_number,
		.timeline = timeline,
		.progress_ns = clock_now_ns(),
		.status_ns = clock_now_ns(),
		.gate = xcalloc(1, sizeof(*phase.gate)),
	};
	int ret = gate_init(phase.gate, err);

	if (ret < 0) {
		free(phase.gate);
		return ret;
	}
	phase.runners = xcalloc(config->plan->nr, sizeof(*phase.runners));
	ret = start_workers_masked(&phase, phase_number, err);
	gate_await(phase.gate, phase.nr_runners);
	if (ret == 0 && phase_number == 0 && config->load->started)
		config->load->started(config->load->arg);
	phase.base_ticks = clock_ticks(config->load->clock);
	phase.nr_running = phase.nr_runners;
	phase.has_settlers = begin_settling(&phase);
	gate_set(phase.gate, ret < 0 ? GATE_CANCELLED : GATE_OPEN);
	if (phase.has_waiters)
		let_go(&phase);
	watch_workers(&phase);
	if (join_workers(&phase) == 0) {
		gate_release(phase.gate);
		free(phase.gate);
	}
	free(phase.runners);
	return ret < 0 ? ret : phase.is_last;
}
