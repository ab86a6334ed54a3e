/* SPDX-License-Identifier: GPL-2.0-or-later */
/* schedstat: how long tasks ran and waited for a CPU, from /proc/schedstat. */
#include <string.h>

#include "monitor/listing.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/probe.h"

/* A line of a CPU has nine numbers in versions 15 to 17 of the file; the last three are these. */
enum { FIELD_RUN_NS = 6, FIELD_DELAY_NS, FIELD_SLICES, NR_FIELDS };

static int schedstat_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	return listing_open(context, "schedstat", ret_state, err);
}

static void note(struct series *series, const char *name, uint64_t value)
{
	const struct scan_word word = { .text = name, .len = strlen(name) };

	series_note(series, &word, SERIES_COUNTER, value);
}

static void schedstat_sample(void *state, const struct monitor_tick *tick)
{
	struct listing *listing = state;
	uint64_t sums[NR_FIELDS] = { 0 };
	unsigned nr_cpus = 0;
	struct scan text;
	struct scan line;

	if (!series_begin(&listing->series, tick, listing->probe))
		return;
	text = probe_scan(listing->probe);
	while (scan_line(&text, &line)) {
		uint64_t fields[NR_FIELDS];
		uint64_t cpu;

		if (!scan_skip(&line, "cpu") || !scan_u64(&line, &cpu) ||
		    scan_u64s(&line, fields, NR_FIELDS) != NR_FIELDS)
			continue;
		nr_cpus++;
		for (unsigned i = 0; i < NR_FIELDS; i++)
			sums[i] += fields[i];
	}
	if (nr_cpus == 0)
		return;
	note(&listing->series, "run_time_ns", sums[FIELD_RUN_NS]);
	note(&listing->series, "run_delay_ns", sums[FIELD_DELAY_NS]);
	note(&listing->series, "timeslices", sums[FIELD_SLICES]);
}

static void schedstat_report(void *state, struct result *result)
{
	const struct listing *listing = state;

	series_report(&listing->series, "schedstat", result);
}

const struct monitor_ops monitor_schedstat = {
	.name = "schedstat",
	.summary = "schedstat.*: how long tasks ran and waited for a CPU",
	.flags = MONITOR_DEFAULT,
	.every = 0,
	.open = schedstat_open,
	.sample = schedstat_sample,
	.report = schedstat_report,
	.close = listing_close,
};
