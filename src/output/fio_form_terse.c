/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_form_terse: fio's line of numbers for each report entry. Positions are its contract. */
#include "output/fio_form_terse.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/units.h"
#include "model/result.h"
#include "output/fio_stat.h"
#include "output/fio_text.h"
#include "output/fio_version.h"
#include "output/fio_view.h"

#define NR_PERCENTILES 20 /* fields, used or not */

static unsigned long long whole(double value)
{
	if (!(value > 0))
		return 0;
	return value < 0x1p63 ? (unsigned long long)value : 1ULL << 63;
}

/* ";min;max;mean;deviation" in us, the first two truncated. */
static void print_latency(const struct fio_latency_view *latency, FILE *to)
{
	(void)fprintf(to, ";%llu;%llu;%f;%f", (unsigned long long)(latency->min_ns / NS_PER_US),
		      (unsigned long long)(latency->max_ns / NS_PER_US),
		      latency->mean_ns / NS_PER_US, latency->stddev_ns / NS_PER_US);
}

static void print_percentiles(const struct fio_view *view, const struct fio_latency_view *latency,
			      FILE *to)
{
	for (size_t i = 0; i < NR_PERCENTILES; i++) {
		unsigned long long value_us = 0;

		if (i < view->nr_list && latency->percentiles_ns)
			value_us = latency->percentiles_ns[i] / NS_PER_US;
		if (i < view->nr_list && view->has_list)
			(void)fprintf(to, ";%f%%=%llu", view->list[i], value_us);
		else
			(void)fputs(";0%=0", to);
	}
}

static void print_samples(const struct fio_dir_view *dir, unsigned version, FILE *to)
{
	(void)fprintf(to, ";%llu;%llu;%f%%;%f;%f", whole(dir->bw.min), whole(dir->bw.max),
		      dir->bw_agg_percent, dir->bw.mean, dir->bw.stddev);
	if (version < 5)
		return;
	(void)fprintf(to, ";%llu;%llu;%llu;%f;%f;%llu", (unsigned long long)dir->bw.n,
		      whole(dir->iops_samples.min), whole(dir->iops_samples.max),
		      dir->iops_samples.mean, dir->iops_samples.stddev,
		      (unsigned long long)dir->iops_samples.n);
}

static void print_dir(const struct fio_view *view, enum fio_dir index, unsigned version, FILE *to)
{
	const struct fio_dir_view *dir = &view->dir[index];
	const struct fio_latency_view *lat = &dir->latency[LATENCY_LAT];
	const struct fio_latency_view *clat = &dir->latency[LATENCY_CLAT];

	if (!fio_view_has(view, index))
		return;
	(void)fprintf(to, ";%llu;%llu;%llu;%llu", (unsigned long long)(dir->io_bytes / 1024),
		      (unsigned long long)(dir->bw_bytes_per_sec / 1024), whole(dir->iops),
		      (unsigned long long)dir->runtime_ms);
	print_latency(&dir->latency[LATENCY_SLAT], to);
	print_latency(clat, to);
	/* lat_percentiles=1 takes the place of those of clat */
	print_percentiles(view, view->job->lat_percentiles ? lat : clat, to);
	print_latency(lat, to);
	print_samples(dir, version, to);
}

/* What lies below 1 us counts in the first bucket of us. */
static void print_shares(const struct fio_view *view, FILE *to)
{
	double below_us = 0;

	for (size_t i = 0; i < RESULT_NR_DEPTHS; i++)
		(void)fprintf(to, ";%3.1f%%", view->depth[i]);
	for (size_t i = 0; i < FIO_NR_LAT_NS; i++)
		below_us += view->lat_ns[i];
	for (size_t i = 0; i < FIO_NR_LAT_NS; i++)
		(void)fprintf(to, ";%3.2f%%", view->lat_us[i] + (i == 0 ? below_us : 0));
	for (size_t i = 0; i < FIO_NR_LAT_MS; i++)
		(void)fprintf(to, ";%3.2f%%", view->lat_ms[i]);
}

static void print_below(const struct fio_disk_sum *sum, FILE *to)
{
	(void)fprintf(to, ";slaves;%llu;%llu;%llu;%llu;%llu;%llu;%llu;%3.2f%%",
		      (unsigned long long)(sum->ios[0] / sum->nr),
		      (unsigned long long)(sum->ios[1] / sum->nr),
		      (unsigned long long)(sum->merges[0] / sum->nr),
		      (unsigned long long)(sum->merges[1] / sum->nr),
		      (unsigned long long)(sum->ticks_ms[0] / sum->nr),
		      (unsigned long long)(sum->ticks_ms[1] / sum->nr),
		      (unsigned long long)(sum->in_queue_ms / sum->nr), sum->max_util_percent);
}

/* Of the whole run, on each line. */
static void print_disks(const struct result *result, FILE *to)
{
	for (size_t i = 0; i < result->nr_disks; i++) {
		const struct disk_result *disk = &result->disks[i];
		struct fio_disk_sum sum;

		(void)fputc(';', to);
		fio_text_plain(disk->name, to);
		(void)fprintf(to, ";%llu;%llu;%llu;%llu;%llu;%llu;%llu;%3.2f%%",
			      (unsigned long long)disk->ios[0], (unsigned long long)disk->ios[1],
			      (unsigned long long)disk->merges[0],
			      (unsigned long long)disk->merges[1],
			      (unsigned long long)disk->ticks_ms[0],
			      (unsigned long long)disk->ticks_ms[1],
			      (unsigned long long)disk->in_queue_ms,
			      fio_disk_util_percent(disk->io_ticks_ms, disk->wall_ms));
		fio_disk_sum(result, i, &sum);
		if (sum.nr)
			print_below(&sum, to);
	}
}

static void print_head(const struct result *result, const struct job_result *job, unsigned version,
		       FILE *to)
{
	(void)fprintf(to, "%u;", version);
	if (version > 2 && result->tool && !strcmp(result->tool, "regio"))
		(void)fputs(FIO_FORM_VERSION ";", to);
	else if (version > 2)
		(void)fprintf(to, "%s-%s;", result->tool ? result->tool : "unknown",
			      result->tool_version ? result->tool_version : "");
	fio_text_plain(job->name, to);
	(void)fprintf(to, ";%u;%d", job->group_id, job->error);
}

static void print_job(const struct result *result, const struct fio_view *view, unsigned version,
		      FILE *to)
{
	const struct job_result *job = view->job;

	print_head(result, job, version, to);
	print_dir(view, FIO_READ, version, to);
	print_dir(view, FIO_WRITE, version, to);
	if (version != 3)
		print_dir(view, FIO_TRIM, version, to);
	print_dir(view, FIO_MIXED, version, to);
	(void)fprintf(to, ";%f%%;%f%%;%llu;%llu;%llu", view->usr_percent, view->sys_percent,
		      (unsigned long long)view->context_switches,
		      (unsigned long long)view->major_faults,
		      (unsigned long long)view->minor_faults);
	print_shares(view, to);
	if (version > 2)
		print_disks(result, to);
	if (job->shows_errors || job->nr_errors)
		(void)fprintf(to, ";%llu;%d", (unsigned long long)job->nr_errors, job->error);
	if (version == 2)
		(void)fputc('\n', to);
	if (job->description && *job->description) {
		(void)fputc(';', to);
		fio_text_plain(job->description, to);
	}
	if (version > 2 || (job->description && *job->description))
		(void)fputc('\n', to);
}

void fio_form_terse_write(const struct result *result, unsigned version, FILE *to)
{
	size_t nr_groups;
	CLEANUP(free) struct fio_group *groups = fio_groups(result, &nr_groups);

	for (size_t i = 0; i < result->nr_jobs; i++) {
		const struct job_result *job = &result->jobs[i];
		CLEANUP(fio_view) struct fio_view view;

		fio_view_init(&view, job, fio_group_find(groups, nr_groups, job->group_id));
		if (!job->is_silent)
			print_job(result, &view, version, to);
	}
}
