/* SPDX-License-Identifier: GPL-2.0-or-later */
/* process: what regio itself used, its workers above all: the numbers of time(1). */
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>

#include "base/arena.h"
#include "base/file.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/report.h"

#define US_PER_SEC 1e6

struct process_monitor {
	char *reset_path;
	struct rusage first, last;
	uint64_t first_ns, last_ns;
	bool is_peak_reset; /* so that the largest size is that of this run */
};

static int process_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	struct process_monitor *monitor = xcalloc(1, sizeof(*monitor));

	(void)err;
	monitor->reset_path = xasprintf("%s/self/clear_refs", context->proc_root);
	*ret_state = monitor;
	return 0;
}

static void process_close(void *state)
{
	struct process_monitor *monitor = state;

	free(monitor->reset_path);
	free(monitor);
}

static void process_sample(void *state, const struct monitor_tick *tick)
{
	struct process_monitor *monitor = state;
	struct rusage *usage = tick->nr == 1 ? &monitor->first : &monitor->last;

	if (tick->nr == 1) {
		monitor->first_ns = tick->now_ns;
		/* proc(5): 5 sets the peak of the resident size back to its present value. */
		monitor->is_peak_reset = file_write_line(monitor->reset_path, "5", NULL) == 0;
	}
	monitor->last_ns = tick->now_ns;
	(void)getrusage(RUSAGE_SELF, usage); /* cannot fail */
}

static double seconds_between(const struct timeval *before, const struct timeval *after)
{
	return (double)(after->tv_sec - before->tv_sec) +
	       (double)(after->tv_usec - before->tv_usec) / US_PER_SEC;
}

static void report_times(const struct process_monitor *monitor, struct result *result)
{
	double elapsed = (double)(monitor->last_ns - monitor->first_ns) / 1e9;
	double user = seconds_between(&monitor->first.ru_utime, &monitor->last.ru_utime);
	double system = seconds_between(&monitor->first.ru_stime, &monitor->last.ru_stime);

	monitor_report(result, user, "time.user_time");
	monitor_report(result, system, "time.system_time");
	monitor_report(result, elapsed, "time.elapsed_time");
	monitor_report(result, 100.0 * (user + system) / elapsed,
		       "time.percent_of_cpu_this_job_got");
}

static void process_report(void *state, struct result *result)
{
	const struct process_monitor *monitor = state;
	const struct rusage *first = &monitor->first;
	const struct rusage *last = &monitor->last;
	const struct {
		const char *name;
		long delta;
	} counts[] = {
		{ "major_page_faults", last->ru_majflt - first->ru_majflt },
		{ "minor_page_faults", last->ru_minflt - first->ru_minflt },
		{ "voluntary_context_switches", last->ru_nvcsw - first->ru_nvcsw },
		{ "involuntary_context_switches", last->ru_nivcsw - first->ru_nivcsw },
		{ "file_system_inputs", last->ru_inblock - first->ru_inblock },
		{ "file_system_outputs", last->ru_oublock - first->ru_oublock },
	};

	report_times(monitor, result);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		monitor_report_count(result, (uint64_t)counts[i].delta,
				     monitor->last_ns - monitor->first_ns, "time.%s",
				     counts[i].name);
	if (monitor->is_peak_reset)
		monitor_report(result, (double)last->ru_maxrss, "time.maximum_resident_set_size");
}

const struct monitor_ops monitor_process = {
	.name = "process",
	.summary = "time.*: CPU time, page faults, context switches and memory of regio itself",
	.flags = MONITOR_DEFAULT,
	.every = 0,
	.open = process_open,
	.sample = process_sample,
	.report = process_report,
	.close = process_close,
};
