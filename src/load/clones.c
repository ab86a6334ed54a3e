/* SPDX-License-Identifier: GPL-2.0-or-later */
/* clones: what the clones of a run do, as far as anybody may read it while they run. */
#include "load/clones.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "base/arena.h"
#include "load/phase.h"
#include "load/worker.h"
#include "model/job.h"

/* fio's letters: capital for sequential I/O. */
static char letter_of(unsigned rw)
{
	static const struct {
		unsigned dirs;
		char sequential, random;
	} rows[] = {
		{ RW_READ, 'R', 'r' },
		{ RW_WRITE, 'W', 'w' },
		{ RW_TRIM, 'D', 'd' },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if ((rw & RW_DIR_MASK) == rows[i].dirs)
			return rw & RW_RANDOM ? rows[i].random : rows[i].sequential;
	}
	return rw & RW_RANDOM ? 'm' : 'M';
}

static char state_of(const struct phase_clone *clone, const struct job *job, unsigned phase)
{
	const struct worker *worker = clone->worker;

	if (job->phase != phase || !worker)
		return job->phase > phase ? 'P' : '_';
	if (clone->is_over)
		return '_';
	if (atomic_load_explicit(&worker->shared.has_left, memory_order_acquire))
		return worker->failure.error ? 'X' : 'E';
	if (atomic_load_explicit(&worker->shared.end_ticks, memory_order_relaxed))
		return 'f';
	if (atomic_load_explicit(&worker->shared.epoch_ticks, memory_order_relaxed))
		return letter_of(job->rw);
	return job->ramp_time_ns ? '/' : 'I';
}

static void add_limits(const struct job *job, struct load_progress *progress)
{
	for (unsigned dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		if (!job_does(job, (enum io_dir)dir))
			continue;
		progress->rate_iops += job->rate_iops[dir];
		progress->rate_bytes_per_sec += job->rate_bytes_per_sec[dir];
	}
}

/* By time where all jobs end by time, else by bytes. */
static double share_of(const struct phase_config *config, const struct load_progress *progress)
{
	const struct plan *plan = config->plan;
	double done = 0, all = 0;

	if (progress->expected_ns) {
		double share = (double)progress->elapsed_ns / (double)progress->expected_ns;

		return share > 1 ? 1 : share;
	}
	for (size_t i = 0; i < plan->nr; i++) {
		const struct clone_plan *clone = &plan->clones[i];
		struct sample_counts counts = { .ios = { 0 } };

		if (clone->job->time_based || !clone->limit_bytes)
			return -1;
		all += (double)clone->limit_bytes * clone->job->loops;
		if (!config->clones[i].worker)
			continue;
		worker_read(config->clones[i].worker, &counts);
		for (unsigned dir = 0; dir < IO_NR_DATA_DIRS; dir++)
			done += (double)counts.bytes[dir];
	}
	if (!(all > 0))
		return -1;
	return done > all ? 1 : done / all;
}

char *clones_describe(const struct phase_config *config, unsigned phase,
		      struct load_progress *progress)
{
	const struct plan *plan = config->plan;
	char *states = xcalloc(plan->nr + 1, 1);

	for (size_t i = 0; i < plan->nr; i++) {
		const struct clone_plan *clone = &plan->clones[i];

		states[i] = state_of(&config->clones[i], clone->job, phase);
		if (states[i] == 'P' || states[i] == '_' || states[i] == 'E' || states[i] == 'X')
			continue;
		progress->nr_files += clone->nr_files;
		add_limits(clone->job, progress);
	}
	progress->states = states;
	progress->share = share_of(config, progress);
	return states;
}
