/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_view_given: the numbers of one report entry from what another program printed. */
#include "output/fio_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/given.h"
#include "model/job.h"
#include "stats/hist.h"

#define KIB 1024.0
#define NAME_LEN 64

/* 0 for what was not printed. */
static double number(const struct fio_view *view, const char *first, const char *second,
		     const char *third)
{
	const struct given_metric *metric;
	char name[NAME_LEN];

	(void)snprintf(name, sizeof(name), "%s.%s%s%s", first, second, *third ? "." : "", third);
	metric = given_find(&view->job->given, name);
	return metric && isfinite(metric->value) ? metric->value : 0.0;
}

static uint64_t whole(double value)
{
	if (!(value > 0))
		return 0;
	return value < 0x1p63 ? (uint64_t)(value + 0.5) : UINT64_C(1) << 63;
}

/* ---- percentiles ---- */

/* The percent of "read.clat_ns.p99.9"; 0 for other names. */
static double percent_of(const char *name)
{
	const char *mark = strstr(name, "lat_ns.p");
	double percent = mark ? strtod(mark + strlen("lat_ns.p"), NULL) : 0;

	return percent > 0 && percent <= 100 ? percent : 0;
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

/* All percents that occur, ascending, each once. */
static void collect_list(struct fio_view *view)
{
	const struct given_list *given = &view->job->given;
	size_t nr = 0;

	view->own_list = xcalloc(given->nr + 1, sizeof(*view->own_list));
	for (size_t i = 0; i < given->nr; i++) {
		double percent = percent_of(given->items[i].name);

		if (percent > 0)
			view->own_list[nr++] = percent;
	}
	qsort(view->own_list, nr, sizeof(*view->own_list), compare);
	for (size_t i = 0; i < nr; i++) {
		if (!view->nr_list || view->own_list[i] != view->own_list[view->nr_list - 1])
			view->own_list[view->nr_list++] = view->own_list[i];
	}
	view->list = view->own_list;
	view->has_list = view->nr_list > 0;
}

static void take_percentiles(const struct fio_view *view, const char *prefix,
			     struct fio_latency_view *to)
{
	bool has_any = false;

	to->percentiles_ns = xcalloc(view->nr_list + 1, sizeof(*to->percentiles_ns));
	for (size_t i = 0; i < view->nr_list; i++) {
		char name[NAME_LEN];

		(void)snprintf(name, sizeof(name), "p%.9g", view->list[i]);
		to->percentiles_ns[i] = whole(number(view, prefix, name, ""));
		has_any |= to->percentiles_ns[i] != 0;
	}
	if (has_any)
		return;
	free(to->percentiles_ns);
	to->percentiles_ns = NULL;
}

/* ---- the rest ---- */

static void take_latency(const struct fio_view *view, const char *prefix, uint64_t n,
			 const struct hist *hist, struct fio_latency_view *to)
{
	to->min_ns = whole(number(view, prefix, "min", ""));
	to->max_ns = whole(number(view, prefix, "max", ""));
	to->mean_ns = number(view, prefix, "mean", "");
	to->stddev_ns = number(view, prefix, "stddev", "");
	if (to->max_ns == 0 && to->mean_ns == 0)
		return;
	to->hist = hist;
	to->n = hist ? hist_total(hist) : n;
	take_percentiles(view, prefix, to);
}

static struct fio_samples_view samples(const struct fio_view *view, const char *dir,
				       const char *name, double unit)
{
	return (struct fio_samples_view){
		.n = whole(number(view, dir, name, "nr")),
		.min = number(view, dir, name, "min") / unit,
		.max = number(view, dir, name, "max") / unit,
		.mean = number(view, dir, name, "mean") / unit,
		.stddev = number(view, dir, name, "stddev") / unit,
	};
}

static void take_dir(struct fio_view *view, enum fio_dir index)
{
	const char *dir = fio_dir_name(index);
	struct fio_dir_view *to = &view->dir[index];

	to->io_bytes = whole(number(view, dir, "io_bytes", ""));
	to->runtime_ms = whole(number(view, dir, "runtime_ms", ""));
	to->total_ios = whole(number(view, dir, "total_ios", ""));
	to->short_ios = whole(number(view, dir, "short_ios", ""));
	to->drop_ios = whole(number(view, dir, "drop_ios", ""));
	to->bw_bytes_per_sec = whole(number(view, dir, "bw_bytes_per_sec", ""));
	to->iops = number(view, dir, "iops", "");
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++) {
		const struct hist *hist =
			index == FIO_MIXED ? NULL : view->job->dir[index].latency[kind].hist;
		char prefix[NAME_LEN];

		(void)snprintf(prefix, sizeof(prefix), "%s.%s_ns", dir,
			       latency_kind_name((enum latency_kind)kind));
		take_latency(view, prefix, to->total_ios, hist, &to->latency[kind]);
	}
	to->bw = samples(view, dir, "bw_samples", KIB);
	to->iops_samples = samples(view, dir, "iops_samples", 1);
	if (to->bw.max > 0)
		to->bw_agg_percent = 100;
}

static void take_shares(const struct fio_view *view, const char *prefix, const char *unit,
			const char *const *names, size_t nr, double *to)
{
	for (size_t i = 0; i < nr; i++) {
		char name[NAME_LEN];

		(void)snprintf(name, sizeof(name), "%s%s_percent", names[i], unit);
		to[i] = number(view, prefix, name, "");
	}
}

static enum unified_rw unified_of(const struct fio_view *view)
{
	bool has_mixed = number(view, "mixed", "iops", "") > 0;
	bool has_others = number(view, "read", "iops", "") > 0 ||
			  number(view, "write", "iops", "") > 0 ||
			  number(view, "trim", "iops", "") > 0;

	if (!has_mixed)
		return UNIFIED_RW_NONE;
	return has_others ? UNIFIED_RW_BOTH : UNIFIED_RW_MIXED;
}

void fio_view_take_given(struct fio_view *view)
{
	static const char *const depths[] = { "1", "2", "4", "8", "16", "32", "ge64" };
	static const char *const calls[] = { "0", "4", "8", "16", "32", "64", "ge64" };
	static const char *const bounds[] = { "2",   "4",   "10",  "20",   "50",   "100",
					      "250", "500", "750", "1000", "2000", "ge2000" };

	view->unified_rw = unified_of(view);
	collect_list(view);
	for (size_t dir = 0; dir < FIO_NR_DIRS; dir++) {
		take_dir(view, (enum fio_dir)dir);
		view->wall_ms = view->dir[dir].runtime_ms > view->wall_ms
					? view->dir[dir].runtime_ms
					: view->wall_ms;
	}
	view->nr_syncs = whole(number(view, "sync", "total_ios", ""));
	take_latency(view, "sync.lat_ns", view->nr_syncs, view->job->sync.hist, &view->sync);
	view->usr_percent = number(view, "cpu", "usr_percent", "");
	view->sys_percent = number(view, "cpu", "sys_percent", "");
	view->context_switches = whole(number(view, "cpu", "ctx", ""));
	view->major_faults = whole(number(view, "cpu", "major_faults", ""));
	view->minor_faults = whole(number(view, "cpu", "minor_faults", ""));
	take_shares(view, "depth", "", depths, RESULT_NR_DEPTHS, view->depth);
	take_shares(view, "submit", "", calls, RESULT_NR_DEPTHS, view->submit);
	take_shares(view, "complete", "", calls, RESULT_NR_DEPTHS, view->complete);
	take_shares(view, "latency", "ns", bounds, FIO_NR_LAT_NS, view->lat_ns);
	take_shares(view, "latency", "us", bounds, FIO_NR_LAT_NS, view->lat_us);
	take_shares(view, "latency", "ms", bounds, FIO_NR_LAT_MS, view->lat_ms);
}
