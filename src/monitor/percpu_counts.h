/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_PERCPU_COUNTS_H
#define REGIO_MONITOR_PERCPU_COUNTS_H

/*
 * Private to src/monitor: tables with a line for each event and a column for each CPU, such as
 * /proc/softirqs. The counts are 32 bits wide and wrap one by one, so that only sums of
 * differences mean something. If CPUs come or go meanwhile nothing is reported.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "monitor/series.h"

struct monitor_tick;
struct result;
struct probe;
struct strbuf;

struct percpu_counts {
	struct series series;
	uint32_t *cpu_first, *cpu_last; /* sums over the events */
	size_t nr_cpus;			/* columns of the first round */
	char *head;			/* its first line */
	bool is_broken;			/* they changed */
	/* The name of a line: its label, and what stands after the counts. NULL = the label. */
	void (*name)(const struct scan_word *label, struct scan rest, struct strbuf *out);
};

void percpu_counts_sample(struct percpu_counts *counts, const struct monitor_tick *tick,
			  struct probe *probe);
/* Numbered events that never happened since boot are left out. */
void percpu_counts_report(const struct percpu_counts *counts, const char *prefix,
			  struct result *result);
void percpu_counts_release(struct percpu_counts *counts);

#endif
