/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cohort: turns results, one by one, into columns of values. What they mean is left to others. */
#include "analysis/cohort.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/pattern.h"
#include "model/metric.h"
#include "model/metric_digest.h"
#include "stats/hist.h"

#define MAX_KEY_LEN 256 /* longer names of metrics are cut: nobody compares them */

static const char *const usual_of_jobs[] = {
	"*.iops",	  "*.bw_bytes_per_sec", "*.runtime_ms",
	"*.clat_ns.mean", "*.lat_ns.mean",	"*.clat_ns.p99",
};

/* ---- series ---- */

static void series_key(char key[MAX_KEY_LEN], size_t job, const char *name)
{
	if (job == COHORT_WHOLE)
		(void)snprintf(key, MAX_KEY_LEN, "/%s", name);
	else
		(void)snprintf(key, MAX_KEY_LEN, "%zu/%s", job, name);
}

static struct cohort_series *need_series(struct cohort *cohort, size_t job, const char *name)
{
	char key[MAX_KEY_LEN];
	size_t nr = cohort->series.nr;
	size_t place;

	series_key(key, job, name);
	place = *name_index_place(&cohort->places, key, nr);
	if (place == nr) {
		const char *kept = arena_strdup(&cohort->arena, key);

		name_index_rename(&cohort->places, kept);
		vec_push(&cohort->series,
			 (struct cohort_series){ .name = strchr(kept, '/') + 1, .job = job });
	}
	return &cohort->series.items[place];
}

const struct cohort_series *cohort_find(const struct cohort *cohort, size_t job, const char *name)
{
	char key[MAX_KEY_LEN];
	const size_t *place;

	series_key(key, job, name);
	place = name_index_find(&cohort->places, key);
	return place ? &cohort->series.items[*place] : NULL;
}

/* Of two values of one name in one run the first one counts, as in metric_find. */
static void push_value(const struct cohort *cohort, struct cohort_series *series, double value)
{
	if (!isfinite(value) || (series->last_run == cohort->runs.nr && series->values.nr))
		return;
	vec_push(&series->values, value);
	series->last_run = cohort->runs.nr;
}

struct cohort_series *cohort_add_value(struct cohort *cohort, const char *name, double value)
{
	struct cohort_series *series = need_series(cohort, COHORT_WHOLE, name);

	push_value(cohort, series, value);
	return series;
}

void cohort_add_source_name(struct cohort *cohort, const char *name, const char *source_name)
{
	struct cohort_series *series = need_series(cohort, COHORT_WHOLE, name);

	if (!series->source_name)
		series->source_name = arena_strdup(&cohort->arena, source_name);
}

static void add_given(struct cohort *cohort, size_t job, const struct given_metric *given)
{
	struct cohort_series *series;

	if (!isfinite(given->value))
		return;
	series = need_series(cohort, job, given->name);
	if (given->source_name && job == COHORT_WHOLE)
		cohort_add_source_name(cohort, given->name, given->source_name);
	if (given->nr_runs == 0) {
		push_value(cohort, series, given->value);
		return;
	}
	if (series->posted.nr_runs)
		return; /* the first one that was posted */
	series->posted = (struct posted){ .mean = given->value,
					  .stddev_percent = given->stddev_percent,
					  .nr_runs = given->nr_runs,
					  .change = given->change,
					  .line = given->line };
}

/* ---- runs ---- */

static bool is_repeated(const struct cohort *cohort, const struct cohort_run *run)
{
	if (run->nr_metrics < METRIC_DIGEST_MIN_METRICS)
		return false;
	VEC_FOREACH (&cohort->runs, seen) {
		if (seen->digest == run->digest && seen->nr_metrics == run->nr_metrics)
			return true;
	}
	return false;
}

bool cohort_begin_run(struct cohort *cohort, const struct cohort_run *run)
{
	cohort->is_last_used = false;
	if (is_repeated(cohort, run)) {
		cohort->nr_repeated++;
		return false;
	}
	vec_push(&cohort->runs, *run);
	cohort->nr_failed += run->error != 0;
	cohort->is_last_used = run->error == 0;
	return cohort->is_last_used;
}

size_t cohort_nr_used(const struct cohort *cohort)
{
	return cohort->runs.nr - cohort->nr_failed;
}

/* ---- jobs ---- */

size_t cohort_find_job(const struct cohort *cohort, const struct cohort_job *job)
{
	for (size_t i = 0; i < cohort->jobs.nr; i++) {
		const struct cohort_job *it = &cohort->jobs.items[i];

		if (it->ordinal == job->ordinal && !strcmp(it->name, job->name))
			return i;
	}
	return COHORT_WHOLE;
}

static size_t need_job(struct cohort *cohort, const struct result *result, size_t index)
{
	struct cohort_job job = { .name = result->jobs[index].name, .ordinal = 1 };
	size_t place;

	if (!job.name)
		job.name = "";
	for (size_t i = 0; i < index; i++) {
		const char *name = result->jobs[i].name ? result->jobs[i].name : "";

		job.ordinal += !strcmp(name, job.name);
	}
	/* Runs of one workload have the same jobs in the same order. */
	if (index < cohort->jobs.nr && cohort->jobs.items[index].ordinal == job.ordinal &&
	    !strcmp(cohort->jobs.items[index].name, job.name))
		return index;
	place = cohort_find_job(cohort, &job);
	if (place != COHORT_WHOLE)
		return place;
	job.name = arena_strdup(&cohort->arena, job.name);
	vec_push(&cohort->jobs, job);
	return cohort->jobs.nr - 1;
}

static void add_job(struct cohort *cohort, size_t place, const struct job_result *job,
		    enum cohort_jobs jobs)
{
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };

	for (size_t i = 0; i < job->given.nr; i++) {
		if (jobs == COHORT_JOBS_ALL || PATTERN_ANY(job->given.items[i].name, usual_of_jobs))
			add_given(cohort, place, &job->given.items[i]);
	}
	if (job->given.nr)
		return;
	job_result_metrics(job, &metrics);
	for (size_t i = 0; i < metrics.nr; i++) {
		const struct metric *metric = &metrics.items[i];
		bool is_total = !strncmp(metric->name, "total.", 6);

		if (!is_total &&
		    (jobs == COHORT_JOBS_ALL || PATTERN_ANY(metric->name, usual_of_jobs)))
			push_value(cohort, need_series(cohort, place, metric->name), metric->value);
	}
}

/* ---- histograms ---- */

const struct cohort_latency *cohort_find_latency(const struct cohort *cohort, enum io_dir dir,
						 enum latency_kind kind)
{
	VEC_FOREACH (&cohort->latencies, latency) {
		if (latency->dir == dir && latency->kind == kind)
			return latency;
	}
	return NULL;
}

void cohort_add_histogram(struct cohort *cohort, enum io_dir dir, enum latency_kind kind,
			  const struct hist *hist)
{
	struct cohort_latency *latency = NULL;
	struct shift_run run;

	VEC_FOREACH (&cohort->latencies, it) {
		if (it->dir == dir && it->kind == kind)
			latency = it;
	}
	if (!latency) {
		vec_push(&cohort->latencies, (struct cohort_latency){ .dir = dir, .kind = kind });
		latency = vec_last(&cohort->latencies);
	}
	shift_run_init(&run, hist);
	vec_push(&latency->runs, run);
}

/* The histograms of one direction and kind of all jobs together. */
static void add_latency(struct cohort *cohort, const struct result *result, enum io_dir dir,
			enum latency_kind kind)
{
	CLEANUP(free) struct hist *sum = NULL;

	for (size_t i = 0; i < result->nr_jobs; i++) {
		const struct job_result *job = &result->jobs[i];
		const struct latency *latency =
			dir == IO_SYNC ? &job->sync : &job->dir[dir].latency[kind];

		if (!latency->hist)
			continue;
		if (!sum)
			sum = xcalloc(1, sizeof(*sum));
		hist_merge(sum, latency->hist);
	}
	if (sum && hist_total(sum))
		cohort_add_histogram(cohort, dir, kind, sum);
}

static void add_latencies(struct cohort *cohort, const struct result *result)
{
	for (int dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		for (int kind = 0; kind < LATENCY_NR_KINDS; kind++)
			add_latency(cohort, result, (enum io_dir)dir, (enum latency_kind)kind);
	}
	add_latency(cohort, result, IO_SYNC, LATENCY_LAT);
}

/* ---- results ---- */

static void add_metrics(struct cohort *cohort, const struct result *result,
			const struct metric_list *metrics)
{
	for (size_t i = 0; i < result->given.nr; i++)
		add_given(cohort, COHORT_WHOLE, &result->given.items[i]);
	for (size_t i = 0; i < metrics->nr && !result->given.nr; i++)
		(void)cohort_add_value(cohort, metrics->items[i].name, metrics->items[i].value);
}

/* A table of means counts for the runs behind it, and is none itself. */
static bool is_table(const struct result *result)
{
	for (size_t i = 0; i < result->given.nr; i++) {
		if (result->given.items[i].nr_runs == 0)
			return false;
	}
	return result->given.nr > 0;
}

void cohort_add_result(struct cohort *cohort, const struct result *result, enum cohort_jobs jobs)
{
	CLEANUP(metric_list) struct metric_list metrics = { .nr = 0 };
	struct cohort_run run = { .error = result_error(result),
				  .started_at_unix_ms = result->started_at_unix_ms };

	result_metrics(result, &metrics);
	run.digest = metric_list_digest(&metrics);
	run.nr_metrics = metrics.nr;
	if (is_table(result))
		cohort->nr_tables++;
	else if (!cohort_begin_run(cohort, &run))
		return;
	add_metrics(cohort, result, &metrics);
	for (size_t i = 0; i < result->nr_jobs && result->nr_jobs > 1; i++)
		add_job(cohort, need_job(cohort, result, i), &result->jobs[i], jobs);
	add_latencies(cohort, result);
}

const char *cohort_lkp(const struct cohort *cohort, const char *key)
{
	VEC_FOREACH (&cohort->lkp, pair) {
		if (!strcmp(pair->key, key))
			return pair->value;
	}
	return NULL;
}

void cohort_add_lkp(struct cohort *cohort, const char *key, const char *value)
{
	if (cohort_lkp(cohort, key))
		return;
	vec_push(&cohort->lkp,
		 (struct result_pair){ .key = arena_strdup(&cohort->arena, key),
				       .value = arena_strdup(&cohort->arena, value) });
}

struct cohort *cohort_create(const char *workload)
{
	struct cohort *cohort = xcalloc(1, sizeof(*cohort));

	cohort->workload = arena_strdup(&cohort->arena, workload);
	return cohort;
}

void cohort_free(struct cohort *cohort)
{
	VEC_FOREACH (&cohort->series, series)
		vec_release(&series->values);
	VEC_FOREACH (&cohort->latencies, latency)
		vec_release(&latency->runs);
	vec_release(&cohort->series);
	vec_release(&cohort->latencies);
	vec_release(&cohort->runs);
	vec_release(&cohort->jobs);
	vec_release(&cohort->lkp);
	name_index_release(&cohort->places);
	arena_release(&cohort->arena);
	free(cohort);
}
