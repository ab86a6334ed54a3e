/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_FIO_VIEW_H
#define REGIO_OUTPUT_FIO_VIEW_H

/*
 * A view is one entry of a report with the numbers that fio derives before it prints them. They
 * come from the counters of a measured job, or from what another program printed. The formats of
 * fio (JSON, terse) are written from it. A view borrows the job it was made of.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "model/job.h"
#include "model/io.h"
#include "model/result.h"
#include "output/fio_group.h"
#include "output/fio_stat.h"

struct fio_latency_view {
	uint64_t n, min_ns, max_ns;
	double mean_ns, stddev_ns;
	uint64_t *percentiles_ns; /* one for each of the view's list; NULL: none to show */
	const struct hist *hist;  /* behind them; NULL: none to show */
};

/* bandwidth in KiB/s, or I/Os in 1/s */
struct fio_samples_view {
	uint64_t n;
	double min, max, mean, stddev;
};

struct fio_dir_view {
	uint64_t io_bytes, bw_bytes_per_sec, runtime_ms, total_ios, short_ios, drop_ios;
	double iops;
	struct fio_latency_view latency[LATENCY_NR_KINDS];
	struct fio_samples_view bw, iops_samples;
	double bw_agg_percent;	/* of the group */
	struct dir_result *sum; /* owned: of mixed directions */
};

struct fio_view {
	const struct job_result *job;
	enum unified_rw unified_rw;
	const double *list; /* of percentiles */
	size_t nr_list;
	double *own_list; /* owned, or NULL */
	bool has_list;	  /* percentiles of clat or lat are wanted */
	struct fio_dir_view dir[FIO_NR_DIRS];
	struct fio_latency_view sync;
	uint64_t nr_syncs;
	uint64_t wall_ms;
	double usr_percent, sys_percent;
	uint64_t context_switches, major_faults, minor_faults;
	double depth[RESULT_NR_DEPTHS], submit[RESULT_NR_DEPTHS], complete[RESULT_NR_DEPTHS];
	double lat_ns[FIO_NR_LAT_NS], lat_us[FIO_NR_LAT_NS], lat_ms[FIO_NR_LAT_MS];
};

/* group: of the job's group id. */
void fio_view_init(struct fio_view *view, const struct job_result *job,
		   const struct fio_group *group);
void fio_view_release(struct fio_view *view);
CLEANUP_DEFINE(fio_view, struct fio_view, fio_view_release)

/* Whether the reports of the entry have that direction. */
bool fio_view_has(const struct fio_view *view, enum fio_dir dir);

/* Part of fio_view_init: from what was printed, for a job that has no counters. */
void fio_view_take_given(struct fio_view *view);

#endif
