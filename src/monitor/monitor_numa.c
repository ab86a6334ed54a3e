/* SPDX-License-Identifier: GPL-2.0-or-later */
/* numa: memory and events of each node, where there is more than one. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/numbered.h"
#include "monitor/series.h"
#include "monitor/probe.h"
#include "monitor/vmstat_names.h"

enum node_file { NODE_MEMINFO, NODE_VMSTAT, NODE_NUMASTAT, NR_NODE_FILES };

static const char *const file_names[NR_NODE_FILES] = { "meminfo", "vmstat", "numastat" };

struct node {
	unsigned number;
	struct probe *probes[NR_NODE_FILES]; /* NULL = absent */
	struct series series[NR_NODE_FILES];
};

struct numa_monitor {
	struct node *nodes;
	size_t nr;
};

static void numa_close(void *state)
{
	struct numa_monitor *monitor = state;

	for (size_t i = 0; i < monitor->nr; i++) {
		for (unsigned file = 0; file < NR_NODE_FILES; file++)
			series_release(&monitor->nodes[i].series[file]);
	}
	free(monitor->nodes);
	free(monitor);
}

/* False if there is no such node. */
static bool node_open(const struct monitor_context *context, unsigned number, struct node *node)
{
	bool is_there = false;

	*node = (struct node){ .number = number };
	for (unsigned file = 0; file < NR_NODE_FILES; file++) {
		CLEANUP(free)
		char *name = xasprintf("devices/system/node/node%u/%s", number, file_names[file]);

		is_there |= probe_open(context->probes, context->sys_root, name,
				       &node->probes[file], NULL) == 0;
	}
	return is_there;
}

static int numa_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	CLEANUP(free) char *folder = xasprintf("%s/devices/system/node", context->sys_root);
	CLEANUP(free) unsigned *numbers = NULL;
	size_t nr = numbered_list(folder, "node", &numbers);
	struct numa_monitor *monitor;

	if (nr < 2)
		return err_set(err, ERR_UNSUPPORTED, "one memory node");
	monitor = xcalloc(1, sizeof(*monitor));
	monitor->nodes = xcalloc(nr, sizeof(*monitor->nodes));
	for (size_t i = 0; i < nr; i++) {
		if (node_open(context, numbers[i], &monitor->nodes[monitor->nr]))
			monitor->nr++;
	}
	*ret_state = monitor;
	return 0;
}

/* "Node 0 MemFree:   1024 kB". */
static void meminfo_note(struct series *series, struct scan text)
{
	struct scan line;

	while (scan_line(&text, &line)) {
		struct scan_word name;
		uint64_t value;

		if (!scan_skip(&line, "Node ") || !scan_u64(&line, &value))
			continue;
		scan_blanks(&line);
		if (scan_until(&line, ':', &name) && scan_u64(&line, &value))
			series_note(series, &name, SERIES_LEVEL, value);
	}
}

static void numa_sample(void *state, const struct monitor_tick *tick)
{
	static void (*const parsers[NR_NODE_FILES])(struct series *, struct scan) = {
		[NODE_MEMINFO] = meminfo_note,
		[NODE_VMSTAT] = vmstat_note,
		[NODE_NUMASTAT] = vmstat_note,
	};
	struct numa_monitor *monitor = state;

	for (size_t i = 0; i < monitor->nr; i++) {
		struct node *node = &monitor->nodes[i];

		for (unsigned file = 0; file < NR_NODE_FILES; file++) {
			struct probe *probe = node->probes[file];

			if (probe && series_begin(&node->series[file], tick, probe))
				parsers[file](&node->series[file], probe_scan(probe));
		}
	}
}

static void numa_report(void *state, struct result *result)
{
	const struct numa_monitor *monitor = state;

	for (size_t i = 0; i < monitor->nr; i++) {
		const struct node *node = &monitor->nodes[i];

		for (unsigned file = 0; file < NR_NODE_FILES; file++) {
			CLEANUP(free)
			char *prefix = xasprintf("numa-%s.node%u", file_names[file], node->number);

			series_report(&node->series[file], prefix, result);
		}
	}
}

const struct monitor_ops monitor_numa = {
	.name = "numa",
	.summary = "numa-meminfo.*, numa-vmstat.*, numa-numastat.*: memory nodes, if more than one",
	.flags = MONITOR_DEFAULT,
	.every = 5,
	.open = numa_open,
	.sample = numa_sample,
	.report = numa_report,
	.close = numa_close,
};
