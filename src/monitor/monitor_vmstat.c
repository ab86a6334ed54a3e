/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vmstat: the columns of vmstat(8), from /proc/stat, /proc/vmstat and /proc/meminfo. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "monitor/cpu_times.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/report.h"
#include "monitor/series.h"
#include "monitor/probe.h"

enum column {
	COLUMN_RUNNING, /* of /proc/stat */
	COLUMN_BLOCKED,
	COLUMN_INTERRUPTS,
	COLUMN_SWITCHES,
	COLUMN_SWAP_IN, /* of /proc/vmstat */
	COLUMN_SWAP_OUT,
	COLUMN_IN,
	COLUMN_OUT,
	COLUMN_SWAPPED, /* of /proc/meminfo */
	COLUMN_FREE,
	COLUMN_BUFFERS,
	COLUMN_CACHE,
	NR_COLUMNS,
};

static const struct column_row {
	const char *name;
	enum series_kind kind;
} columns[NR_COLUMNS] = {
	[COLUMN_RUNNING] = { "procs.r", SERIES_LOAD },
	[COLUMN_BLOCKED] = { "procs.b", SERIES_LOAD },
	[COLUMN_INTERRUPTS] = { "system.in", SERIES_COUNTER },
	[COLUMN_SWITCHES] = { "system.cs", SERIES_COUNTER },
	[COLUMN_SWAP_IN] = { "swap.si", SERIES_COUNTER },
	[COLUMN_SWAP_OUT] = { "swap.so", SERIES_COUNTER },
	[COLUMN_IN] = { "io.bi", SERIES_COUNTER },
	[COLUMN_OUT] = { "io.bo", SERIES_COUNTER },
	[COLUMN_SWAPPED] = { "memory.swpd", SERIES_LEVEL },
	[COLUMN_FREE] = { "memory.free", SERIES_LEVEL },
	[COLUMN_BUFFERS] = { "memory.buff", SERIES_LEVEL },
	[COLUMN_CACHE] = { "memory.cache", SERIES_LEVEL },
};

/* One file with its columns; a machine may lack some of the files. */
enum vmstat_file { FILE_STAT, FILE_VMSTAT, FILE_MEMINFO, NR_FILES };

struct vmstat_monitor {
	struct probe *probes[NR_FILES]; /* NULL = absent */
	struct series series[NR_FILES];
	struct cpu_times first, last;
	uint64_t first_nr, last_nr; /* rounds of FILE_STAT in which the times were there */
	double page_kib;
};

static int vmstat_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	static const char *const names[NR_FILES] = { "stat", "vmstat", "meminfo" };
	struct vmstat_monitor *monitor = xcalloc(1, sizeof(*monitor));
	unsigned nr_open = 0;
	int ret = 0;

	for (unsigned i = 0; i < NR_FILES; i++) {
		int one = probe_open(context->probes, context->proc_root, names[i],
				     &monitor->probes[i], err);

		nr_open += one == 0;
		ret = one < 0 ? one : ret;
	}
	if (nr_open == 0) {
		free(monitor);
		return ret;
	}
	monitor->page_kib = (double)sysconf(_SC_PAGESIZE) / 1024.0;
	*ret_state = monitor;
	return 0;
}

static void vmstat_close(void *state)
{
	struct vmstat_monitor *monitor = state;

	for (unsigned i = 0; i < NR_FILES; i++)
		series_release(&monitor->series[i]);
	free(monitor);
}

static void column_put(struct vmstat_monitor *monitor, enum vmstat_file file, enum column column,
		       uint64_t value)
{
	const struct column_row *row = &columns[column];
	const struct scan_word name = { .text = row->name, .len = strlen(row->name) };

	series_note(&monitor->series[file], &name, row->kind, value);
}

static void cpu_put(struct vmstat_monitor *monitor, struct scan *line)
{
	struct cpu_times times;

	if (!cpu_times_parse(line, &times))
		return;
	monitor->last = times;
	monitor->last_nr = monitor->series[FILE_STAT].round_nr;
	if (monitor->last_nr != 1)
		return;
	monitor->first = times;
	monitor->first_nr = 1;
}

static void sample_stat(struct vmstat_monitor *monitor, struct scan text)
{
	struct scan line;

	while (scan_line(&text, &line)) {
		struct scan_word name;
		uint64_t value;

		if (!scan_word(&line, &name))
			continue;
		if (scan_word_is(&name, "cpu"))
			cpu_put(monitor, &line);
		else if (!scan_u64(&line, &value))
			continue;
		else if (scan_word_is(&name, "intr"))
			column_put(monitor, FILE_STAT, COLUMN_INTERRUPTS, value);
		else if (scan_word_is(&name, "ctxt"))
			column_put(monitor, FILE_STAT, COLUMN_SWITCHES, value);
		else if (scan_word_is(&name, "procs_running")) /* without who looks */
			column_put(monitor, FILE_STAT, COLUMN_RUNNING, value ? value - 1 : 0);
		else if (scan_word_is(&name, "procs_blocked"))
			column_put(monitor, FILE_STAT, COLUMN_BLOCKED, value);
	}
}

static void sample_vmstat(struct vmstat_monitor *monitor, struct scan text)
{
	static const struct {
		const char *name;
		enum column column;
	} rows[] = {
		{ "pgpgin", COLUMN_IN },
		{ "pgpgout", COLUMN_OUT },
		{ "pswpin", COLUMN_SWAP_IN },
		{ "pswpout", COLUMN_SWAP_OUT },
	};
	struct scan line;

	while (scan_line(&text, &line)) {
		struct scan_word name;
		uint64_t value;

		if (line.pos == line.end || *line.pos != 'p' || !scan_word(&line, &name) ||
		    !scan_u64(&line, &value))
			continue;
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			if (scan_word_is(&name, rows[i].name))
				column_put(monitor, FILE_VMSTAT, rows[i].column, value);
		}
	}
}

/* Fields of /proc/meminfo that columns are made of; -1 = not there. */
struct memory {
	int64_t free_kib, buffers_kib, cached_kib, reclaimable_kib;
	int64_t swap_total_kib, swap_free_kib;
};

static void memory_parse(struct scan text, struct memory *memory)
{
	const struct {
		const char *name;
		int64_t *into;
	} rows[] = {
		{ "MemFree", &memory->free_kib },
		{ "Buffers", &memory->buffers_kib },
		{ "Cached", &memory->cached_kib },
		{ "SReclaimable", &memory->reclaimable_kib },
		{ "SwapTotal", &memory->swap_total_kib },
		{ "SwapFree", &memory->swap_free_kib },
	};
	struct scan line;

	while (scan_line(&text, &line)) {
		struct scan_word name;
		uint64_t value;

		if (!scan_until(&line, ':', &name) || !scan_u64(&line, &value) || value > INT64_MAX)
			continue;
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			if (scan_word_is(&name, rows[i].name))
				*rows[i].into = (int64_t)value;
		}
	}
}

static void sample_meminfo(struct vmstat_monitor *monitor, struct scan text)
{
	struct memory memory = { -1, -1, -1, -1, -1, -1 };

	memory_parse(text, &memory);
	if (memory.free_kib >= 0)
		column_put(monitor, FILE_MEMINFO, COLUMN_FREE, (uint64_t)memory.free_kib);
	if (memory.buffers_kib >= 0)
		column_put(monitor, FILE_MEMINFO, COLUMN_BUFFERS, (uint64_t)memory.buffers_kib);
	if (memory.cached_kib >= 0 && memory.reclaimable_kib >= 0)
		column_put(monitor, FILE_MEMINFO, COLUMN_CACHE,
			   (uint64_t)(memory.cached_kib + memory.reclaimable_kib));
	if (memory.swap_free_kib >= 0 && memory.swap_total_kib >= memory.swap_free_kib)
		column_put(monitor, FILE_MEMINFO, COLUMN_SWAPPED,
			   (uint64_t)(memory.swap_total_kib - memory.swap_free_kib));
}

static void vmstat_sample(void *state, const struct monitor_tick *tick)
{
	static void (*const samplers[NR_FILES])(struct vmstat_monitor *, struct scan) = {
		[FILE_STAT] = sample_stat,
		[FILE_VMSTAT] = sample_vmstat,
		[FILE_MEMINFO] = sample_meminfo,
	};
	struct vmstat_monitor *monitor = state;

	for (unsigned i = 0; i < NR_FILES; i++) {
		struct probe *probe = monitor->probes[i];

		if (probe && series_begin(&monitor->series[i], tick, probe))
			samplers[i](monitor, probe_scan(probe));
	}
}

static void report_item(const struct vmstat_monitor *monitor, const struct series *series,
			const struct series_item *item, struct result *result)
{
	/* The kernel counts what is paged in KiB, what is swapped in pages. */
	double factor = strncmp(item->name, "swap.", 5) == 0 ? monitor->page_kib : 1.0;
	uint64_t delta;

	if (item->kind != SERIES_COUNTER)
		monitor_report(result, series_mean(item), "vmstat.%s", item->name);
	else if (series_delta(series, item, &delta) && item->last_ns > item->first_ns)
		monitor_report(result,
			       (double)delta * factor * 1e9 /
				       (double)(item->last_ns - item->first_ns),
			       "vmstat.%s", item->name);
}

/* Adds up to 100; vmstat 4.0.4 and later shows guests apart, as here. */
static void report_cpu(const struct vmstat_monitor *monitor, struct result *result)
{
	struct cpu_shares shares;
	const double *percent = shares.percent;

	if (monitor->first_nr != 1 || monitor->last_nr != monitor->series[FILE_STAT].round_nr ||
	    !cpu_times_shares(&monitor->first, &monitor->last, &shares))
		return;
	monitor_report(result, percent[CPU_USER] + percent[CPU_NICE], "vmstat.cpu.us");
	monitor_report(result, percent[CPU_SYSTEM] + percent[CPU_IRQ] + percent[CPU_SOFTIRQ],
		       "vmstat.cpu.sy");
	monitor_report(result, percent[CPU_IDLE], "vmstat.cpu.id");
	monitor_report(result, percent[CPU_IOWAIT], "vmstat.cpu.wa");
	monitor_report(result, percent[CPU_STEAL], "vmstat.cpu.st");
	monitor_report(result, percent[CPU_GUEST] + percent[CPU_GUEST_NICE], "vmstat.cpu.gu");
}

static void vmstat_report(void *state, struct result *result)
{
	const struct vmstat_monitor *monitor = state;

	for (unsigned i = 0; i < NR_FILES; i++) {
		const struct series *series = &monitor->series[i];

		for (size_t j = 0; j < series->nr; j++)
			report_item(monitor, series, &series->items[j], result);
	}
	report_cpu(monitor, result);
}

const struct monitor_ops monitor_vmstat = {
	.name = "vmstat",
	.summary = "vmstat.*: what vmstat shows of processes, memory, swap, I/O and CPUs",
	.flags = MONITOR_DEFAULT,
	.every = 1,
	.open = vmstat_open,
	.sample = vmstat_sample,
	.report = vmstat_report,
	.close = vmstat_close,
};
