/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_metrics: derives every metric of a result from its counters and histograms. */
#include "model/metric.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/units.h"
#include "base/vec.h"
#include "model/result.h"
#include "model/steady.h"

/* A percentile is shown when at least so many I/Os are expected beyond it. */
#define MIN_IOS_BEYOND 30.0

static const double standard_percentiles[] = { 50, 90, 99, 99.9, 99.99, 99.999, 99.9999 };

/* Index of the sum over the three data directions, after them. */
#define DIR_TOTAL IO_NR_DATA_DIRS
#define NR_SUMS (IO_NR_DATA_DIRS + 1)

/* One direction over all jobs. */
struct dir_sum {
	uint64_t total_ios;
	uint64_t io_bytes;
	uint64_t runtime_ns; /* sum over the phases of the longest runtime in the phase */
	struct latency latency[LATENCY_NR_KINDS];
};

struct phase_time {
	unsigned phase;
	uint64_t runtime_ns[NR_SUMS];
};

struct metric_builder {
	VEC(struct metric) metrics;
	VEC(double) percents; /* ascending, each once */
};

__attribute__((format(printf, 3, 4))) static void emit(struct metric_builder *builder, double value,
						       const char *format, ...)
{
	char *name = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&name, format, args) < 0)
		out_of_memory(0);
	va_end(args);
	vec_push(&builder->metrics, (struct metric){ .name = name, .value = value });
}

static int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

static int compare_phases(const void *a, const void *b)
{
	const struct phase_time *left = a;
	const struct phase_time *right = b;

	return (left->phase > right->phase) - (left->phase < right->phase);
}

/* What the jobs list, and the standard ones: so every result of a sample has the same names. */
static void collect_percents(struct metric_builder *builder, const struct result *result)
{
	size_t kept = 0;
	double *items;

	for (size_t i = 0; i < sizeof(standard_percentiles) / sizeof(standard_percentiles[0]); i++)
		vec_push(&builder->percents, standard_percentiles[i]);
	for (size_t i = 0; i < result->nr_jobs; i++) {
		for (size_t j = 0; j < result->jobs[i].nr_percentiles; j++)
			vec_push(&builder->percents, result->jobs[i].percentiles[j]);
	}
	items = builder->percents.items;
	qsort(items, builder->percents.nr, sizeof(*items), compare_doubles);
	for (size_t i = 0; i < builder->percents.nr; i++) {
		if (kept == 0 || items[i] > items[kept - 1])
			items[kept++] = items[i];
	}
	builder->percents.nr = kept;
}

static int has_enough_ios(uint64_t n, double percent)
{
	/* 100 - 99.9 is not exactly 0.1; 30000 I/Os must suffice for it. */
	return (double)n * (100.0 - percent) >= 100.0 * MIN_IOS_BEYOND * (1.0 - 1e-9);
}

static void emit_percentiles(struct metric_builder *builder, const char *prefix,
			     const struct latency *latency)
{
	CLEANUP(free) double *qs = xcalloc(builder->percents.nr, sizeof(*qs));
	CLEANUP(free) uint64_t *values_ns = xcalloc(builder->percents.nr, sizeof(*values_ns));

	for (size_t i = 0; i < builder->percents.nr; i++)
		qs[i] = builder->percents.items[i] / 100.0;
	hist_quantiles(latency->hist, qs, builder->percents.nr, values_ns);
	for (size_t i = 0; i < builder->percents.nr; i++) {
		double percent = builder->percents.items[i];

		if (has_enough_ios(latency->moments.n, percent))
			emit(builder, (double)values_ns[i], "%s.p%.9g", prefix, percent);
	}
}

static void emit_latency(struct metric_builder *builder, const char *dir, const char *kind,
			 const struct latency *latency)
{
	const struct moments *moments = &latency->moments;
	CLEANUP(free) char *prefix = xasprintf("%s.%s_ns", dir, kind);

	if (moments->n == 0)
		return;
	emit(builder, moments_mean(moments), "%s.mean", prefix);
	if (moments->n > 1)
		emit(builder, moments_stddev(moments), "%s.stddev", prefix);
	emit(builder, (double)moments->min, "%s.min", prefix);
	emit(builder, (double)moments->max, "%s.max", prefix);
	if (latency->hist)
		emit_percentiles(builder, prefix, latency);
}

static void dir_sum_add(struct dir_sum *sum, const struct dir_result *dir)
{
	sum->total_ios += dir->total_ios;
	sum->io_bytes += dir->io_bytes;
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
		latency_merge(&sum->latency[kind], &dir->latency[kind]);
}

static void dir_sum_release(struct dir_sum *sum)
{
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
		free(sum->latency[kind].hist);
}

static uint64_t exact_runtime_ns(const struct dir_result *dir)
{
	return dir->runtime_ns ? dir->runtime_ns : dir->runtime_ms * NS_PER_MS;
}

static void keep_longer(uint64_t *longest_ns, uint64_t runtime_ns)
{
	if (runtime_ns > *longest_ns)
		*longest_ns = runtime_ns;
}

/* Jobs of one phase run side by side, phases one after the other. */
static void sum_runtimes(const struct result *result, struct dir_sum sums[NR_SUMS])
{
	CLEANUP(free) struct phase_time *times = xcalloc(result->nr_jobs + 1, sizeof(*times));
	size_t kept = 0;

	for (size_t i = 0; i < result->nr_jobs; i++) {
		times[i].phase = result->jobs[i].phase;
		for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
			uint64_t runtime_ns = exact_runtime_ns(&result->jobs[i].dir[dir]);

			times[i].runtime_ns[dir] = runtime_ns;
			keep_longer(&times[i].runtime_ns[DIR_TOTAL], runtime_ns);
		}
	}
	qsort(times, result->nr_jobs, sizeof(*times), compare_phases);
	for (size_t i = 1; i < result->nr_jobs; i++) {
		if (times[i].phase != times[kept].phase) {
			times[++kept] = times[i];
			continue;
		}
		for (size_t dir = 0; dir < NR_SUMS; dir++)
			keep_longer(&times[kept].runtime_ns[dir], times[i].runtime_ns[dir]);
	}
	for (size_t i = 0; i <= kept; i++) {
		for (size_t dir = 0; dir < NR_SUMS; dir++)
			sums[dir].runtime_ns += times[i].runtime_ns[dir];
	}
}

static void emit_dir(struct metric_builder *builder, const char *name, const struct dir_sum *sum)
{
	double seconds = (double)sum->runtime_ns / 1e9;

	if (sum->total_ios == 0 && sum->io_bytes == 0)
		return;
	if (sum->runtime_ns) {
		emit(builder, (double)sum->total_ios / seconds, "%s.iops", name);
		emit(builder, (double)sum->io_bytes / seconds, "%s.bw_bytes_per_sec", name);
	}
	emit(builder, (double)sum->total_ios, "%s.total_ios", name);
	emit(builder, (double)sum->io_bytes, "%s.io_bytes", name);
	if (sum->runtime_ns)
		emit(builder, (double)sum->runtime_ns / NS_PER_MS, "%s.runtime_ms", name);
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
		emit_latency(builder, name, latency_kind_name((enum latency_kind)kind),
			     &sum->latency[kind]);
}

static void emit_dirs(struct metric_builder *builder, const struct result *result)
{
	struct dir_sum sums[NR_SUMS] = { { .total_ios = 0 } };
	struct latency sync = { .hist = NULL };
	uint64_t sync_ios = 0;

	for (size_t i = 0; i < result->nr_jobs; i++) {
		const struct job_result *job = &result->jobs[i];

		for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
			dir_sum_add(&sums[dir], &job->dir[dir]);
			dir_sum_add(&sums[DIR_TOTAL], &job->dir[dir]);
		}
		latency_merge(&sync, &job->sync);
		sync_ios += job->sync_ios;
	}
	sum_runtimes(result, sums);

	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++)
		emit_dir(builder, io_dir_name((enum io_dir)dir), &sums[dir]);
	emit_dir(builder, "total", &sums[DIR_TOTAL]);
	if (sync_ios) {
		if (sums[DIR_TOTAL].runtime_ns)
			emit(builder, (double)sync_ios * 1e9 / (double)sums[DIR_TOTAL].runtime_ns,
			     "sync.iops");
		emit(builder, (double)sync_ios, "sync.total_ios");
	}
	emit_latency(builder, "sync", "lat", &sync);
	for (size_t dir = 0; dir < NR_SUMS; dir++)
		dir_sum_release(&sums[dir]);
	free(sync.hist);
}

static void emit_cpu(struct metric_builder *builder, const struct result *result)
{
	uint64_t wall_ms = 0, usr_ms = 0, sys_ms = 0, ctx = 0;

	for (size_t i = 0; i < result->nr_jobs; i++) {
		wall_ms += result->jobs[i].wall_ms;
		usr_ms += result->jobs[i].usr_ms;
		sys_ms += result->jobs[i].sys_ms;
		ctx += result->jobs[i].context_switches;
	}
	if (wall_ms == 0)
		return;
	emit(builder, (double)usr_ms * 100.0 / (double)wall_ms, "cpu.usr_percent");
	emit(builder, (double)sys_ms * 100.0 / (double)wall_ms, "cpu.sys_percent");
	emit(builder, (double)ctx, "cpu.ctx");
}

static void emit_disk(struct metric_builder *builder, const struct disk_result *disk)
{
	static const char *const dirs[2] = { "read", "write" };
	int has_sectors = disk->sectors[0] || disk->sectors[1]; /* not in output of old fio */

	for (size_t i = 0; i < 2; i++) {
		emit(builder, (double)disk->ios[i], "disk.%s.%s_ios", disk->name, dirs[i]);
		emit(builder, (double)disk->merges[i], "disk.%s.%s_merges", disk->name, dirs[i]);
		if (has_sectors) /* always of 512 bytes */
			emit(builder, (double)disk->sectors[i] * 512.0, "disk.%s.%s_bytes",
			     disk->name, dirs[i]);
		if (has_sectors && disk->ios[i])
			emit(builder, (double)disk->sectors[i] / (double)disk->ios[i],
			     "disk.%s.%s_sectors_per_request", disk->name, dirs[i]);
		emit(builder, (double)disk->ticks_ms[i], "disk.%s.%s_ticks_ms", disk->name,
		     dirs[i]);
	}
	emit(builder, (double)disk->in_queue_ms, "disk.%s.in_queue_ms", disk->name);
	if (disk->wall_ms) {
		double util = (double)disk->io_ticks_ms * 100.0 / (double)disk->wall_ms;

		emit(builder, util > 100.0 ? 100.0 : util, "disk.%s.util_percent", disk->name);
	}
}

static void emit_given(struct metric_builder *builder, const struct given_list *given)
{
	vec_reserve(&builder->metrics, given->nr);
	for (size_t i = 0; i < given->nr; i++)
		emit(builder, given->items[i].value, "%s", given->items[i].name);
}

void job_result_metrics(const struct job_result *job, struct metric_list *ret_list)
{
	struct job_result borrowed = *job;
	struct result result = { .jobs = &borrowed, .nr_jobs = 1, .given = job->given };

	result_metrics(&result, ret_list);
}

/* What jobs looked for: the depth that keeps a latency, and whether they have settled. */
static void emit_found(struct metric_builder *builder, const struct result *result)
{
	size_t nr_settling = 0, nr_settled = 0;
	unsigned depth = 0;

	for (size_t i = 0; i < result->nr_jobs; i++) {
		const struct job_result *job = &result->jobs[i];

		if (job->latency_target_ns)
			depth += job->latency_depth;
		if (!job->steady)
			continue;
		nr_settling++;
		nr_settled += job->steady->is_attained;
	}
	if (depth)
		emit(builder, depth, "latency_target.depth");
	if (nr_settling)
		emit(builder, nr_settled == nr_settling, "steadystate.attained");
}

static void emit_measured(struct metric_builder *builder, const struct result *result)
{
	collect_percents(builder, result);
	emit_dirs(builder, result);
	emit_cpu(builder, result);
	emit_found(builder, result);
	for (size_t i = 0; i < result->nr_disks; i++)
		emit_disk(builder, &result->disks[i]);
}

void result_metrics(const struct result *result, struct metric_list *ret_list)
{
	struct metric_builder builder = { .metrics = { .nr = 0 } };

	if (result->given.nr)
		emit_given(&builder, &result->given);
	else
		emit_measured(&builder, result);
	emit_given(&builder, &result->monitored);
	vec_release(&builder.percents);
	*ret_list =
		(struct metric_list){ .items = builder.metrics.items, .nr = builder.metrics.nr };
}
