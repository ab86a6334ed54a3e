/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_SAMPLE_RESULT_H
#define REGIO_TESTS_UNIT_SAMPLE_RESULT_H

/*
 * A result with fixed numbers, for tests of everything that reads results: a group of two clones
 * that reads, writes and syncs through libaio, a job that failed, a job that did nothing, disks
 * under a dm device, settings, environment and notes. Do not change it: an archive file of
 * version 1 and golden files hold it.
 */
#include <errno.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/rng.h"
#include "model/result.h"

/* nr latencies spread over low_ns * (1 .. 2^octaves) in eighths of each, from a fixed seed. */
static inline void sample_latency(struct latency *latency, uint64_t seed, uint64_t low_ns,
				  unsigned octaves, size_t nr)
{
	struct hist *hist = latency_need_hist(latency);
	struct rng rng;

	rng_init(&rng, seed);
	for (size_t i = 0; i < nr; i++) {
		uint64_t base_ns = low_ns << rng_below(&rng, octaves);
		uint64_t value_ns = base_ns + rng_below(&rng, 8) * base_ns / 8;

		moments_add(&latency->moments, value_ns);
		hist_record(hist, value_ns);
	}
}

static inline void sample_running(struct running *running, uint64_t seed, uint64_t middle,
				  size_t nr)
{
	struct rng rng;

	rng_init(&rng, seed);
	for (size_t i = 0; i < nr; i++)
		running_add(running, (double)(middle - middle / 8 + rng_below(&rng, middle / 4)));
}

static inline void sample_job_basics(struct job_result *job, const char *name, const char *rw,
				     const char *ioengine, unsigned iodepth)
{
	static const double percentiles[] = { 1,  5,  10, 20, 30,   40,	  50,	 60,   70,
					      80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99 };

	job->name = xstrdup(name);
	job->rw = xstrdup(rw);
	job->ioengine = xstrdup(ioengine);
	job->iodepth = iodepth;
	job->nr_clones = 1;
	job->kb_base = 1024;
	job->clat_percentiles = true;
	job->nr_percentiles = sizeof(percentiles) / sizeof(percentiles[0]);
	job->percentiles = xcalloc(job->nr_percentiles, sizeof(double));
	for (size_t i = 0; i < job->nr_percentiles; i++)
		job->percentiles[i] = percentiles[i];
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++)
		job->bs_min_bytes[dir] = job->bs_max_bytes[dir] = 4096;
	job->tid = 7826;
	job->ended_at_unix_s = 1717158896;
}

static inline void sample_dir(struct dir_result *dir, uint64_t seed, uint64_t nr)
{
	dir->total_ios = nr;
	dir->io_bytes = nr * 4096;
	dir->runtime_ms = 3001;
	sample_latency(&dir->latency[LATENCY_SLAT], seed + 1, 2000, 6, nr);
	sample_latency(&dir->latency[LATENCY_CLAT], seed + 2, 150, 18, nr);
	sample_latency(&dir->latency[LATENCY_LAT], seed + 3, 4000, 14, nr);
	sample_running(&dir->bw_kib_per_sec, seed + 4, 28375, 10);
	sample_running(&dir->iops, seed + 5, 7093, 10);
}

static inline void sample_group(struct job_result *job)
{
	static const uint64_t depths[] = { 1, 2, 3, 43185, 0, 0, 0 };

	sample_job_basics(job, "rr", "randrw", "libaio", 8);
	job->description = xstrdup("mixed load");
	job->nr_clones = 2;
	job->group_reporting = true;
	job->has_slat = true;
	sample_dir(&job->dir[IO_READ], 100, 20884);
	sample_dir(&job->dir[IO_WRITE], 200, 20992);
	job->dir[IO_WRITE].short_ios = 1;
	sample_latency(&job->sync, 300, 200000, 9, 1315);
	job->sync_ios = 1315;
	job->wall_ms = 6002;
	job->usr_ms = 193;
	job->sys_ms = 874;
	job->context_switches = 7693;
	job->major_faults = 0;
	job->minor_faults = 31;
	for (size_t i = 0; i < RESULT_NR_DEPTHS; i++)
		job->depth_at_submit[i] = depths[i];
	job->per_submit[1] = 43191;
	job->per_complete[1] = 43000;
	job->per_complete[2] = 12;
	job_result_add_option(job, "rw", "randrw");
	job_result_add_option(job, "iodepth", "8");
	job_result_add_option(job, "group_reporting", "");
}

static inline void sample_disks(struct result *result)
{
	struct disk_result *disk = result_add_disk(result, "dm-0", -1);

	*disk = (struct disk_result){
		.name = disk->name,
		.parent = -1,
		.ios = { 21204, 22188 },
		.merges = { 30, 43 },
		.sectors = { 169632, 177504 },
		.ticks_ms = { 2649, 3180 },
		.in_queue_ms = 6313,
		.io_ticks_ms = 1128,
		.wall_ms = 3001,
	};
	for (int i = 0; i < 2; i++) {
		disk = result_add_disk(result, i ? "sdb" : "sda", 0);
		disk->ios[0] = 10602;
		disk->ios[1] = i ? 0 : 22187;
		disk->merges[1] = 3;
		disk->ticks_ms[0] = 1300;
		disk->ticks_ms[1] = i ? 0 : 3001;
		disk->in_queue_ms = 2800;
		disk->io_ticks_ms = i ? 500 : 1113;
		disk->wall_ms = 3001;
	}
}

static inline void sample_result(struct result *result)
{
	struct job_result *job;

	*result = (struct result){
		.label = xstrdup("A"),
		.tool = xstrdup("regio"),
		.tool_version = xstrdup("0.1.0"),
		.target = xstrdup("local"),
		.method_version = 1,
		.started_at_unix_ms = 1717158893123,
		.elapsed_ms = 3042,
		.seed = 0xfedcba9876543210,
		.clock = xstrdup("tsc"),
	};
	sample_group(result_add_job(result));

	job = result_add_job(result);
	sample_job_basics(job, "full", "write", "psync", 1);
	job->group_id = 1;
	job->phase = 1;
	job->error = ENOSPC;
	job->error_where = xstrdup("/data/full.0.0: write at 1048576");
	job->dir[IO_WRITE].total_ios = 257;
	job->dir[IO_WRITE].io_bytes = 256 * 4096;
	job->dir[IO_WRITE].runtime_ms = 12;
	sample_latency(&job->dir[IO_WRITE].latency[LATENCY_CLAT], 400, 2500000, 6, 256);
	sample_latency(&job->dir[IO_WRITE].latency[LATENCY_LAT], 401, 2500100, 6, 256);
	job->wall_ms = 12;
	job->usr_ms = 1;
	job->sys_ms = 9;
	job->depth_at_submit[0] = 257;
	job->per_submit[1] = 257;
	job->per_complete[0] = 1;
	job->per_complete[1] = 256;

	job = result_add_job(result);
	sample_job_basics(job, "idle", "read", "psync", 1);
	job->group_id = 2;
	job->phase = 2;

	sample_disks(result);
	result_add_setting(result, "queue.scheduler", "mq-deadline");
	result_add_env(result, "kernel.release", "6.1.0");
	result_add_env(result, "cpu.model", "caf\xc3\xa9");
	result_add_env(result, "file", "odd\xffname"); /* no UTF-8 */
	note_add(&result->notes, NOTE_JOB_ERROR, "job 'full': No space left on device");
	note_add(&result->notes, NOTE_FEW_IOS, "job 'full': p99.9 of 256 I/Os");
}

/* An imported one: no counters, given metrics, a histogram without moments. An archive file of
 * version 2 holds it. */
static inline void sample_imported_result(struct result *result)
{
	struct job_result *job = result_add_job(result);
	struct given_metric *metric;

	result->label = xstrdup("6.8 + revert");
	result->tool = xstrdup("fio");
	result->tool_version = xstrdup("3.19");
	result->source_file = xstrdup("mail.txt");
	result->source_line = 122;
	job->name = xstrdup("job");
	job->rw = xstrdup("write");
	job->nr_clones = 48;
	job->tid = 6164;
	(void)given_append(&job->given, "write.iops", 1884, 128);
	(void)given_append(&job->given, "write.clat_ns.mean", 1602560000, 130);
	latency_need_hist(&job->dir[IO_WRITE].latency[LATENCY_CLAT])->counts[700] = 41;
	(void)given_append(&result->given, "write.iops", 1884, 128);
	metric = given_append(&result->given, "aiol.ops_per_sec", 187.64, 300);
	metric->stddev_percent = 5;
	metric->nr_runs = 24;
	note_add(&result->notes, NOTE_INPUT_INCOMPLETE, "the disk statistics are missing");
}

#endif
