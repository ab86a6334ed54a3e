/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meminfo: every field of /proc/meminfo, and how much memory is in use. */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/report.h"
#include "monitor/series.h"
#include "monitor/probe.h"

struct meminfo_monitor {
	struct probe *probe;
	struct series series;
	double max_used_kib; /* over all rounds */
};

static int meminfo_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	struct meminfo_monitor *monitor = xcalloc(1, sizeof(*monitor));
	int ret = probe_open(context->probes, context->proc_root, "meminfo", &monitor->probe, err);

	if (ret < 0) {
		free(monitor);
		return ret;
	}
	monitor->max_used_kib = (double)NAN;
	*ret_state = monitor;
	return 0;
}

static void meminfo_close(void *state)
{
	struct meminfo_monitor *monitor = state;

	series_release(&monitor->series);
	free(monitor);
}

/* "MemFree:         1024 kB", "HugePages_Total:       0". */
static void meminfo_sample(void *state, const struct monitor_tick *tick)
{
	static const struct scan_word used_name = { .text = "Memused", .len = 7 };
	struct meminfo_monitor *monitor = state;
	uint64_t total_kib = 0;
	uint64_t free_kib = 0;
	unsigned nr_known = 0;
	struct scan text;
	struct scan line;

	if (!series_begin(&monitor->series, tick, monitor->probe))
		return;
	text = probe_scan(monitor->probe);
	while (scan_line(&text, &line)) {
		struct scan_word name;
		uint64_t value;

		if (!scan_until(&line, ':', &name) || !scan_u64(&line, &value))
			continue;
		series_note(&monitor->series, &name, SERIES_LEVEL, value);
		if (scan_word_is(&name, "MemTotal")) {
			total_kib = value;
			nr_known++;
		} else if (scan_word_is(&name, "MemFree")) {
			free_kib = value;
			nr_known++;
		}
	}
	if (nr_known != 2 || free_kib > total_kib)
		return;
	series_note(&monitor->series, &used_name, SERIES_LEVEL, total_kib - free_kib);
	monitor->max_used_kib = fmax(monitor->max_used_kib, (double)(total_kib - free_kib));
}

static void meminfo_report(void *state, struct result *result)
{
	const struct meminfo_monitor *monitor = state;

	series_report(&monitor->series, "meminfo", result);
	monitor_report(result, monitor->max_used_kib, "meminfo.max_used_kB");
}

const struct monitor_ops monitor_meminfo = {
	.name = "meminfo",
	.summary = "meminfo.*: /proc/meminfo",
	.flags = MONITOR_DEFAULT,
	.every = 1,
	.open = meminfo_open,
	.sample = meminfo_sample,
	.report = meminfo_report,
	.close = meminfo_close,
};
