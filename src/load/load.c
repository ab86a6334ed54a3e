/* SPDX-License-Identifier: GPL-2.0-or-later */
/* load: one run from the plan to the result; phases, workers and files have files of their own. */
#include "load/load.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "engine/engine.h"
#include "load/collect.h"
#include "load/flow.h"
#include "load/layout.h"
#include "load/limits.h"
#include "load/log_writer.h"
#include "load/phase.h"
#include "load/plan.h"
#include "load/settle.h"
#include "load/snapshot.h"
#include "load/verify.h"
#include "load/verify_option.h"
#include "load/worker.h"
#include "model/job.h"
#include "model/note.h"
#include "model/result.h"

struct run {
	const struct load_config *config;
	struct result *result;
	struct arena arena;
	struct plan plan;
	struct flow_table flows;
	struct phase_clone *clones; /* one per clone of the plan */
	struct log_writer *log;	    /* NULL where nothing is logged */
	uint64_t begun_ns;
};

static bool is_stopped(const struct run *run)
{
	return run->config->stop && atomic_load_explicit(run->config->stop, memory_order_relaxed);
}

static int check_readonly(const struct load_config *config, struct err *err)
{
	for (size_t i = 0; config->readonly && i < config->jobs->nr; i++) {
		const struct job *job = &config->jobs->jobs[i];
		const struct engine_ops *engine = engine_find(job->ioengine);

		if (engine->flags & ENGINE_CHANGES_FILES)
			return err_set(err, ERR_UNSAFE, "job '%s': read-only, but engine %s is not",
				       job->name, engine->name);
		if (plan_dirs(job) & ~(unsigned)RW_READ)
			return err_set(err, ERR_UNSAFE, "job '%s': read-only, but rw is %s",
				       job->name, rw_name(job->rw));
	}
	return 0;
}

/* The maps of visited blocks, which depend on the regions. */
static int check_maps(const struct plan *plan, struct err *err)
{
	uint64_t bytes = 0, verify_bytes = 0;
	int ret;

	for (size_t i = 0; i < plan->nr; i++) {
		const struct clone_plan *clone = &plan->clones[i];

		for (size_t file = 0; file < clone->nr_files; file++)
			bytes += stream_map_bytes(clone->job, clone->regions[file].len_bytes);
		if (clone->job->verify && job_does(clone->job, IO_WRITE))
			verify_bytes += verify_map_bytes(clone->regions, clone->nr_files,
							 verify_interval_of(clone->job));
	}
	ret = limits_check_memory(bytes, "the maps of visited blocks (norandommap=1 has none)",
				  err);
	return ret < 0 ? ret
		       : limits_check_memory(verify_bytes,
					     "the maps of what is written (verify; a larger "
					     "verify_interval has less)",
					     err);
}

static int make_plan(struct run *run, struct err *err)
{
	const struct plan_config config = {
		.jobs = run->config->jobs,
		.arena = &run->arena,
		.readonly = run->config->readonly,
		.seed = run->config->seed,
		.notes = &run->result->notes,
	};
	int ret = plan_make(&config, &run->plan, err);

	if (ret < 0)
		return ret;
	verify_option_plan(&run->plan, &run->result->notes);
	return check_maps(&run->plan, err);
}

static void report_layout(void *arg)
{
	const struct run *run = arg;
	const struct load_progress progress = {
		.elapsed_ns = clock_now_ns() - run->begun_ns,
		.nr_workers = run->plan.nr,
		.laying_out = true,
	};

	if (run->config->progress)
		run->config->progress(run->config->arg, &progress);
}

static int prepare(struct run *run, struct err *err)
{
	const struct layout_config layout = {
		.seed = run->config->seed,
		.stop = run->config->stop,
		.report = report_layout,
		.arg = run,
	};
	int ret = layout_make(&run->plan.files, &layout, err);

	if (ret < 0 || !run->config->prepared)
		return ret;
	return run->config->prepared(run->config->arg, err);
}

static unsigned last_phase(const struct job_set *jobs)
{
	unsigned last = 0;

	for (size_t i = 0; i < jobs->nr; i++) {
		if (jobs->jobs[i].phase > last)
			last = jobs->jobs[i].phase;
	}
	return last;
}

/* How long a phase takes at most; 0 if one of its jobs has no runtime. */
static uint64_t expected_of_phase(const struct job_set *jobs, unsigned phase)
{
	uint64_t longest_ns = 0;

	for (size_t i = 0; i < jobs->nr; i++) {
		const struct job *job = &jobs->jobs[i];
		uint64_t ns = job->startdelay_max_ns + job->ramp_time_ns + job->runtime_ns;

		if (job->phase != phase)
			continue;
		if (job->runtime_ns == 0)
			return 0;
		if (ns > longest_ns)
			longest_ns = ns;
	}
	return longest_ns;
}

static uint64_t expected_of_run(const struct job_set *jobs)
{
	uint64_t sum_ns = 0;

	for (unsigned phase = 0; phase <= last_phase(jobs); phase++) {
		uint64_t ns = expected_of_phase(jobs, phase);

		if (ns == 0)
			return 0;
		sum_ns += ns;
	}
	return sum_ns;
}

static int run_phases(struct run *run, struct err *err)
{
	const struct job_set *jobs = run->config->jobs;
	const struct phase_config config = {
		.load = run->config,
		.plan = &run->plan,
		.flows = &run->flows,
		.clones = run->clones,
		.begun_ns = clock_now_ns(),
		.expected_ns = expected_of_run(jobs),
	};
	unsigned last = last_phase(jobs);

	for (unsigned phase = 0; phase <= last && !is_stopped(run); phase++) {
		int ret = phase_run(&config, phase, result_add_timeline(run->result), err);

		if (ret != 0)
			return ret < 0 ? ret : 0;
	}
	return 0;
}

static int run_all(struct run *run, struct err *err)
{
	int ret = load_check(run->config->jobs, err);

	if (ret == 0)
		ret = check_readonly(run->config, err);
	if (ret == 0)
		ret = make_plan(run, err);
	if (ret == 0)
		ret = log_writer_open(&run->plan, run->config->clock, &run->log, err);
	if (ret == 0)
		ret = prepare(run, err);
	if (ret < 0) {
		log_writer_discard(run->log);
		return ret;
	}
	flow_table_init(&run->flows, run->config->jobs);
	run->clones = xcalloc(run->plan.nr, sizeof(*run->clones));
	for (size_t i = 0; i < run->plan.nr; i++)
		run->clones[i].log = log_writer_ring(run->log, i);
	ret = log_writer_start(run->log, err);
	if (ret == 0)
		ret = run_phases(run, err);
	log_writer_stop(run->log, &run->result->notes);
	if (run->config->finished)
		run->config->finished(run->config->arg);
	layout_unlink(&run->plan.files);
	if (ret < 0)
		return ret;
	collect_results(run->clones, run->plan.nr, run->result);
	if (is_stopped(run)) {
		run->result->interrupted = true;
		note_add(&run->result->notes, NOTE_INTERRUPTED,
			 "stopped after %" PRIu64 " s, before its jobs had ended",
			 (clock_now_ns() - run->begun_ns) / 1000000000);
	}
	return 0;
}

static void free_clone(struct phase_clone *clone)
{
	worker_free(clone->worker);
	settle_free(clone->settle);
	snapshot_free(clone->snapshot);
}

int load_run(const struct load_config *config, struct result *result, struct err *err)
{
	struct run run = {
		.config = config,
		.result = result,
		.arena = ARENA_INIT,
		.begun_ns = clock_now_ns(),
	};
	int ret = run_all(&run, err);

	/* a thread that comes back from the kernel after all must find what it knew */
	for (size_t i = 0; run.clones && i < run.plan.nr; i++) {
		if (run.clones[i].is_left_behind)
			return ret;
	}
	for (size_t i = 0; run.clones && i < run.plan.nr; i++)
		free_clone(&run.clones[i]);
	log_writer_free(run.log);
	flow_table_release(&run.flows);
	free(run.clones);
	plan_release(&run.plan);
	arena_release(&run.arena);
	return ret;
}
