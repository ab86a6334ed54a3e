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

static const char *const dir_names[] = { "read", "write", "trim", "sync", "mixed" };

#define NR_DIRS (sizeof(dir_names) / sizeof(dir_names[0]))
#define MAX_NAME 256 /* of a metric that is copied; longer ones are not */
#define MAX_REST 32

/* "read.iops" is of "read". */
static bool is_of(const char *name, const char *dir)
{
	while (*dir && *name == *dir) {
		name++;
		dir++;
	}
	return !*dir && *name == '.';
}

static bool has_any(const struct given_list *list, const char *dir)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (is_of(list->items[i].name, dir))
			return true;
	}
	return false;
}

/* "dir.rest" if it fits. */
static bool build_name(char name[static MAX_NAME], const char *dir, const char *rest)
{
	char *end;

	if (strlen(dir) + strlen(rest) + 2 > MAX_NAME)
		return false;
	end = stpcpy(name, dir);
	*end++ = '.';
	(void)stpcpy(end, rest);
	return true;
}

/* One direction of one job. */
struct part {
	const struct given_list *given;
	size_t first, end; /* between which its metrics stand, maybe with others */
	const char *dir;   /* "read" */
	unsigned phase;
};

struct part_list VEC_BODY(struct part);

/* The part is only added if it has any metric. */
static void add_part(struct part_list *parts, const struct given_list *given, const char *dir,
		     unsigned phase)
{
	struct part part = { .given = given, .dir = dir, .phase = phase };

	for (size_t i = 0; i < given->nr; i++) {
		if (!is_of(given->items[i].name, dir))
			continue;
		if (!part.end)
			part.first = i;
		part.end = i + 1;
	}
	if (part.end)
		vec_push(parts, part);
}

static const struct given_metric *find(const struct part *part, const char *rest)
{
	size_t len = strlen(part->dir);

	for (size_t i = part->first; i < part->end; i++) {
		const char *name = part->given->items[i].name;

		if (is_of(name, part->dir) && name[len + 1] == *rest &&
		    !strcmp(name + len + 1, rest))
			return &part->given->items[i];
	}
	return NULL;
}

/* What the sums of one direction go to. */
struct target {
	struct given_list *given;
	const char *dir;
	bool is_new; /* nothing of that direction is in the list yet */
};

static struct target target_of(struct given_list *given, const char *dir)
{
	return (struct target){ .given = given, .dir = dir, .is_new = !has_any(given, dir) };
}

static struct given_metric *add(const struct target *into, const char *rest, double value,
				unsigned line)
{
	char name[MAX_NAME];

	if (!build_name(name, into->dir, rest) || (!into->is_new && given_find(into->given, name)))
		return NULL;
	return given_append(into->given, name, value, line);
}

static void set_missing(const struct target *into, const char *rest, double value)
{
	if (isfinite(value))
		(void)add(into, rest, value, 0);
}

/* What each part has of one metric, added up; NAN as soon as one part has none. */
static double sum_of(const struct part_list *parts, const char *rest)
{
	double sum = 0;

	for (size_t i = 0; i < parts->nr; i++) {
		const struct part *part = &parts->items[i];
		const struct given_metric *metric = find(part, rest);

		sum += metric ? metric->value : (double)NAN;
	}
	return sum;
}

static double extreme_of(const struct part_list *parts, const char *rest, bool is_max)
{
	double extreme = NAN;

	for (size_t i = 0; i < parts->nr; i++) {
		const struct part *part = &parts->items[i];
		const struct given_metric *metric = find(part, rest);

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
		const struct given_metric *metric = find(part, "runtime_ms");

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
static void merge_moments(const struct target *into, const struct part_list *parts,
			  const char *kind)
{
	double n = 0, mean = 0, sum_sq_dev = 0;
	char name[MAX_REST];

	for (size_t i = 0; i < parts->nr; i++) {
		const struct part *part = &parts->items[i];
		const struct given_metric *ios = find(part, "total_ios");
		const struct given_metric *part_mean, *stddev;
		double share, delta;

		(void)snprintf(name, sizeof(name), "%s_ns.mean", kind);
		part_mean = find(part, name);
		(void)snprintf(name, sizeof(name), "%s_ns.stddev", kind);
		stddev = find(part, name);
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
	set_missing(into, name, mean);
	(void)snprintf(name, sizeof(name), "%s_ns.stddev", kind);
	set_missing(into, name, n > 1 ? sqrt(sum_sq_dev / (n - 1)) : (double)NAN);
	(void)snprintf(name, sizeof(name), "%s_ns.min", kind);
	set_missing(into, name, extreme_of(parts, name, false));
	(void)snprintf(name, sizeof(name), "%s_ns.max", kind);
	set_missing(into, name, extreme_of(parts, name, true));
}

static void sum_parts(const struct target *into, const struct part_list *parts)
{
	double ios = sum_of(parts, "total_ios");
	double bytes = sum_of(parts, "io_bytes");
	double runtime_ms = runtime_of(parts);

	set_missing(into, "iops", rate_of(parts, ios, runtime_ms, "iops"));
	set_missing(into, "bw_bytes_per_sec",
		    rate_of(parts, bytes, runtime_ms, "bw_bytes_per_sec"));
	set_missing(into, "total_ios", ios);
	set_missing(into, "io_bytes", bytes);
	set_missing(into, "runtime_ms", runtime_ms);
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
		merge_moments(into, parts, latency_kind_name((enum latency_kind)kind));
}

/* All that the only part has, under the name of the direction it stands for. */
static void copy_part(const struct target *into, const struct part *part)
{
	size_t len = strlen(part->dir);

	for (size_t i = part->first; i < part->end; i++) {
		/* A copy: the target may be the list itself and move. */
		struct given_metric from = part->given->items[i];
		struct given_metric *added;

		if (!is_of(from.name, part->dir))
			continue;
		added = add(into, from.name + len + 1, from.value, from.line);
		if (!added)
			continue;
		added->stddev_percent = from.stddev_percent;
		added->nr_runs = from.nr_runs;
	}
}

static void complete(struct given_list *given, struct part_list *parts, const char *dir)
{
	struct target into = target_of(given, dir);

	if (parts->nr == 1)
		copy_part(&into, &parts->items[0]);
	if (parts->nr > 1) {
		qsort(parts->items, parts->nr, sizeof(parts->items[0]), compare_phases);
		sum_parts(&into, parts);
	}
}

/* Weight of a job's CPU shares: the time its clones ran. */
static double cpu_weight(const struct job_result *job)
{
	struct part_list parts = VEC_INIT;
	double longest_ms = 0;

	for (size_t dir = 0; dir < NR_DIRS; dir++)
		add_part(&parts, &job->given, dir_names[dir], 0);
	VEC_FOREACH (&parts, part) {
		const struct given_metric *metric = find(part, "runtime_ms");

		if (metric)
			longest_ms = fmax(longest_ms, metric->value);
	}
	vec_release(&parts);
	return longest_ms * (double)(job->nr_clones ? job->nr_clones : 1);
}

/* Of several jobs: shares of the CPU by the time that each ran, counters added. */
static void sum_cpu(struct result *result)
{
	static const char *const shares[] = { "usr_percent", "sys_percent" };
	struct target into = target_of(&result->given, "cpu");
	struct part_list parts = VEC_INIT;

	for (size_t i = 0; i < result->nr_jobs; i++)
		add_part(&parts, &result->jobs[i].given, "cpu", 0);
	for (size_t i = 0; i < 2 && parts.nr == result->nr_jobs; i++) {
		double sum = 0, weights = 0;

		for (size_t j = 0; j < result->nr_jobs; j++) {
			const struct given_metric *metric = find(&parts.items[j], shares[i]);
			double weight = cpu_weight(&result->jobs[j]);

			sum += metric ? metric->value * weight : (double)NAN;
			weights += weight;
		}
		set_missing(&into, shares[i], sum / weights);
	}
	if (parts.nr == result->nr_jobs)
		set_missing(&into, "ctx", sum_of(&parts, "ctx"));
	vec_release(&parts);
}

static bool is_of_dir(const char *name)
{
	for (size_t dir = 0; dir < NR_DIRS; dir++) {
		if (is_of(name, dir_names[dir]))
			return true;
	}
	return false;
}

/* True if the list has any name with the first len bytes of this one. */
static bool has_prefix(const struct given_list *list, const char *name, size_t len)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (!strncmp(list->items[i].name, name, len))
			return true;
	}
	return false;
}

/* "aiol.ops_per_sec" and the like of the only job; its directions have been copied. */
static void copy_others(struct result *result)
{
	const struct given_list *from = &result->jobs[0].given;
	size_t nr_before = result->given.nr;
	const char *prefix = ""; /* "cpu." of the last name: names come in groups */
	size_t prefix_len = 0;
	bool is_new = false;

	for (size_t i = 0; i < from->nr; i++) {
		const struct given_metric *metric = &from->items[i];
		struct given_list before = { .items = result->given.items, .nr = nr_before };
		struct given_metric *added;

		if (is_of_dir(metric->name))
			continue;
		if (!prefix_len || strncmp(metric->name, prefix, prefix_len) != 0) {
			prefix = metric->name;
			prefix_len = strcspn(prefix, ".") + 1;
			is_new = !has_prefix(&before, prefix, prefix_len);
		}
		if (!is_new && given_find(&before, metric->name))
			continue;
		added = given_append(&result->given, metric->name, metric->value, metric->line);
		added->stddev_percent = metric->stddev_percent;
		added->nr_runs = metric->nr_runs;
	}
}

/* Mixed I/Os stand for all directions where these are not reported. */
static bool is_data(const struct given_list *given, size_t dir)
{
	if (dir < IO_NR_DATA_DIRS || strcmp(dir_names[dir], "mixed") != 0)
		return dir < IO_NR_DATA_DIRS;
	for (size_t i = 0; i < IO_NR_DATA_DIRS; i++) {
		if (has_any(given, dir_names[i]))
			return false;
	}
	return true;
}

static void sum_dirs(struct result *result, struct part_list *total)
{
	struct part_list parts = VEC_INIT;

	for (size_t dir = 0; dir < NR_DIRS; dir++) {
		vec_clear(&parts);
		for (size_t i = 0; i < result->nr_jobs; i++) {
			const struct job_result *job = &result->jobs[i];
			size_t nr_before = parts.nr;

			add_part(&parts, &job->given, dir_names[dir], job->phase);
			if (parts.nr > nr_before && is_data(&job->given, dir))
				vec_push(total, parts.items[nr_before]);
		}
		complete(&result->given, &parts, dir_names[dir]);
	}
	vec_release(&parts);
}

void result_sum_given(struct result *result)
{
	struct part_list total = VEC_INIT;

	sum_dirs(result, &total);
	if (result->nr_jobs == 1)
		copy_others(result);
	if (result->nr_jobs > 1)
		sum_cpu(result);
	if (!result->nr_jobs) {
		for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++)
			add_part(&total, &result->given, dir_names[dir], 0);
	}
	complete(&result->given, &total, "total");
	vec_release(&total);
}
