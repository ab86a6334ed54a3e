/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_form_json_job: one entry of "jobs" in fio's JSON, member for member as fio 3.33 has them. */
#include "output/fio_form_json.h"

#include <math.h>
#include <stdio.h>

#include "model/result.h"
#include "output/fio_steady.h"
#include "output/fio_view.h"
#include "output/json_emit.h"
#include "stats/hist.h"

#define ETA_UNKNOWN 2147483647 /* of a job that has ended */

/* Samples are whole numbers there, as is what clones add up to. */
static uint64_t whole(double value)
{
	if (!(value > 0))
		return 0;
	return value < 0x1p63 ? (uint64_t)value : UINT64_C(1) << 63;
}

static void write_percentiles(struct json_emit *emit, const struct fio_view *view,
			      const uint64_t *values_ns)
{
	json_emit_open(emit, "percentile", '{');
	for (size_t i = 0; i < view->nr_list; i++) {
		char key[32];

		(void)snprintf(key, sizeof(key), "%f", view->list[i]);
		json_emit_u64(emit, key, values_ns[i]);
	}
	json_emit_close(emit, '}');
}

static void write_bins(struct json_emit *emit, const struct hist *hist)
{
	json_emit_open(emit, "bins", '{');
	for (size_t i = 0; i < HIST_NR_BUCKETS; i++) {
		char key[32];

		if (!hist->counts[i])
			continue;
		(void)snprintf(key, sizeof(key), "%llu", (unsigned long long)hist_value(i));
		json_emit_u64(emit, key, hist->counts[i]);
	}
	json_emit_close(emit, '}');
}

static void write_latency(struct json_emit *emit, const char *key, const struct fio_view *view,
			  const struct fio_latency_view *latency, unsigned flags)
{
	json_emit_open(emit, key, '{');
	json_emit_u64(emit, "min", latency->min_ns);
	json_emit_u64(emit, "max", latency->max_ns);
	json_emit_real(emit, "mean", latency->mean_ns);
	json_emit_real(emit, "stddev", latency->stddev_ns);
	json_emit_u64(emit, "N", latency->n);
	if (latency->percentiles_ns)
		write_percentiles(emit, view, latency->percentiles_ns);
	if (latency->hist && flags & FIO_FORM_JSON_BINS)
		write_bins(emit, latency->hist);
	json_emit_close(emit, '}');
}

static void write_samples(struct json_emit *emit, const struct fio_dir_view *dir)
{
	json_emit_u64(emit, "bw_min", whole(dir->bw.min));
	json_emit_u64(emit, "bw_max", whole(dir->bw.max));
	json_emit_real(emit, "bw_agg", dir->bw_agg_percent);
	json_emit_real(emit, "bw_mean", dir->bw.mean);
	json_emit_real(emit, "bw_dev", dir->bw.stddev);
	json_emit_u64(emit, "bw_samples", dir->bw.n);
	json_emit_u64(emit, "iops_min", whole(dir->iops_samples.min));
	json_emit_u64(emit, "iops_max", whole(dir->iops_samples.max));
	json_emit_real(emit, "iops_mean", dir->iops_samples.mean);
	json_emit_real(emit, "iops_stddev", dir->iops_samples.stddev);
	json_emit_u64(emit, "iops_samples", dir->iops_samples.n);
}

static void write_dir(struct json_emit *emit, const struct fio_view *view, enum fio_dir index,
		      unsigned flags)
{
	static const char *const names[LATENCY_NR_KINDS] = { "slat_ns", "clat_ns", "lat_ns",
							     "intended_ns" };
	const struct fio_dir_view *dir = &view->dir[index];

	if (!fio_view_has(view, index))
		return;
	json_emit_open(emit, fio_dir_name(index), '{');
	json_emit_u64(emit, "io_bytes", dir->io_bytes);
	json_emit_u64(emit, "io_kbytes", dir->io_bytes / 1024);
	json_emit_u64(emit, "bw_bytes", dir->bw_bytes_per_sec);
	json_emit_u64(emit, "bw", dir->bw_bytes_per_sec / 1024);
	json_emit_real(emit, "iops", dir->iops);
	json_emit_u64(emit, "runtime", dir->runtime_ms);
	json_emit_u64(emit, "total_ios", dir->total_ios);
	json_emit_u64(emit, "short_ios", dir->short_ios);
	json_emit_u64(emit, "drop_ios", dir->drop_ios);
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++) {
		if (kind != LATENCY_INTENDED || dir->latency[kind].n > 0) /* fio has none */
			write_latency(emit, names[kind], view, &dir->latency[kind], flags);
	}
	write_samples(emit, dir);
	json_emit_close(emit, '}');
}

/* The text always has their percentiles, JSON those that are wanted of others. */
static void write_sync(struct json_emit *emit, const struct fio_view *view, unsigned flags)
{
	struct fio_latency_view latency = view->sync;

	if (!view->has_list) {
		latency.percentiles_ns = NULL;
		latency.hist = NULL;
	}
	json_emit_open(emit, "sync", '{');
	json_emit_u64(emit, "total_ios", view->nr_syncs);
	write_latency(emit, "lat_ns", view, &latency, flags);
	json_emit_close(emit, '}');
}

static void write_shares(struct json_emit *emit, const char *key, const char *const *names,
			 const double *shares, size_t nr)
{
	json_emit_open(emit, key, '{');
	for (size_t i = 0; i < nr; i++)
		json_emit_real(emit, names[i], shares[i]);
	json_emit_close(emit, '}');
}

static void write_distributions(struct json_emit *emit, const struct fio_view *view)
{
	static const char *const depths[] = { "1", "2", "4", "8", "16", "32", ">=64" };
	static const char *const calls[] = { "0", "4", "8", "16", "32", "64", ">=64" };
	static const char *const bounds[] = { "2",   "4",   "10",  "20",   "50",   "100",
					      "250", "500", "750", "1000", "2000", ">=2000" };

	write_shares(emit, "iodepth_level", depths, view->depth, RESULT_NR_DEPTHS);
	write_shares(emit, "iodepth_submit", calls, view->submit, RESULT_NR_DEPTHS);
	write_shares(emit, "iodepth_complete", calls, view->complete, RESULT_NR_DEPTHS);
	write_shares(emit, "latency_ns", bounds, view->lat_ns, FIO_NR_LAT_NS);
	write_shares(emit, "latency_us", bounds, view->lat_us, FIO_NR_LAT_NS);
	write_shares(emit, "latency_ms", bounds, view->lat_ms, FIO_NR_LAT_MS);
}

static void write_head(struct json_emit *emit, const struct result *result,
		       const struct job_result *job)
{
	json_emit_text(emit, "jobname", job->name ? job->name : "");
	json_emit_u64(emit, "groupid", job->group_id);
	json_emit_i64(emit, "error", job->error);
	json_emit_u64(emit, "eta", ETA_UNKNOWN);
	json_emit_u64(emit, "elapsed", (result->elapsed_ms + 999) / 1000);
	if (job->nr_options == 0)
		return;
	json_emit_open(emit, "job options", '{');
	for (size_t i = 0; i < job->nr_options; i++)
		json_emit_text(emit, job->options[i].key, job->options[i].value);
	json_emit_close(emit, '}');
}

static void write_tail(struct json_emit *emit, const struct job_result *job)
{
	if (job->shows_errors || job->nr_errors) {
		json_emit_u64(emit, "total_err", job->nr_errors);
		json_emit_i64(emit, "first_error", job->error);
	}
	json_emit_u64(emit, "latency_depth",
		      job->latency_depth ? job->latency_depth : job->iodepth);
	json_emit_u64(emit, "latency_target", job->latency_target_ns);
	json_emit_real(emit, "latency_percentile",
		       job->latency_percentile > 0 ? job->latency_percentile : 100.0);
	json_emit_u64(emit, "latency_window", job->latency_window_us);
	if (job->description)
		json_emit_text(emit, "desc", job->description);
	fio_steady_json(emit, job);
}

void fio_form_json_job(struct json_emit *emit, const struct result *result,
		       const struct fio_view *view, unsigned flags)
{
	json_emit_open(emit, NULL, '{');
	write_head(emit, result, view->job);
	write_dir(emit, view, FIO_READ, flags);
	write_dir(emit, view, FIO_WRITE, flags);
	write_dir(emit, view, FIO_TRIM, flags);
	if (fio_view_has(view, FIO_READ))
		write_sync(emit, view, flags);
	write_dir(emit, view, FIO_MIXED, flags);
	json_emit_u64(emit, "job_runtime", view->wall_ms);
	json_emit_real(emit, "usr_cpu", view->usr_percent);
	json_emit_real(emit, "sys_cpu", view->sys_percent);
	json_emit_u64(emit, "ctx", view->context_switches);
	json_emit_u64(emit, "majf", view->major_faults);
	json_emit_u64(emit, "minf", view->minor_faults);
	write_distributions(emit, view);
	write_tail(emit, view->job);
	json_emit_close(emit, '}');
}
