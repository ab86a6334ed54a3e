/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_view: the numbers of one report entry, derived from the counters of a job. */
#include "output/fio_view.h"

#include <stdlib.h>

#include "base/arena.h"
#include "model/job.h"
#include "stats/hist.h"

bool fio_view_has(const struct fio_view *view, enum fio_dir dir)
{
	if (dir == FIO_MIXED)
		return view->unified_rw != UNIFIED_RW_NONE;
	return view->unified_rw != UNIFIED_RW_MIXED;
}

static void take_latency(const struct fio_view *view, const struct latency *latency,
			 bool has_percentiles, struct fio_latency_view *to)
{
	const struct moments *moments = &latency->moments;

	*to = (struct fio_latency_view){
		.n = moments->n,
		.min_ns = moments->min,
		.max_ns = moments->max,
		.mean_ns = moments_mean(moments),
		.stddev_ns = moments_stddev(moments),
	};
	if (!has_percentiles || !moments->n || !latency->hist)
		return;
	to->hist = latency->hist;
	to->percentiles_ns = xcalloc(view->nr_list + 1, sizeof(*to->percentiles_ns));
	fio_percentiles(latency->hist, view->list, view->nr_list, to->percentiles_ns);
}

static struct fio_samples_view samples_view(const struct running *running)
{
	if (!running->n)
		return (struct fio_samples_view){ .n = 0 };
	return (struct fio_samples_view){
		.n = running->n,
		.min = running->min,
		.max = running->max,
		.mean = running->mean,
		.stddev = running_stddev(running),
	};
}

static void take_dir(const struct fio_view *view, const struct dir_result *from,
		     struct fio_dir_view *to)
{
	const struct job_result *job = view->job;
	const bool has_percentiles[LATENCY_NR_KINDS] = {
		[LATENCY_SLAT] = job->slat_percentiles,
		[LATENCY_CLAT] = job->clat_percentiles,
		[LATENCY_LAT] = job->lat_percentiles,
	};

	to->io_bytes = from->io_bytes;
	to->runtime_ms = from->runtime_ms;
	to->total_ios = from->total_ios;
	to->short_ios = from->short_ios;
	to->drop_ios = from->drop_ios;
	to->bw_bytes_per_sec = fio_per_sec(from->io_bytes, from->runtime_ms);
	if (from->runtime_ms)
		to->iops = 1000.0 * (double)from->total_ios / (double)from->runtime_ms;
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
		take_latency(view, &from->latency[kind], has_percentiles[kind], &to->latency[kind]);
	to->bw = samples_view(&from->bw_kib_per_sec);
	to->iops_samples = samples_view(&from->iops);
}

static void take_mixed(struct fio_view *view)
{
	struct fio_dir_view *mixed = &view->dir[FIO_MIXED];

	mixed->sum = xcalloc(1, sizeof(*mixed->sum));
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++)
		dir_result_merge(mixed->sum, &view->job->dir[dir]);
	take_dir(view, mixed->sum, mixed);
}

static uint64_t sum_of(const uint64_t counts[RESULT_NR_DEPTHS])
{
	uint64_t sum = 0;

	for (size_t i = 0; i < RESULT_NR_DEPTHS; i++)
		sum += counts[i];
	return sum;
}

static void take_shares(struct fio_view *view)
{
	const struct job_result *job = view->job;
	uint64_t total = fio_total_ios(job);
	struct fio_lat_dist dist;

	/* fsyncs are among the counts but not in the total: more than 100 % is right */
	fio_percents(job->depth_at_submit, RESULT_NR_DEPTHS, total, 0.1, view->depth);
	fio_percents(job->per_submit, RESULT_NR_DEPTHS, sum_of(job->per_submit), 0.1, view->submit);
	fio_percents(job->per_complete, RESULT_NR_DEPTHS, sum_of(job->per_complete), 0.1,
		     view->complete);
	fio_lat_dist(job, &dist);
	fio_percents(dist.ns, FIO_NR_LAT_NS, total, 0.01, view->lat_ns);
	fio_percents(dist.us, FIO_NR_LAT_NS, total, 0.01, view->lat_us);
	fio_percents(dist.ms, FIO_NR_LAT_MS, total, 0.01, view->lat_ms);
}

static void take_counters(struct fio_view *view, const struct fio_group *group)
{
	const struct job_result *job = view->job;
	double wall_ms = job->wall_ms ? (double)job->wall_ms : 1.0;

	view->unified_rw = (enum unified_rw)job->unified_rw;
	view->list = job->percentiles;
	view->nr_list = job->nr_percentiles;
	view->has_list = job->clat_percentiles || job->lat_percentiles;
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++)
		take_dir(view, &job->dir[dir], &view->dir[dir]);
	if (view->unified_rw != UNIFIED_RW_NONE)
		take_mixed(view);
	for (size_t dir = 0; dir < FIO_NR_DIRS && group; dir++) {
		if (view->dir[dir].bw.n)
			view->dir[dir].bw_agg_percent =
				fio_percent_of_group(&group->dir[dir], view->dir[dir].bw.mean);
	}
	take_latency(view, &job->sync, true, &view->sync);
	view->nr_syncs = job->sync_ios;
	view->wall_ms = job->wall_ms;
	view->usr_percent = job->wall_ms ? (double)job->usr_ms * 100.0 / wall_ms : 0.0;
	view->sys_percent = job->wall_ms ? (double)job->sys_ms * 100.0 / wall_ms : 0.0;
	view->context_switches = job->context_switches;
	view->major_faults = job->major_faults;
	view->minor_faults = job->minor_faults;
	take_shares(view);
}

void fio_view_init(struct fio_view *view, const struct job_result *job,
		   const struct fio_group *group)
{
	*view = (struct fio_view){ .job = job };
	if (job->given.nr)
		fio_view_take_given(view);
	else
		take_counters(view, group);
}

void fio_view_release(struct fio_view *view)
{
	for (size_t dir = 0; dir < FIO_NR_DIRS; dir++) {
		struct fio_dir_view *numbers = &view->dir[dir];

		for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++) {
			free(numbers->latency[kind].percentiles_ns);
			if (numbers->sum)
				free(numbers->sum->latency[kind].hist);
		}
		free(numbers->sum);
	}
	free(view->sync.percentiles_ns);
	free(view->own_list);
	*view = (struct fio_view){ .job = NULL };
}
