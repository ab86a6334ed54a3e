/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_LOAD_H
#define REGIO_LOAD_LOAD_H

/*
 * load runs a job set: lays out and opens the files, starts one worker thread per clone,
 * phase by phase, joins them and merges what they counted into a result.
 * Between the start barrier and join a worker allocates, locks and logs nothing.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct clock;
struct err;
struct job_set;
struct result;

/* Snapshot for a progress line, about once a second. */
struct load_progress {
	uint64_t elapsed_ns;
	uint64_t expected_ns; /* 0 = unknown */
	size_t nr_running;
	size_t nr_workers;
	double iops[3]; /* of the last interval, by direction */
	double bytes_per_sec[3];
	bool laying_out;    /* files are being written, nothing is measured yet */
	double share;	    /* of the work that is done, 0..1; negative: unknown */
	const char *states; /* a letter for each clone, as fio's; NULL while laying out */
	size_t nr_files;    /* open */
	uint64_t rate_iops,
		rate_bytes_per_sec; /* what the running clones are limited to together */
};

struct load_config {
	const struct job_set *jobs;
	const struct clock *clock;
	const atomic_bool *stop;   /* set from outside (a signal): end with partial results */
	const atomic_bool *urgent; /* likewise: do not wait for I/O that hangs; or NULL */
	uint64_t seed;		   /* mixed into the seed of jobs without randrepeat */
	bool readonly;		   /* refuse to create, extend or write anything */
	void (*progress)(void *arg, const struct load_progress *progress); /* or NULL */
	uint64_t progress_interval_ns;					   /* 0: a second */
	/* What was measured until now, on the caller's wish; *partial is released afterwards. */
	void (*status)(void *arg, struct result *partial); /* or NULL */
	uint64_t status_interval_ns;			   /* 0: only when it is wanted */
	atomic_bool *status_wanted;			   /* set from outside, or NULL */
	/* Files were laid out and fsynced; workers not started yet. Or NULL. */
	int (*prepared)(void *arg, struct err *err);
	/* The workers of the first phase are ready and are let go next; not where that failed. Or
	 * NULL. */
	void (*started)(void *arg);
	/* The last workers were joined; their files are still there. Called once after prepared,
	 * also when a phase failed. Or NULL. */
	void (*finished)(void *arg);
	/* Whether a block device opened for writing is one that was let through; NULL: any is. */
	bool (*may_write)(const void *arg, dev_t dev);
	void *arg;
};

/*
 * Appends one job_result per report entry (clone or group), notes and the counts to
 * *result, which the caller owns and has zeroed or filled in part. Errors of a job (EIO,
 * ENOSPC, missing file ..) are recorded in its job_result and do not fail the call; the call
 * fails, before any I/O, when the job set cannot be run at all (unknown engine, bad sizes).
 */
int load_run(const struct load_config *config, struct result *result, struct err *err);

/*
 * Checks what load_run would refuse by the options alone, without touching any file. Raises the
 * soft limit of open files if the jobs need more.
 */
int load_check(const struct job_set *jobs, struct err *err);
/* The part of it that is the same on machines with more memory and higher limits. */
int load_check_jobs(const struct job_set *jobs, struct err *err);

#endif
