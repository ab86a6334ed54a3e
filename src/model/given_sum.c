/* SPDX-License-Identifier: GPL-2.0-or-later */
/* given_sum: metrics of a whole result out of those that another program printed for each job. */
#include "model/given_sum.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "model/given.h"
#include "model/result.h"

/* One direction of one job. */
struct part {
	const struct given_list *given;
	const char *dir; /* "read" */
	unsigned phase;
};

struct part_list VEC_BODY(struct part);

static const char *const dir_names[] = { "read", "write", "trim", "sync", "mixed" };

#define NR_DIRS (sizeof(dir_names) / sizeof(dir_names[0]))
#define MAX_NAME 64 /* of the names built here, such as "read.clat_ns.stddev" */
#define MAX_REST 32

static bool has_prefix(const char *name, const char *dir)
{
	size_t len = strlen(dir);

	return !strncmp(name, dir, len) && name[len] == '.';
}

static const struct given_metric *find(const struct given_list *list, const char *dir,
				       const char *rest)
{
	char name[MAX_NAME];

	(void)snprintf(name, sizeof(name), "%s.%s", dir, rest);
	return given_find(list, name);
}

static void set_missing(struct given_list *list, const char *dir, const char *rest, double value)
{
	char name[MAX_NAME];

	(void)snprintf(name, sizeof(name), "%s.%s", dir, rest);
	if (isfinite(value) && !given_find(list, name))
		given_append(list, name, value, 0);
}

/* What each part has of one metric, added up; NAN as soon as one part has none. */
static double sum_of(const struct part_list *parts, const char *rest)
{
	double sum = 0;

	for (size_t i = 0; i < parts->nr; i++) {
		const struct part *part = &parts->items[i];
		const struct given_metric *metric = find(part->given, part->dir, rest);

		sum += metric ? metric->value : (double)NAN;
	}
	return sum;
}

static double extreme_of(const struct part_list *parts, const char *rest, bool is_max)
{
	double extreme = NAN;

	for (size_t i = 0; i < parts->nr; i++) {
		const struct part *part = &parts->items[i];
		const struct given_metric *metric = find(part->given, part->dir, rest);

		if (!metric)
			return (double)NAN;
		if (isnan(extreme) || (metric->value > extreme) == is_max)
			extreme = metric->value;
	}
	return extreme;
}

static int compare_phases(const void *a, const void *b)
{
	const struct part *left = a;
	const struct part *right = b;

	return (left->phase > right->phase) - (left->phase < right->phase);
}

/* The longest runtime of each phase, added up over the phases. The parts are sorted by phase. */
static double runtime_of(const struct part_list *parts)
{
	double sum_ms = 0, longest_ms = 0;

	for (size_t i = 0; i < parts->nr; i++) {
		const struct part *part = &parts->items[i];
		const struct given_metric *metric = find(part->given, part->dir, "runtime_ms");

		if (!metric)
			return (double)NAN;
		if (i && part->phase != parts->items[i - 1].phase) {
			sum_ms += longest_ms;
			longest_ms = 0;
		}
		longest_ms = fmax(longest_ms, metric->value);
	}
	return sum_ms + longest_ms;
}

static bool is_one_phase(const struct part_list *parts)
{
	return parts->items[0].phase == parts->items[parts->nr - 1].phase;
}

/* An amount per second, or the sum of the rates of jobs that ran side by side. */
static double rate_of(const struct part_list *parts, double amount, double runtime_ms,
		      const char *rest)
{
	double rate = amount * 1000.0 / runtime_ms;

	if (isfinite(rate))
		return rate;
	return is_one_phase(parts) ? sum_of(parts, rest) : (double)NAN;
}

/* Mean and deviation of all I/Os together (Chan, Golub & LeVeque 1979). */
static void merge_moments(struct given_list *into, const struct part_list *parts, const char *dir,
			  const char *kind)
{
	double n = 0, mean = 0, sum_sq_dev = 0;
	char name[MAX_REST];

	for (size_t i = 0; i < parts->nr; i++) {
		const struct part *part = &parts->items[i];
		const struct given_metric *ios = find(part->given, part->dir, "total_ios");
		const struct given_metric *part_mean, *stddev;
		double share, delta;

		(void)snprintf(name, sizeof(name), "%s_ns.mean", kind);
		part_mean = find(part->given, part->dir, name);
		(void)snprintf(name, sizeof(name), "%s_ns.stddev", kind);
		stddev = find(part->given, part->dir, name);
		if (!ios || !part_mean || ios->value <= 0)
			return;
		share = ios->value / (n + ios->value);
		delta = part_mean->value - mean;
		sum_sq_dev += delta * delta * n * share;
		sum_sq_dev +=
			stddev ? stddev->value * stddev->value * (ios->value - 1) : (double)NAN;
		mean += delta * share;
		n += ios->value;
	}
	(void)snprintf(name, sizeof(name), "%s_ns.mean", kind);
	set_missing(into, dir, name, mean);
	(void)snprintf(name, sizeof(name), "%s_ns.stddev", kind);
	set_missing(into, dir, name, n > 1 ? sqrt(sum_sq_dev / (n - 1)) : (double)NAN);
	(void)snprintf(name, sizeof(name), "%s_ns.min", kind);
	set_missing(into, dir, name, extreme_of(parts, name, false));
	(void)snprintf(name, sizeof(name), "%s_ns.max", kind);
	set_missing(into, dir, name, extreme_of(parts, name, true));
}

static void sum_parts(struct given_list *into, const struct part_list *parts, const char *dir)
{
	double ios = sum_of(parts, "total_ios");
	double bytes = sum_of(parts, "io_bytes");
	double runtime_ms = runtime_of(parts);

	set_missing(into, dir, "iops", rate_of(parts, ios, runtime_ms, "iops"));
	set_missing(into, dir, "bw_bytes_per_sec",
		    rate_of(parts, bytes, runtime_ms, "bw_bytes_per_sec"));
	set_missing(into, dir, "total_ios", ios);
	set_missing(into, dir, "io_bytes", bytes);
	set_missing(into, dir, "runtime_ms", runtime_ms);
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
		merge_moments(into, parts, dir, latency_kind_name((enum latency_kind)kind));
}

/* All that the only part has, under the name of the direction it stands for. */
static void copy_part(struct given_list *into, const struct part *part, const char *dir)
{
	size_t len = strlen(part->dir);

	for (size_t i = 0; i < part->given->nr; i++) {
		/* A copy: `into` may be the list itself and move. */
		struct given_metric metric = part->given->items[i];
		CLEANUP(free) char *name = NULL;
		struct given_metric *added;

		if (!has_prefix(metric.name, part->dir))
			continue;
		name = xasprintf("%s%s", dir, metric.name + len);
		if (given_find(into, name))
			continue;
		added = given_append(into, name, metric.value, metric.line);
		added->stddev_percent = metric.stddev_percent;
		added->nr_runs = metric.nr_runs;
	}
}

static void add_part(struct part_list *parts, const struct given_list *given, const char *dir,
		     unsigned phase)
{
	for (size_t i = 0; i < given->nr; i++) {
		if (!has_prefix(given->items[i].name, dir))
			continue;
		vec_push(parts, (struct part){ .given = given, .dir = dir, .phase = phase });
		return;
	}
}

static void complete(struct result *result, struct part_list *parts, const char *dir)
{
	if (parts->nr == 1)
		copy_part(&result->given, &parts->items[0], dir);
	if (parts->nr > 1) {
		qsort(parts->items, parts->nr, sizeof(parts->items[0]), compare_phases);
		sum_parts(&result->given, parts, dir);
	}
}

/* Weight of a job's CPU shares: the time its clones ran. */
static double cpu_weight(const struct job_result *job)
{
	double longest_ms = 0;

	for (size_t dir = 0; dir < NR_DIRS; dir++) {
		const struct given_metric *metric = find(&job->given, dir_names[dir], "runtime_ms");

		if (metric)
			longest_ms = fmax(longest_ms, metric->value);
	}
	return longest_ms * (double)(job->nr_clones ? job->nr_clones : 1);
}

static void sum_cpu(struct result *result)
{
	static const char *const shares[] = { "usr_percent", "sys_percent" };
	struct part_list parts = VEC_INIT;

	for (size_t i = 0; i < result->nr_jobs; i++)
		add_part(&parts, &result->jobs[i].given, "cpu", 0);
	for (size_t i = 0; i < 2 && parts.nr; i++) {
		double sum = 0, weights = 0;

		for (size_t j = 0; j < result->nr_jobs; j++) {
			const struct job_result *job = &result->jobs[j];
			const struct given_metric *metric = find(&job->given, "cpu", shares[i]);
			double weight = result->nr_jobs == 1 ? 1 : cpu_weight(job);

			sum += metric ? metric->value * weight : (double)NAN;
			weights += weight;
		}
		set_missing(&result->given, "cpu", shares[i], sum / weights);
	}
	if (parts.nr == result->nr_jobs && parts.nr)
		set_missing(&result->given, "cpu", "ctx", sum_of(&parts, "ctx"));
	vec_release(&parts);
}

/* "aiol.ops_per_sec" and the like of the only job. */
static void copy_others(struct result *result)
{
	const struct given_list *from = &result->jobs[0].given;

	for (size_t i = 0; i < from->nr; i++) {
		const struct given_metric *metric = &from->items[i];
		struct given_metric *added;

		if (given_find(&result->given, metric->name))
			continue;
		added = given_append(&result->given, metric->name, metric->value, metric->line);
		added->stddev_percent = metric->stddev_percent;
		added->nr_runs = metric->nr_runs;
	}
}

void result_sum_given(struct result *result)
{
	struct part_list parts = VEC_INIT;
	struct part_list total = VEC_INIT;

	for (size_t dir = 0; dir < NR_DIRS; dir++) {
		bool is_data = dir < IO_NR_DATA_DIRS;

		vec_clear(&parts);
		for (size_t i = 0; i < result->nr_jobs; i++) {
			const struct job_result *job = &result->jobs[i];

			add_part(&parts, &job->given, dir_names[dir], job->phase);
			if (is_data)
				add_part(&total, &job->given, dir_names[dir], job->phase);
		}
		complete(result, &parts, dir_names[dir]);
	}
	if (result->nr_jobs == 1)
		copy_others(result);
	sum_cpu(result);
	if (!result->nr_jobs) {
		for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++)
			add_part(&total, &result->given, dir_names[dir], 0);
	}
	complete(result, &total, "total");
	vec_release(&parts);
	vec_release(&total);
}
