/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filesystem: how full the filesystems are that hold the files of the job. */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "base/arena.h"
#include "base/err.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/report.h"

struct filesystem_monitor {
	const char **places; /* borrowed */
	size_t nr;
	/* Of the fullest one at the end of the run. */
	double used_percent;
	double available_bytes;
};

/* A device is in no filesystem: its node is, which says nothing. */
static bool lies_in_filesystem(const char *path)
{
	struct stat info;
	struct statvfs fs;

	return stat(path, &info) == 0 && (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) &&
	       statvfs(path, &fs) == 0 && fs.f_blocks > 0;
}

static void filesystem_close(void *state)
{
	struct filesystem_monitor *monitor = state;

	free(monitor->places);
	free(monitor);
}

static int filesystem_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	struct filesystem_monitor *monitor = xcalloc(1, sizeof(*monitor));

	monitor->places = xcalloc(context->nr_places + 1, sizeof(*monitor->places));
	for (size_t i = 0; i < context->nr_places; i++) {
		if (lies_in_filesystem(context->places[i]))
			monitor->places[monitor->nr++] = context->places[i];
	}
	if (monitor->nr == 0) {
		filesystem_close(monitor);
		return err_set(err, ERR_UNSUPPORTED, "no file of the job is in a filesystem");
	}
	*ret_state = monitor;
	return 0;
}

/* As df(1): of what others than root may use. */
static void filesystem_sample(void *state, const struct monitor_tick *tick)
{
	struct filesystem_monitor *monitor = state;

	(void)tick;
	monitor->used_percent = NAN;
	monitor->available_bytes = NAN;
	for (size_t i = 0; i < monitor->nr; i++) {
		struct statvfs fs;
		double used, available;

		if (statvfs(monitor->places[i], &fs) < 0)
			continue;
		used = (double)(fs.f_blocks - fs.f_bfree);
		available = (double)fs.f_bavail;
		if (used + available <= 0 ||
		    100 * used / (used + available) <= monitor->used_percent)
			continue;
		monitor->used_percent = 100 * used / (used + available);
		monitor->available_bytes = available * (double)fs.f_frsize;
	}
}

static void filesystem_report(void *state, struct result *result)
{
	const struct filesystem_monitor *monitor = state;

	monitor_report(result, monitor->used_percent, "filesystem.used%%");
	monitor_report(result, monitor->available_bytes, "filesystem.available_bytes");
}

const struct monitor_ops monitor_filesystem = {
	.name = "filesystem",
	.summary = "filesystem.*: how full the fullest filesystem under the job is",
	.flags = MONITOR_DEFAULT,
	.every = 0,
	.open = filesystem_open,
	.sample = filesystem_sample,
	.report = filesystem_report,
	.close = filesystem_close,
};
