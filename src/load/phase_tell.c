/* SPDX-License-Identifier: GPL-2.0-or-later */
/* phase_tell: what others learn of a phase while it runs: timeline, progress, status reports. */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/units.h"
#include "load/clones.h"
#include "load/phase.h"
#include "load/phase_state.h"
#include "load/snapshot.h"
#include "load/worker.h"
#include "model/result.h"
#include "stats/timeline.h"

#define PROGRESS_NS UINT64_C(1000000000)

void phase_sum_counts(const struct phase *phase, struct sample_counts *ret_sum)
{
	*ret_sum = (struct sample_counts){ .ios = { 0 } };
	for (size_t i = 0; i < phase->nr_runners; i++) {
		struct sample_counts counts;

		worker_read(phase->runners[i].clone->worker, &counts);
		for (unsigned dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
			ret_sum->ios[dir] += counts.ios[dir];
			ret_sum->bytes[dir] += counts.bytes[dir];
		}
	}
}

/* Whether all of them measure: past their ramp, and none at its end. */
static bool all_measure(const struct phase *phase)
{
	for (size_t i = 0; i < phase->nr_runners; i++) {
		const struct worker_shared *shared = &phase->runners[i].clone->worker->shared;

		if (!atomic_load_explicit(&shared->epoch_ticks, memory_order_relaxed) ||
		    atomic_load_explicit(&shared->end_ticks, memory_order_relaxed))
			return false;
	}
	return phase->nr_runners > 0;
}

static void draw_timeline(struct phase *phase, uint64_t now_ns)
{
	struct sample_counts sum;

	if (!timeline_is_due(phase->timeline, now_ns / NS_PER_US) || !all_measure(phase))
		return;
	phase_sum_counts(phase, &sum);
	timeline_add(phase->timeline, now_ns / NS_PER_US,
		     sum.ios[IO_READ] + sum.ios[IO_WRITE] + sum.ios[IO_TRIM]);
}

static void report_progress(struct phase *phase)
{
	const struct load_config *load = phase->config->load;
	uint64_t interval_ns =
		load->progress_interval_ns ? load->progress_interval_ns : PROGRESS_NS;
	uint64_t now_ns = clock_now_ns();
	uint64_t elapsed_ns = now_ns - phase->progress_ns;
	struct load_progress progress = {
		.elapsed_ns = now_ns - phase->config->begun_ns,
		.expected_ns = phase->config->expected_ns,
		.nr_running = phase->nr_running,
		.nr_workers = phase->config->plan->nr,
	};
	CLEANUP(free) char *states = NULL;
	struct sample_counts counts;

	if (!load->progress || elapsed_ns < interval_ns)
		return;
	phase_sum_counts(phase, &counts);
	for (unsigned dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		uint64_t ios = counts.ios[dir] - phase->progress_counts.ios[dir];
		uint64_t bytes = counts.bytes[dir] - phase->progress_counts.bytes[dir];

		progress.iops[dir] = (double)ios * 1e9 / (double)elapsed_ns;
		progress.bytes_per_sec[dir] = (double)bytes * 1e9 / (double)elapsed_ns;
	}
	phase->progress_ns = now_ns;
	phase->progress_counts = counts;
	states = clones_describe(phase->config, phase->number, &progress);
	load->progress(load->arg, &progress);
}

static void report_status(struct phase *phase)
{
	const struct load_config *load = phase->config->load;
	struct result partial = { .nr_jobs = 0 };
	bool is_wanted = load->status_wanted &&
			 atomic_exchange_explicit(load->status_wanted, false, memory_order_relaxed);

	if (!load->status)
		return;
	if (load->status_interval_ns &&
	    clock_now_ns() - phase->status_ns >= load->status_interval_ns)
		is_wanted = true;
	if (!is_wanted)
		return;
	phase->status_ns = clock_now_ns();
	snapshot_collect(phase->config->clones, phase->config->plan->nr, &partial);
	load->status(load->arg, &partial);
	result_release(&partial);
}

void phase_tell(struct phase *phase, uint64_t now_ns)
{
	draw_timeline(phase, now_ns);
	report_progress(phase);
	report_status(phase);
}
