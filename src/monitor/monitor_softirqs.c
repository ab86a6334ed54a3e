/* SPDX-License-Identifier: GPL-2.0-or-later */
/* softirqs: deferred work of the kernel by kind; BLOCK is completions of block I/O. */
#include <stdlib.h>

#include "base/arena.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/percpu_counts.h"
#include "monitor/probe.h"

struct softirqs_monitor {
	struct probe *probe;
	struct percpu_counts counts;
};

static int softirqs_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	struct softirqs_monitor *monitor = xcalloc(1, sizeof(*monitor));
	int ret = probe_open(context->probes, context->proc_root, "softirqs", &monitor->probe, err);

	if (ret < 0) {
		free(monitor);
		return ret;
	}
	*ret_state = monitor;
	return 0;
}

static void softirqs_close(void *state)
{
	struct softirqs_monitor *monitor = state;

	percpu_counts_release(&monitor->counts);
	free(monitor);
}

static void softirqs_sample(void *state, const struct monitor_tick *tick)
{
	struct softirqs_monitor *monitor = state;

	percpu_counts_sample(&monitor->counts, tick, monitor->probe);
}

static void softirqs_report(void *state, struct result *result)
{
	const struct softirqs_monitor *monitor = state;

	percpu_counts_report(&monitor->counts, "softirqs", result);
}

const struct monitor_ops monitor_softirqs = {
	.name = "softirqs",
	.summary = "softirqs.*: deferred work of the kernel, summed over the CPUs",
	.flags = MONITOR_DEFAULT,
	.every = 0,
	.open = softirqs_open,
	.sample = softirqs_sample,
	.report = softirqs_report,
	.close = softirqs_close,
};
