/* SPDX-License-Identifier: GPL-2.0-or-later */
/* disk: what iostat -x shows, for the disks under the job, from /sys/block/DEV/stat. Ratios such as
 * r_await are over the whole run, so each I/O counts once; iostat's first report, since boot, has
 * no counterpart here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/block_stat.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/report.h"
#include "monitor/probe.h"
#include "stats/counter.h"

#define SECTORS_PER_KIB 2.0 /* whatever the block size */
/* The greatest of the intervals leaves out those at the ends that are this much shorter. */
#define SHORTEST_INTERVAL_NS UINT64_C(400000000)

struct stat {
	uint64_t fields[BLOCK_STAT_NR_FIELDS];
	size_t nr; /* 0 = could not be read */
	uint64_t taken_ns;
};

/* What happened between two readings. Absent fields are NAN. */
struct change {
	double fields[BLOCK_STAT_NR_FIELDS];
	double seconds;
};

/* What is also reported as the greatest of the intervals. */
enum peak {
	PEAK_READ_AWAIT,
	PEAK_WRITE_AWAIT,
	PEAK_DISCARD_AWAIT,
	PEAK_FLUSH_AWAIT,
	PEAK_AQU,
	NR_PEAKS
};

struct disk {
	char *name;
	struct probe *probe;
	struct stat first, last;
	double peaks[NR_PEAKS];
	double in_flight; /* sum over the rounds between the ends */
	size_t nr_in_flight;
};

struct disk_monitor {
	struct disk *disks;
	size_t nr;
};

static void disk_close(void *state)
{
	struct disk_monitor *monitor = state;

	for (size_t i = 0; i < monitor->nr; i++)
		free(monitor->disks[i].name);
	free(monitor->disks);
	free(monitor);
}

static int disk_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	struct disk_monitor *monitor = xcalloc(1, sizeof(*monitor));
	int ret = err_set(err, ERR_UNSUPPORTED, "no block device under the job");

	monitor->disks = xcalloc(context->nr_disks + 1, sizeof(*monitor->disks));
	for (size_t i = 0; i < context->nr_disks; i++) {
		CLEANUP(free) char *name = xasprintf("block/%s/stat", context->disks[i]);
		struct disk *disk = &monitor->disks[monitor->nr];

		ret = probe_open(context->probes, context->sys_root, name, &disk->probe, err);
		if (ret < 0)
			continue;
		disk->name = xstrdup(context->disks[i]);
		for (size_t peak = 0; peak < NR_PEAKS; peak++)
			disk->peaks[peak] = (double)NAN;
		monitor->nr++;
	}
	if (monitor->nr == 0) {
		disk_close(monitor);
		return ret;
	}
	*ret_state = monitor;
	return 0;
}

static void stat_read(struct disk *disk, const struct monitor_tick *tick, struct stat *ret_stat)
{
	*ret_stat = (struct stat){ .nr = 0 };
	if (!probe_read(disk->probe, tick))
		return;
	ret_stat->nr = block_stat_parse(strbuf_str(&disk->probe->text), ret_stat->fields);
	ret_stat->taken_ns = disk->probe->taken_ns;
}

/* False where nothing can be said. */
static bool change_between(const struct stat *before, const struct stat *after,
			   struct change *ret_change)
{
	if (before->nr == 0 || after->nr != before->nr || after->taken_ns <= before->taken_ns)
		return false;
	ret_change->seconds = (double)(after->taken_ns - before->taken_ns) / 1e9;
	for (size_t i = 0; i < BLOCK_STAT_NR_FIELDS; i++) {
		uint64_t delta;

		if (i < before->nr && counter_delta(before->fields[i], after->fields[i], &delta))
			ret_change->fields[i] = (double)delta;
		else
			ret_change->fields[i] = (double)NAN;
	}
	return true;
}

/* NAN where nothing was done: there is no mean of nothing. */
static double per(double amount, double nr)
{
	return nr > 0 ? amount / nr : (double)NAN;
}

static void keep_peak(struct disk *disk, enum peak peak, double value)
{
	disk->peaks[peak] = fmax(disk->peaks[peak], value); /* of NAN and a number: the number */
}

static double queue_size(const struct change *change)
{
	return change->fields[BLOCK_STAT_IN_QUEUE] / 1000.0 / change->seconds;
}

static void peaks_add(struct disk *disk, const struct change *change)
{
	const double *fields = change->fields;

	keep_peak(disk, PEAK_READ_AWAIT,
		  per(fields[BLOCK_STAT_READ_TICKS], fields[BLOCK_STAT_READ_IOS]));
	keep_peak(disk, PEAK_WRITE_AWAIT,
		  per(fields[BLOCK_STAT_WRITE_TICKS], fields[BLOCK_STAT_WRITE_IOS]));
	keep_peak(disk, PEAK_DISCARD_AWAIT,
		  per(fields[BLOCK_STAT_DISCARD_TICKS], fields[BLOCK_STAT_DISCARD_IOS]));
	keep_peak(disk, PEAK_FLUSH_AWAIT,
		  per(fields[BLOCK_STAT_FLUSH_TICKS], fields[BLOCK_STAT_FLUSH_IOS]));
	keep_peak(disk, PEAK_AQU, queue_size(change));
}

static void disk_take(struct disk *disk, const struct monitor_tick *tick)
{
	struct change change;
	struct stat now;

	stat_read(disk, tick, &now);
	if (tick->nr == 1)
		disk->first = now;
	else if (change_between(&disk->last, &now, &change) &&
		 change.seconds * 1e9 >= (double)SHORTEST_INTERVAL_NS)
		peaks_add(disk, &change);
	disk->last = now;
	if (tick->is_end || now.nr == 0)
		return;
	disk->in_flight += (double)now.fields[BLOCK_STAT_IN_FLIGHT];
	disk->nr_in_flight++;
}

static void disk_sample(void *state, const struct monitor_tick *tick)
{
	struct disk_monitor *monitor = state;

	for (size_t i = 0; i < monitor->nr; i++)
		disk_take(&monitor->disks[i], tick);
}

/* Columns of one direction, letter 'r', 'w' or 'd'; ios is the first of its four fields. */
static void report_direction(struct result *result, const struct disk *disk,
			     const struct change *change, char letter, enum block_stat_field ios)
{
	double nr = change->fields[ios];
	double merges = change->fields[ios + 1];
	double kib = change->fields[ios + 2] / SECTORS_PER_KIB;
	double ticks_ms = change->fields[ios + 3];
	const char *name = disk->name;

	monitor_report(result, nr / change->seconds, "iostat.%s.%c/s", name, letter);
	monitor_report(result, kib / change->seconds, "iostat.%s.%ckB/s", name, letter);
	monitor_report(result, merges / change->seconds, "iostat.%s.%crqm/s", name, letter);
	monitor_report(result, per(100.0 * merges, nr + merges), "iostat.%s.%%%crqm", name, letter);
	monitor_report(result, per(ticks_ms, nr), "iostat.%s.%c_await", name, letter);
	monitor_report(result, per(kib, nr), "iostat.%s.%careq-sz", name, letter);
}

static void report_peaks(struct result *result, const struct disk *disk)
{
	static const char *const names[NR_PEAKS] = {
		[PEAK_READ_AWAIT] = "r_await",
		[PEAK_WRITE_AWAIT] = "w_await",
		[PEAK_DISCARD_AWAIT] = "d_await",
		[PEAK_FLUSH_AWAIT] = "f_await",
		[PEAK_AQU] = "aqu-sz",
	};

	for (size_t i = 0; i < NR_PEAKS; i++)
		monitor_report(result, disk->peaks[i], "iostat.%s.%s.max", disk->name, names[i]);
}

static void report_disk(struct result *result, const struct disk *disk)
{
	struct change change;
	double busy;

	if (!change_between(&disk->first, &disk->last, &change))
		return;
	report_direction(result, disk, &change, 'r', BLOCK_STAT_READ_IOS);
	report_direction(result, disk, &change, 'w', BLOCK_STAT_WRITE_IOS);
	report_direction(result, disk, &change, 'd', BLOCK_STAT_DISCARD_IOS);
	monitor_report(result, change.fields[BLOCK_STAT_FLUSH_IOS] / change.seconds,
		       "iostat.%s.f/s", disk->name);
	monitor_report(
		result,
		per(change.fields[BLOCK_STAT_FLUSH_TICKS], change.fields[BLOCK_STAT_FLUSH_IOS]),
		"iostat.%s.f_await", disk->name);
	monitor_report(result, queue_size(&change), "iostat.%s.aqu-sz", disk->name);
	busy = change.fields[BLOCK_STAT_IO_TICKS] / 10.0 / change.seconds;
	/* The kernel rounds up the time of each I/O to a tick. */
	monitor_report(result, busy > 100.0 ? 100.0 : busy, "iostat.%s.util", disk->name);
	report_peaks(result, disk);
	monitor_report(result, per(disk->in_flight, (double)disk->nr_in_flight),
		       "diskstats.%s.in_flight", disk->name);
}

static void disk_report(void *state, struct result *result)
{
	const struct disk_monitor *monitor = state;

	for (size_t i = 0; i < monitor->nr; i++)
		report_disk(result, &monitor->disks[i]);
}

const struct monitor_ops monitor_disk = {
	.name = "disk",
	.summary = "iostat.DEV.*: what iostat -x shows of the disks under the job",
	.flags = MONITOR_DEFAULT,
	.every = 1,
	.open = disk_open,
	.sample = disk_sample,
	.report = disk_report,
	.close = disk_close,
};
