/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf-stat: what the CPUs' counters count on the whole machine, as perf stat -a does, and the
 * ratios that matter: instructions for each I/O (path-length) above all. */
#include <linux/perf_event.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/note.h"
#include "model/result.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/perf_event.h"
#include "monitor/report.h"

enum counter {
	COUNTER_CYCLES,
	COUNTER_INSTRUCTIONS,
	COUNTER_CACHE_REFERENCES,
	COUNTER_CACHE_MISSES,
	COUNTER_BRANCHES,
	COUNTER_BRANCH_MISSES,
	NR_HARDWARE, /* few enough for the counters of most CPUs */
	COUNTER_SWITCHES = NR_HARDWARE,
	COUNTER_MIGRATIONS,
	COUNTER_FAULTS,
	NR_COUNTERS,
};

static const struct counter_row {
	const char *name;
	uint32_t type;
	uint64_t config;
} rows[NR_COUNTERS] = {
	[COUNTER_CYCLES] = { "cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES },
	[COUNTER_INSTRUCTIONS] = { "instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
	[COUNTER_CACHE_REFERENCES] = { "cache-references", PERF_TYPE_HARDWARE,
				       PERF_COUNT_HW_CACHE_REFERENCES },
	[COUNTER_CACHE_MISSES] = { "cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
	[COUNTER_BRANCHES] = { "branch-instructions", PERF_TYPE_HARDWARE,
			       PERF_COUNT_HW_BRANCH_INSTRUCTIONS },
	[COUNTER_BRANCH_MISSES] = { "branch-misses", PERF_TYPE_HARDWARE,
				    PERF_COUNT_HW_BRANCH_MISSES },
	[COUNTER_SWITCHES] = { "context-switches", PERF_TYPE_SOFTWARE,
			       PERF_COUNT_SW_CONTEXT_SWITCHES },
	[COUNTER_MIGRATIONS] = { "cpu-migrations", PERF_TYPE_SOFTWARE,
				 PERF_COUNT_SW_CPU_MIGRATIONS },
	[COUNTER_FAULTS] = { "page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS },
};

struct perf_stat_monitor {
	struct perf_event events[NR_COUNTERS]; /* nr 0 = not counted */
	double first[NR_COUNTERS], last[NR_COUNTERS];
	uint64_t first_ns, last_ns;
	struct err hardware; /* why there are no hardware counters */
};

static void perf_stat_close(void *state)
{
	struct perf_stat_monitor *monitor = state;

	for (unsigned i = 0; i < NR_COUNTERS; i++)
		perf_event_close(&monitor->events[i]);
	free(monitor);
}

static int perf_stat_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	struct perf_stat_monitor *monitor = xcalloc(1, sizeof(*monitor));
	unsigned nr_open = 0;

	(void)context;
	for (unsigned i = 0; i < NR_COUNTERS; i++) {
		struct err why = { .code = 0 };

		if (perf_event_count_all(rows[i].type, rows[i].config, &monitor->events[i], &why) ==
		    0)
			nr_open++;
		else if (i == COUNTER_CYCLES)
			monitor->hardware = why;
	}
	if (nr_open == 0) {
		(void)err_set(err, ERR_UNSUPPORTED, "%s", monitor->hardware.msg);
		perf_stat_close(monitor);
		return -ERR_UNSUPPORTED;
	}
	*ret_state = monitor;
	return 0;
}

static void perf_stat_sample(void *state, const struct monitor_tick *tick)
{
	struct perf_stat_monitor *monitor = state;
	double *counts = tick->nr == 1 ? monitor->first : monitor->last;

	for (unsigned i = 0; i < NR_COUNTERS; i++) {
		if (monitor->events[i].nr == 0 ||
		    perf_event_read(&monitor->events[i], &counts[i]) < 0)
			counts[i] = (double)NAN;
	}
	if (tick->nr == 1)
		monitor->first_ns = tick->now_ns;
	monitor->last_ns = tick->now_ns;
}

static double total_ios(const struct result *result)
{
	double sum = 0;

	for (size_t i = 0; i < result->nr_jobs; i++) {
		for (unsigned dir = 0; dir < IO_NR_DATA_DIRS; dir++)
			sum += (double)result->jobs[i].dir[dir].total_ios;
	}
	return sum;
}

/* Division by 0 gives no finite number, and so no metric. */
static void report_ratios(const double *counts, struct result *result)
{
	double cycles = counts[COUNTER_CYCLES];
	double instructions = counts[COUNTER_INSTRUCTIONS];
	double cache_misses = counts[COUNTER_CACHE_MISSES];

	monitor_report(result, instructions / cycles, "perf-stat.overall.ipc");
	monitor_report(result, cycles / instructions, "perf-stat.overall.cpi");
	monitor_report(result, 1000.0 * cache_misses / instructions, "perf-stat.overall.MPKI");
	monitor_report(result, 100.0 * cache_misses / counts[COUNTER_CACHE_REFERENCES],
		       "perf-stat.overall.cache-miss-rate%%");
	monitor_report(result, 100.0 * counts[COUNTER_BRANCH_MISSES] / counts[COUNTER_BRANCHES],
		       "perf-stat.overall.branch-miss-rate%%");
	monitor_report(result, cycles / cache_misses,
		       "perf-stat.overall.cycles-between-cache-misses");
	monitor_report(result, instructions / total_ios(result), "perf-stat.overall.path-length");
}

static void perf_stat_report(void *state, struct result *result)
{
	const struct perf_stat_monitor *monitor = state;
	double seconds = (double)(monitor->last_ns - monitor->first_ns) / 1e9;
	double counts[NR_COUNTERS];

	for (unsigned i = 0; i < NR_COUNTERS; i++) {
		counts[i] = monitor->last[i] - monitor->first[i];
		monitor_report(result, counts[i], "perf-stat.total.%s", rows[i].name);
		monitor_report(result, counts[i] / seconds, "perf-stat.ps.%s", rows[i].name);
	}
	report_ratios(counts, result);
	if (monitor->hardware.code)
		note_add(&result->notes, NOTE_MONITOR_ABSENT,
			 "perf-stat counts only what the kernel counts itself; cycles, "
			 "instructions and cache misses: %s",
			 monitor->hardware.msg);
}

const struct monitor_ops monitor_perf_stat = {
	.name = "perf-stat",
	.summary = "perf-stat.*: counters of the CPUs on the whole machine",
	.flags = 0,
	.every = 0,
	.open = perf_stat_open,
	.sample = perf_stat_sample,
	.report = perf_stat_report,
	.close = perf_stat_close,
};
