/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result: building, merging and freeing the numbers of a trial. Deriving metrics is metric.c. */
#include "model/result.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/units.h"
#include "model/steady.h"

const char *latency_kind_name(enum latency_kind kind)
{
	static const char *const names[LATENCY_NR_KINDS] = {
		[LATENCY_SLAT] = "slat",
		[LATENCY_CLAT] = "clat",
		[LATENCY_LAT] = "lat",
		[LATENCY_INTENDED] = "intended",
	};

	assert((unsigned)kind < LATENCY_NR_KINDS);
	return names[kind];
}

/* Room for one more item; the capacity is always the next power of two. */
static void *grow_by_one(void *items, size_t nr, size_t item_bytes)
{
	if (nr & (nr - 1))
		return items;
	return xreallocarray(items, nr ? 2 * nr : 1, item_bytes);
}

static void add_pair(struct result_pair **items, size_t *nr, const char *key, const char *value)
{
	*items = grow_by_one(*items, *nr, sizeof(**items));
	(*items)[(*nr)++] = (struct result_pair){ .key = xstrdup(key), .value = xstrdup(value) };
}

static void release_pairs(struct result_pair *items, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		free(items[i].key);
		free(items[i].value);
	}
	free(items);
}

void result_add_env(struct result *result, const char *key, const char *value)
{
	add_pair(&result->env, &result->nr_env, key, value);
}

void result_add_attachment(struct result *result, const char *name, const char *text)
{
	add_pair(&result->attachments, &result->nr_attachments, name, text);
}

static const char *pair_value(const struct result_pair *items, size_t nr, const char *key)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(items[i].key, key))
			return items[i].value;
	}
	return NULL;
}

const char *result_env(const struct result *result, const char *key)
{
	return pair_value(result->env, result->nr_env, key);
}

bool result_env_u64(const struct result *result, const char *key, uint64_t *ret_value)
{
	const char *value = result_env(result, key);

	return value && units_parse_u64(value, ret_value, NULL) == 0;
}

const char *result_attachment(const struct result *result, const char *name)
{
	return pair_value(result->attachments, result->nr_attachments, name);
}

void result_add_setting(struct result *result, const char *key, const char *value)
{
	add_pair(&result->settings, &result->nr_settings, key, value);
}

void result_add_global_option(struct result *result, const char *key, const char *value)
{
	add_pair(&result->global_options, &result->nr_global_options, key, value);
}

void job_result_add_option(struct job_result *job, const char *key, const char *value)
{
	add_pair(&job->options, &job->nr_options, key, value);
}

struct job_result *result_add_job(struct result *result)
{
	result->jobs = grow_by_one(result->jobs, result->nr_jobs, sizeof(*result->jobs));
	result->jobs[result->nr_jobs] = (struct job_result){ .name = NULL };
	return &result->jobs[result->nr_jobs++];
}

struct disk_result *result_add_disk(struct result *result, const char *name, int parent)
{
	result->disks = grow_by_one(result->disks, result->nr_disks, sizeof(*result->disks));
	result->disks[result->nr_disks] =
		(struct disk_result){ .name = xstrdup(name), .parent = parent };
	return &result->disks[result->nr_disks++];
}

struct timeline *result_add_timeline(struct result *result)
{
	result->timelines =
		grow_by_one(result->timelines, result->nr_timelines, sizeof(*result->timelines));
	result->timelines[result->nr_timelines] = (struct timeline){ .nr = 0 };
	return &result->timelines[result->nr_timelines++];
}

struct hist *latency_need_hist(struct latency *latency)
{
	if (!latency->hist)
		latency->hist = xcalloc(1, sizeof(*latency->hist));
	return latency->hist;
}

void latency_merge(struct latency *dst, const struct latency *src)
{
	moments_merge(&dst->moments, &src->moments);
	if (src->hist)
		hist_merge(latency_need_hist(dst), src->hist);
}

/*
 * fio sums the samples of the clones of a group as if all were taken at the same instants: mean,
 * minimum and maximum become those of the total, the deviation stays the pooled one of a clone.
 */
static void samples_sum(struct running *dst, const struct running *src)
{
	if (src->n == 0)
		return;
	dst->n += src->n;
	dst->mean += src->mean;
	dst->sum_sq_dev += src->sum_sq_dev;
	dst->min += src->min;
	dst->max += src->max;
}

void dir_result_merge(struct dir_result *dst, const struct dir_result *src)
{
	dst->total_ios += src->total_ios;
	dst->io_bytes += src->io_bytes;
	dst->short_ios += src->short_ios;
	dst->drop_ios += src->drop_ios;
	if (src->runtime_ms > dst->runtime_ms)
		dst->runtime_ms = src->runtime_ms;
	if (src->runtime_ns > dst->runtime_ns)
		dst->runtime_ns = src->runtime_ns;
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
		latency_merge(&dst->latency[kind], &src->latency[kind]);
	samples_sum(&dst->bw_kib_per_sec, &src->bw_kib_per_sec);
	samples_sum(&dst->iops, &src->iops);
}

void job_result_merge(struct job_result *dst, const struct job_result *src)
{
	dst->nr_clones += src->nr_clones;
	if (src->ended_at_unix_s > dst->ended_at_unix_s)
		dst->ended_at_unix_s = src->ended_at_unix_s;
	dst->region_bytes += src->region_bytes;
	if (!dst->error && src->error) {
		dst->error = src->error;
		free(dst->error_where);
		dst->error_where = src->error_where ? xstrdup(src->error_where) : NULL;
	}
	dst->nr_errors += src->nr_errors;

	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++)
		dir_result_merge(&dst->dir[dir], &src->dir[dir]);
	latency_merge(&dst->sync, &src->sync);
	dst->sync_ios += src->sync_ios;

	dst->wall_ms += src->wall_ms;
	dst->usr_ms += src->usr_ms;
	dst->sys_ms += src->sys_ms;
	dst->context_switches += src->context_switches;
	dst->major_faults += src->major_faults;
	dst->minor_faults += src->minor_faults;

	for (size_t i = 0; i < RESULT_NR_DEPTHS; i++) {
		dst->depth_at_submit[i] += src->depth_at_submit[i];
		dst->per_submit[i] += src->per_submit[i];
		dst->per_complete[i] += src->per_complete[i];
	}
	dst->has_slat |= src->has_slat;
	dst->is_silent &= src->is_silent;
	dst->shows_errors |= src->shows_errors;
}

void job_result_release(struct job_result *job)
{
	free(job->name);
	free(job->description);
	free(job->rw);
	free(job->ioengine);
	free(job->error_where);
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
			free(job->dir[dir].latency[kind].hist);
	}
	free(job->sync.hist);
	free(job->percentiles);
	steady_result_free(job->steady);
	release_pairs(job->options, job->nr_options);
	given_list_release(&job->given);
	*job = (struct job_result){ .name = NULL };
}

void result_release(struct result *result)
{
	free(result->label);
	free(result->tool);
	free(result->tool_version);
	free(result->target);
	free(result->source_file);
	free(result->clock);
	free(result->command);
	free(result->output);
	free(result->workload);
	for (size_t i = 0; i < result->nr_jobs; i++)
		job_result_release(&result->jobs[i]);
	free(result->jobs);
	for (size_t i = 0; i < result->nr_disks; i++)
		free(result->disks[i].name);
	free(result->disks);
	release_pairs(result->global_options, result->nr_global_options);
	free(result->timelines);
	release_pairs(result->settings, result->nr_settings);
	release_pairs(result->env, result->nr_env);
	release_pairs(result->attachments, result->nr_attachments);
	given_list_release(&result->given);
	given_list_release(&result->monitored);
	note_list_release(&result->notes);
	*result = (struct result){ .label = NULL };
}

int result_error(const struct result *result)
{
	for (size_t i = 0; i < result->nr_jobs; i++) {
		if (result->jobs[i].error)
			return result->jobs[i].error;
	}
	return 0;
}

bool job_result_has_failed(const struct job_result *job)
{
	return job->error && (job->error_where || job->nr_errors == 0);
}

size_t result_nr_failed(const struct result *result)
{
	size_t nr = 0;

	for (size_t i = 0; i < result->nr_jobs; i++)
		nr += job_result_has_failed(&result->jobs[i]);
	return nr;
}
