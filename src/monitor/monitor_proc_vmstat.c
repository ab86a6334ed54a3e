/* SPDX-License-Identifier: GPL-2.0-or-later */
/* proc-vmstat: every item of /proc/vmstat, levels as means and counters as totals and rates. */
#include "monitor/listing.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/probe.h"
#include "monitor/vmstat_names.h"

static int proc_vmstat_open(const struct monitor_context *context, void **ret_state,
			    struct err *err)
{
	return listing_open(context, "vmstat", ret_state, err);
}

static void proc_vmstat_sample(void *state, const struct monitor_tick *tick)
{
	struct listing *listing = state;

	if (series_begin(&listing->series, tick, listing->probe))
		vmstat_note(&listing->series, probe_scan(listing->probe));
}

static void proc_vmstat_report(void *state, struct result *result)
{
	const struct listing *listing = state;

	series_report(&listing->series, "proc-vmstat", result);
}

const struct monitor_ops monitor_proc_vmstat = {
	.name = "proc-vmstat",
	.summary = "proc-vmstat.*: /proc/vmstat",
	.flags = MONITOR_DEFAULT,
	.every = 1,
	.open = proc_vmstat_open,
	.sample = proc_vmstat_sample,
	.report = proc_vmstat_report,
	.close = listing_close,
};
