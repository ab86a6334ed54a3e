/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_RESULT_H
#define REGIO_MODEL_RESULT_H

/*
 * A result is what one trial yields. It owns everything in it; result_release() frees all.
 * Numbers are exact integers where the source is exact; derived numbers (IOPS, percentiles)
 * are computed from them when asked for, never stored beside them. An imported result has no
 * counters: its numbers stand in `given`, of the result and of each job. What monitors saw of the
 * machine meanwhile stands in `monitored`.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "model/given.h"
#include "model/io.h"
#include "model/note.h"
#include "stats/hist.h"
#include "stats/moments.h"
#include "stats/running.h"
#include "stats/timeline.h"

struct err;
struct steady_result;

/* Version of the measuring method; raised by any change that can alter a number. */
#define RESULT_METHOD_VERSION 2

/* One kind of latency in ns. hist is NULL where nothing of that kind was measured. */
struct latency {
	struct moments moments; /* n = 0 beside a histogram: imported, the sums are not known */
	struct hist *hist;	/* owned; total count equals moments.n unless that is 0 */
};

enum latency_kind {
	LATENCY_SLAT, /* start -> issue; only engines that submit and reap */
	LATENCY_CLAT, /* issue -> complete */
	LATENCY_LAT,  /* start -> complete */
	/* the time the rate= of the job wants it to start -> complete; only with a rate */
	LATENCY_INTENDED,
	LATENCY_NR_KINDS,
};

/* "slat", "clat", "lat", "intended". */
const char *latency_kind_name(enum latency_kind kind);

struct dir_result {
	uint64_t total_ios; /* issued and completed, failed ones included, as fio counts */
	uint64_t io_bytes;  /* transferred */
	uint64_t short_ios;
	uint64_t drop_ios;
	uint64_t runtime_ms; /* of this direction; max over the clones when merged */
	uint64_t runtime_ns; /* the same, exact; 0 where only milliseconds are known */
	struct latency latency[LATENCY_NR_KINDS];
	struct running bw_kib_per_sec; /* samples, one per window per clone */
	struct running iops;	       /* samples */
};

/* Depth maps as fio's: share of I/Os by depth, by number per submit and per reap call. */
#define RESULT_NR_DEPTHS 7 /* 1 2 4 8 16 32 >=64, resp. 0 4 8 16 32 64 >=64 */

/* One report entry: one clone, or one group when group_reporting merges it. */
struct job_result {
	char *name;
	char *description; /* NULL if none */
	char *rw;	   /* rw=, bs=, ioengine= as reported */
	char *ioengine;
	uint64_t bs_min_bytes[IO_NR_DATA_DIRS];
	uint64_t bs_max_bytes[IO_NR_DATA_DIRS];
	unsigned iodepth;
	unsigned group_id;
	unsigned phase;
	unsigned nr_clones; /* merged into this entry */
	int64_t tid;	    /* of the first clone */
	int64_t ended_at_unix_s;

	uint64_t region_bytes; /* what its files or devices offer to it; of clones the sum */
	int error;	       /* errno of the first failure, 0 = none */
	char *error_where;     /* file and call, NULL if none */
	uint64_t nr_errors;    /* I/Os that failed and were passed over */

	struct dir_result dir[IO_NR_DATA_DIRS];
	struct latency sync; /* fsync, fdatasync */
	uint64_t sync_ios;

	uint64_t wall_ms; /* sum over the clones: what the CPU shares refer to */
	uint64_t usr_ms, sys_ms;
	uint64_t context_switches;
	uint64_t major_faults, minor_faults;

	uint64_t depth_at_submit[RESULT_NR_DEPTHS]; /* number of I/Os (fsyncs included) */
	uint64_t per_submit[RESULT_NR_DEPTHS];	    /* number of calls */
	uint64_t per_complete[RESULT_NR_DEPTHS];    /* number of calls */

	/* how to print it */
	unsigned kb_base;
	bool group_reporting;
	bool has_slat; /* the engine submits and reaps, so slat and lat are separate */
	bool clat_percentiles, lat_percentiles, slat_percentiles;
	double *percentiles; /* ascending, 0..100 */
	size_t nr_percentiles;
	unsigned unified_rw;	      /* enum unified_rw */
	unsigned unit_base;	      /* 1: rates in bits, 8 or 0: in bytes */
	unsigned significant_figures; /* of the normal text; 0: 4 */
	bool is_silent;		      /* stats=0: nothing of it was counted */
	bool shows_errors;	      /* it may go on after errors, so that their number is told */
	uint64_t latency_target_ns;   /* latency_target= and its like, as asked for */
	uint64_t latency_window_us;
	double latency_percentile;    /* 0: 100 */
	unsigned latency_depth;	      /* found for latency_target; 0: iodepth */
	struct steady_result *steady; /* owned; NULL unless it was to settle (steadystate=) */
	struct result_pair *options;  /* the section's own options, canonical names */
	size_t nr_options;

	struct given_list given; /* of an imported job, in place of all counters above */
};

/* Counters of one block device over the trial: differences of /sys/block/DEV/stat. */
struct disk_result {
	char *name; /* "sda" */
	int parent; /* index of the master in result.disks, -1 for the device under the files */
	uint64_t ios[2], merges[2], sectors[2], ticks_ms[2]; /* read, write */
	uint64_t in_queue_ms;
	uint64_t io_ticks_ms;
	uint64_t wall_ms; /* util = io_ticks / wall */
};

struct result_pair {
	char *key;
	char *value;
};

struct result {
	char *label; /* "A", "B", a name given by the user; NULL if none */
	char *tool;  /* "regio" or the imported program */
	char *tool_version;
	char *target;	      /* "local"; NULL where it was imported */
	char *source_file;    /* it was imported from; NULL if it was measured */
	unsigned source_line; /* first line of it there, from 1 */
	unsigned method_version;
	int64_t started_at_unix_ms;
	uint64_t elapsed_ms;
	uint64_t seed;	  /* of offsets and data */
	char *clock;	  /* "tsc" or "clock_gettime" */
	bool interrupted; /* a signal ended it early: partial */
	char *command;	  /* external program that was the workload; NULL if there was none */
	char *output;	  /* what it printed: stdout, then stderr */
	char *workload;	  /* of regio's own, with its options; NULL if there was none */
	struct job_result *jobs;
	size_t nr_jobs;
	struct disk_result *disks;
	size_t nr_disks;
	struct result_pair *global_options; /* of the job files, canonical names */
	size_t nr_global_options;
	/* I/Os of all jobs of a phase while all of them were measuring; one entry a phase. */
	struct timeline *timelines;
	size_t nr_timelines;
	struct result_pair *settings; /* applied for this trial, values as read back */
	size_t nr_settings;
	struct result_pair *env; /* facts about machine, kernel and block stack: env/env.h */
	size_t nr_env;
	struct result_pair *attachments; /* whole texts by name; few results carry them */
	size_t nr_attachments;
	struct given_list given;     /* of an imported result, sums over its jobs included */
	struct given_list monitored; /* what monitors saw during the measurement; LKP's names */
	struct note_list notes;
};

void result_release(struct result *result);
CLEANUP_DEFINE(result, struct result, result_release)

/* For an entry that stands outside a result, such as one clone's before it is merged. */
void job_result_release(struct job_result *job);
CLEANUP_DEFINE(job_result, struct job_result, job_result_release)

/*
 * The arrays of a result grow only through these, which choose their capacity. The pointer to a
 * new entry is valid until the next append; the entry is zeroed.
 */
struct job_result *result_add_job(struct result *result);
struct disk_result *result_add_disk(struct result *result, const char *name, int parent);
struct timeline *result_add_timeline(struct result *result);
void result_add_env(struct result *result, const char *key, const char *value);
void result_add_attachment(struct result *result, const char *name, const char *text);
void result_add_setting(struct result *result, const char *key, const char *value);
void result_add_global_option(struct result *result, const char *key, const char *value);
void job_result_add_option(struct job_result *job, const char *key, const char *value);

/*
 * The configuration of the kernel, as an attachment. Each result has the fact NAME_sha256; the text
 * goes with the first result of a session, and the store keeps it once.
 */
#define RESULT_KERNEL_CONFIG "kernel.config"

/* The value of a fact of the environment; NULL where it is not known. */
const char *result_env(const struct result *result, const char *key);
/* False where it is not known, or is no whole number. */
bool result_env_u64(const struct result *result, const char *key, uint64_t *ret_value);
/* The text of an attachment; NULL where there is none. */
const char *result_attachment(const struct result *result, const char *name);

/* Makes sure latency->hist exists. Outside the hot path only. */
struct hist *latency_need_hist(struct latency *latency);
/* Adds src to dst (allocating dst's histogram if needed). */
void latency_merge(struct latency *dst, const struct latency *src);

/* The same for all numbers of a direction. */
void dir_result_merge(struct dir_result *dst, const struct dir_result *src);

/*
 * Merges src into dst as fio's group_reporting does: counters added, runtime the maximum,
 * latencies and samples merged, the first error kept. dst keeps its name and options.
 */
void job_result_merge(struct job_result *dst, const struct job_result *src);

/* First errno over the jobs, 0 when every job ended without error. */
int result_error(const struct result *result);

/* False also where all its errors were passed over (continue_on_error): then nothing says where. */
bool job_result_has_failed(const struct job_result *job);
/* Number of jobs that failed. */
size_t result_nr_failed(const struct result *result);

#endif
