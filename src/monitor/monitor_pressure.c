/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pressure: how long tasks stood still for want of CPU, I/O or memory (PSI, since 4.20). */
#include <stdlib.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/report.h"
#include "monitor/series.h"
#include "monitor/probe.h"

static const char *const resources[] = { "cpu", "io", "memory", "irq" };

#define NR_RESOURCES (sizeof(resources) / sizeof(resources[0]))

struct pressure_monitor {
	struct probe *probes[NR_RESOURCES]; /* NULL = absent */
	struct series series[NR_RESOURCES];
};

static int pressure_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	struct pressure_monitor *monitor = xcalloc(1, sizeof(*monitor));
	unsigned nr_open = 0;
	int ret = 0;

	for (size_t i = NR_RESOURCES; i-- > 0;) { /* so that the last message is of cpu */
		CLEANUP(free) char *name = xasprintf("pressure/%s", resources[i]);
		int one = probe_open(context->probes, context->proc_root, name, &monitor->probes[i],
				     err);

		nr_open += one == 0;
		ret = one < 0 ? one : ret;
	}
	if (nr_open == 0) {
		free(monitor);
		return ret;
	}
	*ret_state = monitor;
	return 0;
}

static void pressure_close(void *state)
{
	struct pressure_monitor *monitor = state;

	for (size_t i = 0; i < NR_RESOURCES; i++)
		series_release(&monitor->series[i]);
	free(monitor);
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=1234" in us since boot. */
static void pressure_parse(struct series *series, struct scan text)
{
	struct scan line;

	while (scan_line(&text, &line)) {
		struct scan_word kind;
		struct scan_word word;

		if (!scan_word(&line, &kind))
			continue;
		while (scan_word(&line, &word)) {
			struct scan pair = scan_text(word.text, word.len);
			uint64_t total_us;

			if (scan_skip(&pair, "total=") && scan_u64(&pair, &total_us))
				series_note(series, &kind, SERIES_COUNTER, total_us);
		}
	}
}

static void pressure_sample(void *state, const struct monitor_tick *tick)
{
	struct pressure_monitor *monitor = state;

	for (size_t i = 0; i < NR_RESOURCES; i++) {
		struct probe *probe = monitor->probes[i];

		if (probe && series_begin(&monitor->series[i], tick, probe))
			pressure_parse(&monitor->series[i], probe_scan(probe));
	}
}

static void report_resource(const struct series *series, const char *resource,
			    struct result *result)
{
	for (size_t i = 0; i < series->nr; i++) {
		const struct series_item *item = &series->items[i];
		double elapsed_us = (double)(item->last_ns - item->first_ns) / NS_PER_US;
		uint64_t delta_us;

		if (!series_delta(series, item, &delta_us) || elapsed_us <= 0)
			continue;
		monitor_report(result, (double)delta_us, "pressure.%s.%s_us", resource, item->name);
		monitor_report(result, 100.0 * (double)delta_us / elapsed_us, "pressure.%s.%s%%",
			       resource, item->name);
	}
}

static void pressure_report(void *state, struct result *result)
{
	const struct pressure_monitor *monitor = state;

	for (size_t i = 0; i < NR_RESOURCES; i++)
		report_resource(&monitor->series[i], resources[i], result);
}

const struct monitor_ops monitor_pressure = {
	.name = "pressure",
	.summary = "pressure.*: share of time in which tasks waited for CPU, I/O or memory",
	.flags = MONITOR_DEFAULT,
	.every = 0,
	.open = pressure_open,
	.sample = pressure_sample,
	.report = pressure_report,
	.close = pressure_close,
};
