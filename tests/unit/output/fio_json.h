/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_OUTPUT_FIO_JSON_H
#define REGIO_TESTS_UNIT_OUTPUT_FIO_JSON_H

/*
 * A result with the counters behind fio's json+: sums from means and deviations, histograms from
 * bins, counts from percentages. For the cross-check only; importing is src/import.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "base/arena.h"
#include "model/result.h"
#include "test.h"

static inline uint64_t get_u64(const json_t *object, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(object, key));
}

static inline double get_real(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

static inline void fill_latency(const json_t *object, struct latency *latency)
{
	long double n = (long double)get_u64(object, "N");
	long double sum = roundl((long double)get_real(object, "mean") * n);
	long double stddev = get_real(object, "stddev");
	const char *value;
	json_t *count;

	if (get_u64(object, "N") == 0)
		return;
	latency->moments = (struct moments){
		.n = get_u64(object, "N"),
		.min = get_u64(object, "min"),
		.max = get_u64(object, "max"),
		.sum = (uint64_t)sum,
		.sum_sq = (unsigned __int128)roundl(stddev * stddev * (n - 1) + sum / n * sum),
	};
	json_object_foreach(json_object_get(object, "bins"), value, count)
		latency_need_hist(latency)
			->counts[hist_index(strtoull(value, NULL, 10))] +=
		(uint64_t)json_integer_value(count);
}

static inline void fill_running(const json_t *dir, const char *const keys[5],
				struct running *running)
{
	double stddev = get_real(dir, keys[3]);

	running->min = get_real(dir, keys[0]);
	running->max = get_real(dir, keys[1]);
	running->mean = get_real(dir, keys[2]);
	running->n = get_u64(dir, keys[4]);
	running->sum_sq_dev = running->n ? stddev * stddev * (double)(running->n - 1) : 0;
}

static inline void fill_dir(const json_t *object, struct dir_result *dir)
{
	static const char *const bw[] = { "bw_min", "bw_max", "bw_mean", "bw_dev", "bw_samples" };
	static const char *const iops[] = { "iops_min", "iops_max", "iops_mean", "iops_stddev",
					    "iops_samples" };

	dir->total_ios = get_u64(object, "total_ios");
	dir->io_bytes = get_u64(object, "io_bytes");
	dir->short_ios = get_u64(object, "short_ios");
	dir->drop_ios = get_u64(object, "drop_ios");
	dir->runtime_ms = get_u64(object, "runtime");
	fill_latency(json_object_get(object, "slat_ns"), &dir->latency[LATENCY_SLAT]);
	fill_latency(json_object_get(object, "clat_ns"), &dir->latency[LATENCY_CLAT]);
	fill_latency(json_object_get(object, "lat_ns"), &dir->latency[LATENCY_LAT]);
	fill_running(object, bw, &dir->bw_kib_per_sec);
	fill_running(object, iops, &dir->iops);
}

/* Counts whose shares are the percentages given; fio has raised small ones to 0.1 already. */
static inline void fill_counts(const json_t *object, double total, uint64_t *counts)
{
	const char *key;
	json_t *percent;
	size_t i = 0;

	json_object_foreach((json_t *)object, key, percent)
	{
		double share = json_number_value(percent) / 100.0;

		(void)key;
		assert_true(i < RESULT_NR_DEPTHS);
		counts[i++] = share > 0.001 || share <= 0 ? (uint64_t)llround(share * total) : 1;
	}
	assert_int_equal(i, RESULT_NR_DEPTHS);
}

static inline void fill_percentiles(const json_t *latency, struct job_result *job)
{
	const json_t *percentiles = json_object_get(latency, "percentile");
	const char *percent;
	json_t *value;

	if (job->nr_percentiles || !percentiles)
		return;
	job->percentiles = xcalloc(json_object_size(percentiles), sizeof(double));
	json_object_foreach((json_t *)percentiles, percent, value)
		job->percentiles[job->nr_percentiles++] = strtod(percent, NULL);
}

static inline void fill_job(const json_t *object, struct job_result *job)
{
	static const char *const kinds[] = { "slat_ns", "clat_ns", "lat_ns" };
	bool *const switches[] = { &job->slat_percentiles, &job->clat_percentiles,
				   &job->lat_percentiles };
	const json_t *options = json_object_get(object, "job options");
	const json_t *description = json_object_get(object, "desc");
	const json_t *sync = json_object_get(json_object_get(object, "sync"), "lat_ns");
	const char *key;
	json_t *value;
	double total = 0;

	job->name = xstrdup(json_string_value(json_object_get(object, "jobname")));
	if (description)
		job->description = xstrdup(json_string_value(description));
	job->group_id = (unsigned)get_u64(object, "groupid");
	job->iodepth = (unsigned)get_u64(object, "latency_depth");
	json_object_foreach((json_t *)options, key, value)
		job_result_add_option(job, key, json_string_value(value));
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		const json_t *numbers = json_object_get(object, io_dir_name((enum io_dir)dir));

		fill_dir(numbers, &job->dir[dir]);
		total += (double)job->dir[dir].total_ios;
		for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
			const json_t *latency = json_object_get(numbers, kinds[kind]);

			*switches[kind] |= json_object_get(latency, "percentile") != NULL;
			fill_percentiles(latency, job);
		}
	}
	fill_latency(sync, &job->sync);
	job->sync_ios = get_u64(json_object_get(object, "sync"), "total_ios");
	job->wall_ms = get_u64(object, "job_runtime");
	job->usr_ms = (uint64_t)llround(get_real(object, "usr_cpu") * (double)job->wall_ms / 100);
	job->sys_ms = (uint64_t)llround(get_real(object, "sys_cpu") * (double)job->wall_ms / 100);
	job->context_switches = get_u64(object, "ctx");
	job->major_faults = get_u64(object, "majf");
	job->minor_faults = get_u64(object, "minf");
	fill_counts(json_object_get(object, "iodepth_level"), total, job->depth_at_submit);
	fill_counts(json_object_get(object, "iodepth_submit"), 1e7, job->per_submit);
	fill_counts(json_object_get(object, "iodepth_complete"), 1e7, job->per_complete);
}

static inline void fill_disk(const json_t *object, struct result *result)
{
	struct disk_result *disk =
		result_add_disk(result, json_string_value(json_object_get(object, "name")), -1);

	disk->ios[0] = get_u64(object, "read_ios");
	disk->ios[1] = get_u64(object, "write_ios");
	disk->merges[0] = get_u64(object, "read_merges");
	disk->merges[1] = get_u64(object, "write_merges");
	disk->ticks_ms[0] = get_u64(object, "read_ticks");
	disk->ticks_ms[1] = get_u64(object, "write_ticks");
	disk->in_queue_ms = get_u64(object, "in_queue");
	disk->io_ticks_ms = (uint64_t)llround(get_real(object, "util") * 1e6);
	disk->wall_ms = 100000000;
}

/* What JSON does not say stands in the job line: "a: (groupid=0, jobs=2): err= 0: pid=5: DATE". */
static inline void fill_from_job_lines(const char *text, struct result *result)
{
	for (size_t i = 0; i < result->nr_jobs; i++) {
		struct job_result *job = &result->jobs[i];
		struct tm tm = { .tm_isdst = -1 };
		const char *jobs, *pid;

		if (fabs((double)(job->dir[0].total_ios + job->dir[1].total_ios +
				  job->dir[2].total_ios)) < 1)
			continue;
		text = strstr(text, ": (groupid=");
		assert_non_null(text);
		jobs = strstr(text, "jobs=");
		pid = strstr(text, " pid=");
		assert_true(jobs && pid);
		job->nr_clones = (unsigned)strtoul(jobs + 5, NULL, 10);
		job->tid = strtol(pid + 5, NULL, 10);
		assert_non_null(strptime(strchr(pid, ':') + 2, "%a %b %d %H:%M:%S %Y", &tm));
		job->ended_at_unix_s = mktime(&tm);
		text = pid;
	}
}

#endif
