/* SPDX-License-Identifier: GPL-2.0-or-later */
/* aiol_report: from the counts of all instances to a result. */
#include "load/aiol_report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/units.h"
#include "load/aiol.h"
#include "model/given.h"
#include "model/note.h"
#include "model/result.h"

#define MS_PER_SEC 1000.0
#define MIN_TAIL 30 /* observations beyond a percentile that is shown */

static const struct phase_row {
	const char *name;
	enum io_dir dir;
} phases[AIOL_NR_PHASES] = {
	[AIOL_PWRITE] = { "pwrite", IO_WRITE },
	[AIOL_PREAD] = { "pread", IO_READ },
	[AIOL_PWRITEV] = { "pwritev", IO_WRITE },
	[AIOL_PREADV] = { "preadv", IO_READ },
};

/* Sums and means over the instances. */
struct totals {
	uint64_t ops, loops, completed, syncs, mismatches, batches;
	uint64_t longest_loop_ns;
	double mean_wall_s;
	double usr_s, sys_s;
	double rate_sum, rate_min, rate_max, inverse_rates; /* completions/s of each instance */
	unsigned nr_rates;
};

static double seconds_of(const struct timeval *time)
{
	return (double)time->tv_sec + (double)time->tv_usec / 1e6;
}

static void add_rate(struct totals *totals, const struct aiol_counts *counts)
{
	double rate;

	if (!counts->loop_ns)
		return;
	rate = (double)counts->nr_completed / ((double)counts->loop_ns / NS_PER_S);
	totals->rate_sum += rate;
	totals->inverse_rates += rate > 0 ? 1 / rate : INFINITY;
	totals->rate_min = totals->nr_rates ? fmin(totals->rate_min, rate) : rate;
	totals->rate_max = fmax(totals->rate_max, rate);
	totals->nr_rates++;
}

static struct totals add_up(const struct aiol_report *report)
{
	unsigned nr = report->config->nr_instances;
	struct totals totals = {
		.usr_s = seconds_of(&report->usage->ru_utime),
		.sys_s = seconds_of(&report->usage->ru_stime),
	};

	for (unsigned i = 0; i < nr; i++) {
		const struct aiol_counts *counts = &report->counts[i];

		totals.ops += counts->ops;
		totals.loops += counts->nr_loops;
		totals.completed += counts->nr_completed;
		totals.syncs += counts->nr_syncs;
		totals.mismatches += counts->nr_mismatches;
		for (size_t phase = 0; phase < AIOL_NR_PHASES; phase++)
			totals.batches += counts->nr_batches[phase];
		totals.mean_wall_s += (double)counts->wall_ns / NS_PER_S / nr;
		if (counts->loop_ns > totals.longest_loop_ns)
			totals.longest_loop_ns = counts->loop_ns;
		add_rate(&totals, counts);
	}
	return totals;
}

static void add(struct result *result, const char *name, double value)
{
	if (isfinite(value))
		(void)given_set(&result->monitored, name, value, 0);
}

/* Under the names and by the formulas of stress-ng; rates by its column "real time". */
static void report_like_stress_ng(const struct aiol_report *report, const struct totals *totals,
				  struct result *result)
{
	double cpu_s = totals->usr_s + totals->sys_s;

	add(result, "aiol.ops", (double)totals->ops);
	add(result, "aiol.ops_per_sec", (double)totals->ops / totals->mean_wall_s);
	if (cpu_s > 0)
		add(result, "aiol.ops_per_cpu_sec", (double)totals->ops / cpu_s);
	add(result, "aiol.runtime_ms", totals->mean_wall_s * MS_PER_SEC);
	add(result, "aiol.usr_ms", totals->usr_s * MS_PER_SEC);
	add(result, "aiol.sys_ms", totals->sys_s * MS_PER_SEC);
	add(result, "aiol.cpu_percent",
	    100 * cpu_s / (totals->mean_wall_s * report->config->nr_instances));
	add(result, "aiol.rss_max_bytes", (double)report->usage->ru_maxrss * 1024);
	add(result, "aiol.async_I/O_events_completed", (double)totals->completed);
	add(result, "aiol.async_I/O_events_completed_per_sec",
	    totals->nr_rates / totals->inverse_rates);
}

static void report_batches(const struct aiol_report *report, const struct totals *totals,
			   struct result *result)
{
	double loop_s = (double)totals->longest_loop_ns / NS_PER_S;

	add(result, "aiol.loops", (double)totals->loops);
	add(result, "aiol.batches", (double)totals->batches);
	add(result, "aiol.batches_per_sec", (double)totals->batches / loop_s);
	add(result, "aiol.completions_per_sec.sum", totals->rate_sum);
	add(result, "aiol.completions_per_sec.mean", totals->rate_sum / totals->nr_rates);
	add(result, "aiol.completions_per_sec.min", totals->rate_min);
	add(result, "aiol.completions_per_sec.max", totals->rate_max);
	for (size_t phase = 0; phase < AIOL_NR_PHASES; phase++) {
		CLEANUP(free) struct hist *hist = xcalloc(1, sizeof(*hist));
		struct moments moments = { .n = 0 };
		CLEANUP(free) char *mean = xasprintf("aiol.%s.batch_ns.mean", phases[phase].name);
		CLEANUP(free) char *p50 = xasprintf("aiol.%s.batch_ns.p50", phases[phase].name);
		CLEANUP(free) char *p99 = xasprintf("aiol.%s.batch_ns.p99", phases[phase].name);

		for (unsigned i = 0; i < report->config->nr_instances; i++) {
			hist_merge(hist, &report->counts[i].batch_hists[phase]);
			moments_merge(&moments, &report->counts[i].batch_moments[phase]);
		}
		if (!moments.n)
			continue;
		add(result, mean, moments_mean(&moments));
		if (moments.n >= 2 * MIN_TAIL)
			add(result, p50, (double)hist_quantile(hist, 0.5));
		if (moments.n >= 100 * MIN_TAIL)
			add(result, p99, (double)hist_quantile(hist, 0.99));
	}
}

static void take_error(struct job_result *job, const struct aiol_report *report)
{
	for (unsigned i = 0; i < report->config->nr_instances && !job->error; i++) {
		const struct aiol_counts *counts = &report->counts[i];

		if (!counts->error)
			continue;
		job->error = counts->error;
		job->error_where = xasprintf("instance %u: %s", i, counts->error_where);
	}
}

static void add_option(struct job_result *job, const char *key, unsigned value)
{
	CLEANUP(free) char *text = xasprintf("%u", value);

	job_result_add_option(job, key, text);
}

static void describe_job(struct job_result *job, const struct aiol_report *report,
			 const struct phase_row *phase, uint64_t total_ios)
{
	static const double percentiles[] = { 1, 5, 10, 50, 90, 95, 99, 99.9 };
	size_t nr = sizeof(percentiles) / sizeof(percentiles[0]);

	while (nr && (double)total_ios * (1 - percentiles[nr - 1] / 100) < MIN_TAIL)
		nr--;
	job->name = xstrdup(phase->name);
	job->rw = xstrdup(phase->dir == IO_READ ? "read" : "write");
	job->ioengine = xstrdup("libaio");
	job->bs_min_bytes[phase->dir] = AIOL_BLOCK_BYTES;
	job->bs_max_bytes[phase->dir] = AIOL_BLOCK_BYTES;
	job->iodepth = report->config->requests;
	job->nr_clones = report->config->nr_instances;
	job->kb_base = 1024;
	job->group_reporting = true;
	job->clat_percentiles = true;
	job->percentiles = xcalloc(nr + 1, sizeof(*job->percentiles));
	memcpy(job->percentiles, percentiles, nr * sizeof(*percentiles));
	job->nr_percentiles = nr;
	add_option(job, "requests", report->config->requests);
	add_option(job, "instances", report->config->nr_instances);
	if (report->config->like_stress_ng)
		job_result_add_option(job, "like-stress-ng", "");
	job->ended_at_unix_s = (int64_t)(clock_wall_ns() / 1000000000);
}

/* All phases lasted as long as the loops did: they take turns. */
static void report_phase(const struct aiol_report *report, size_t phase,
			 const struct totals *totals, struct result *result)
{
	const struct phase_row *row = &phases[phase];
	struct job_result *job = result_add_job(result);
	struct dir_result *dir = &job->dir[row->dir];
	struct latency *clat = &dir->latency[LATENCY_CLAT];

	for (unsigned i = 0; i < report->config->nr_instances; i++) {
		const struct aiol_counts *counts = &report->counts[i];
		struct latency one = { .moments = counts->moments[phase] };

		dir->total_ios += counts->moments[phase].n;
		dir->io_bytes += counts->io_bytes[phase];
		one.hist = latency_need_hist(&one);
		hist_merge(one.hist, &counts->hists[phase]);
		latency_merge(clat, &one);
		latency_merge(&dir->latency[LATENCY_LAT], &one);
		free(one.hist);
	}
	describe_job(job, report, row, dir->total_ios);
	dir->runtime_ns = totals->longest_loop_ns;
	dir->runtime_ms = (totals->longest_loop_ns + NS_PER_MS - 1) / NS_PER_MS;
	if (phase != AIOL_PWRITE)
		return; /* CPU time and errors belong to all phases together: once */
	job->wall_ms = (uint64_t)(totals->mean_wall_s * MS_PER_SEC * report->config->nr_instances);
	job->usr_ms = (uint64_t)(totals->usr_s * MS_PER_SEC);
	job->sys_ms = (uint64_t)(totals->sys_s * MS_PER_SEC);
	job->context_switches = (uint64_t)(report->usage->ru_nvcsw + report->usage->ru_nivcsw);
	job->major_faults = (uint64_t)report->usage->ru_majflt;
	job->minor_faults = (uint64_t)report->usage->ru_minflt;
	take_error(job, report);
}

static void report_doubts(const struct aiol_report *report, const struct totals *totals,
			  struct result *result)
{
	bool is_buffered = false;

	for (unsigned i = 0; i < report->config->nr_instances; i++)
		is_buffered |= report->counts[i].is_buffered;
	if (is_buffered)
		note_add(&result->notes, NOTE_OPTION_WARNING,
			 "the filesystem of '%s' has no O_DIRECT: the page cache is measured",
			 report->config->directory);
	if (totals->mismatches)
		note_add(&result->notes, NOTE_JOB_ERROR,
			 "aiol: %" PRIu64 " blocks read are not what was written to them",
			 totals->mismatches);
	if (result->jobs[0].error)
		note_add(&result->notes, NOTE_JOB_ERROR, "aiol: %s: %s",
			 result->jobs[0].error_where, strerror(result->jobs[0].error));
}

void aiol_report(const struct aiol_report *report, struct result *result)
{
	struct totals totals = add_up(report);

	for (size_t phase = 0; phase < AIOL_NR_PHASES; phase++)
		report_phase(report, phase, &totals, result);
	report_like_stress_ng(report, &totals, result);
	report_batches(report, &totals, result);
	if (totals.mismatches && !result->jobs[0].error) {
		result->jobs[0].error = EILSEQ;
		result->jobs[0].error_where = xstrdup("verify");
	}
	report_doubts(report, &totals, result);
}
