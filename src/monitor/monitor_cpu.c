/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu: what mpstat shows of all CPUs together, the CPU part of iostat, and the busiest CPU: a job
 * that is bound by one of many CPUs looks idle in the mean. */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "monitor/cpu_times.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/report.h"
#include "monitor/probe.h"

/* Far above any machine; keeps a broken file from making the array large. */
#define MAX_CPUS 16384

/* First and last reading of one line. */
struct line {
	struct cpu_times first, last;
	uint64_t first_nr, last_nr; /* rounds; 0 = never seen */
};

struct cpu_monitor {
	struct probe *probe;
	struct line all;
	struct line *cpus; /* by number */
	size_t nr_cpus;
	uint64_t round_nr;
};

static int cpu_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	struct cpu_monitor *monitor = xcalloc(1, sizeof(*monitor));
	int ret = probe_open(context->probes, context->proc_root, "stat", &monitor->probe, err);

	if (ret < 0) {
		free(monitor);
		return ret;
	}
	*ret_state = monitor;
	return 0;
}

static void cpu_close(void *state)
{
	struct cpu_monitor *monitor = state;

	free(monitor->cpus);
	free(monitor);
}

static void line_put(struct line *line, uint64_t round_nr, const struct cpu_times *times)
{
	if (line->first_nr == 0) {
		line->first = *times;
		line->first_nr = round_nr;
	}
	line->last = *times;
	line->last_nr = round_nr;
}

static struct line *line_of_cpu(struct cpu_monitor *monitor, uint64_t number)
{
	if (number >= MAX_CPUS)
		return NULL;
	if (number >= monitor->nr_cpus) {
		size_t nr = (size_t)number + 1;

		monitor->cpus = xreallocarray(monitor->cpus, nr, sizeof(*monitor->cpus));
		for (size_t i = monitor->nr_cpus; i < nr; i++)
			monitor->cpus[i] = (struct line){ .first_nr = 0 };
		monitor->nr_cpus = nr;
	}
	return &monitor->cpus[number];
}

static void cpu_sample(void *state, const struct monitor_tick *tick)
{
	struct cpu_monitor *monitor = state;
	struct scan text;
	struct scan rest;

	monitor->round_nr++;
	if (!probe_read(monitor->probe, tick))
		return;
	text = probe_scan(monitor->probe);
	while (scan_line(&text, &rest) && scan_skip(&rest, "cpu")) {
		struct cpu_times times;
		struct line *line = &monitor->all;
		uint64_t number;

		if (rest.pos < rest.end && *rest.pos != ' ')
			line = scan_u64(&rest, &number) ? line_of_cpu(monitor, number) : NULL;
		if (line && cpu_times_parse(&rest, &times))
			line_put(line, monitor->round_nr, &times);
	}
}

/* False for a CPU that was not there all the time. */
static bool line_shares(const struct cpu_monitor *monitor, const struct line *line,
			struct cpu_shares *ret_shares)
{
	return line->first_nr == 1 && line->last_nr == monitor->round_nr &&
	       cpu_times_shares(&line->first, &line->last, ret_shares);
}

static void report_mpstat(struct result *result, const struct cpu_shares *shares)
{
	static const char *const names[CPU_NR_TIMES] = {
		[CPU_USER] = "usr",	    [CPU_NICE] = "nice",     [CPU_SYSTEM] = "sys",
		[CPU_IDLE] = "idle",	    [CPU_IOWAIT] = "iowait", [CPU_IRQ] = "irq",
		[CPU_SOFTIRQ] = "soft",	    [CPU_STEAL] = "steal",   [CPU_GUEST] = "guest",
		[CPU_GUEST_NICE] = "gnice",
	};

	for (unsigned i = 0; i < CPU_NR_TIMES; i++)
		monitor_report(result, shares->percent[i], "mpstat.cpu.all.%s%%", names[i]);
}

/* iostat counts guests as user, and interrupts as system. */
static void report_iostat(struct result *result, const struct cpu_shares *shares)
{
	const double *percent = shares->percent;

	monitor_report(result, percent[CPU_USER] + percent[CPU_GUEST], "iostat.cpu.user");
	monitor_report(result, percent[CPU_NICE] + percent[CPU_GUEST_NICE], "iostat.cpu.nice");
	monitor_report(result, percent[CPU_SYSTEM] + percent[CPU_IRQ] + percent[CPU_SOFTIRQ],
		       "iostat.cpu.system");
	monitor_report(result, percent[CPU_IOWAIT], "iostat.cpu.iowait");
	monitor_report(result, percent[CPU_STEAL], "iostat.cpu.steal");
	monitor_report(result, percent[CPU_IDLE], "iostat.cpu.idle");
}

static void cpu_report(void *state, struct result *result)
{
	const struct cpu_monitor *monitor = state;
	struct cpu_shares shares;
	double busiest = (double)NAN;

	if (line_shares(monitor, &monitor->all, &shares)) {
		report_mpstat(result, &shares);
		report_iostat(result, &shares);
	}
	for (size_t i = 0; i < monitor->nr_cpus; i++) {
		if (line_shares(monitor, &monitor->cpus[i], &shares))
			busiest = fmax(busiest, 100.0 - shares.percent[CPU_IDLE] -
							shares.percent[CPU_IOWAIT]);
	}
	monitor_report(result, busiest, "mpstat.cpu.busiest%%");
}

const struct monitor_ops monitor_cpu = {
	.name = "cpu",
	.summary = "mpstat.cpu.*, iostat.cpu.*: shares of CPU time, and of the busiest CPU",
	.flags = MONITOR_DEFAULT,
	.every = 0,
	.open = cpu_open,
	.sample = cpu_sample,
	.report = cpu_report,
	.close = cpu_close,
};
