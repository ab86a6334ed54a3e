/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * load_rate: runs fio job options or job files through src/load alone and prints what was counted,
 * one line per report entry and direction. For measuring and comparing the hot loop.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "job/job_parse.h"
#include "load/load.h"
#include "model/job.h"
#include "model/result.h"

static void print_dir(const struct job_result *job, enum io_dir dir)
{
	const struct dir_result *counts = &job->dir[dir];
	const struct moments *lat = &counts->latency[LATENCY_LAT].moments;
	const struct moments *clat = &counts->latency[LATENCY_CLAT].moments;
	double runtime_s = (double)counts->runtime_ms / 1000.0;
	double cpu_ms = (double)(job->usr_ms + job->sys_ms);

	if (counts->total_ios == 0)
		return;
	printf("%s %s ios=%" PRIu64 " bytes=%" PRIu64 " short=%" PRIu64 " runtime_ms=%" PRIu64
	       " iops=%.0f usr_ns_per_io=%.2f cpu_ns_per_io=%.2f lat_ns=%.1f clat_ns=%.1f "
	       "n=%" PRIu64 " samples=%" PRIu64 " iops_samples_mean=%.0f\n",
	       job->name, io_dir_name(dir), counts->total_ios, counts->io_bytes, counts->short_ios,
	       counts->runtime_ms, (double)counts->total_ios / runtime_s,
	       (double)job->usr_ms * 1e6 / (double)counts->total_ios,
	       cpu_ms * 1e6 / (double)counts->total_ios, moments_mean(lat), moments_mean(clat),
	       clat->n, counts->iops.n, counts->iops.mean);
}

static void print_job(const struct job_result *job)
{
	for (enum io_dir dir = IO_READ; dir < IO_NR_DATA_DIRS; dir++)
		print_dir(job, dir);
	if (job->sync_ios)
		printf("%s sync ios=%" PRIu64 " mean_ns=%.0f\n", job->name, job->sync_ios,
		       moments_mean(&job->sync.moments));
	if (job->error)
		printf("%s error=%d where=%s\n", job->name, job->error, job->error_where);
	printf("%s depth=%" PRIu64 "/%" PRIu64 "/%" PRIu64 "/%" PRIu64 "/%" PRIu64 "/%" PRIu64
	       "/%" PRIu64 " ctx=%" PRIu64 " minf=%" PRIu64 "\n",
	       job->name, job->depth_at_submit[0], job->depth_at_submit[1], job->depth_at_submit[2],
	       job->depth_at_submit[3], job->depth_at_submit[4], job->depth_at_submit[5],
	       job->depth_at_submit[6], job->context_switches, job->minor_faults);
}

static int run(int nr_words, char **words, struct err *err)
{
	const struct job_parse_config parse = {
		.words = (const char *const *)words,
		.nr_words = (size_t)nr_words,
	};
	struct load_config load = { .seed = 1 };
	struct result result = { .nr_jobs = 0 };
	struct job_set jobs;
	struct clock clock;
	int ret = job_parse(&parse, &jobs, err);

	if (ret < 0)
		return ret;
	clock_init(&clock, CLOCK_PREFER_FAST);
	load.jobs = &jobs;
	load.clock = &clock;
	ret = load_run(&load, &result, err);
	for (size_t i = 0; ret == 0 && i < result.nr_jobs; i++)
		print_job(&result.jobs[i]);
	for (size_t i = 0; i < result.notes.nr; i++)
		printf("note: %s\n", result.notes.items[i].text);
	result_release(&result);
	job_set_release(&jobs);
	return ret;
}

int main(int argc, char **argv)
{
	struct err err = { .code = 0 };
	int ret = run(argc - 1, argv + 1, &err);

	if (ret < 0)
		fprintf(stderr, "load_rate: %s\n", err.msg);
	return -ret;
}
