/* SPDX-License-Identifier: GPL-2.0-or-later */
/* idle: time and entries of each idle state, summed over the CPUs. Deep ones make I/O wait for the
 * CPU to wake up. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/numbered.h"
#include "monitor/report.h"
#include "stats/counter.h"

#define MAX_STATES 16 /* the kernel has 10 */

/* Sums over the CPUs. */
struct idle_counts {
	uint64_t usage, time_us;
	unsigned nr_cpus; /* that have the state */
};

struct idle_monitor {
	char *folder;
	unsigned *cpus;
	size_t nr_cpus;
	char names[MAX_STATES][32]; /* "C1"; empty = no such state */
	struct idle_counts first[MAX_STATES], last[MAX_STATES];
	uint64_t first_ns, last_ns;
};

static void idle_close(void *state)
{
	struct idle_monitor *monitor = state;

	free(monitor->folder);
	free(monitor->cpus);
	free(monitor);
}

/* Names are those of the first CPU that has the state. */
static unsigned find_states(struct idle_monitor *monitor)
{
	unsigned nr = 0;

	for (unsigned i = 0; i < MAX_STATES && monitor->nr_cpus; i++) {
		CLEANUP(free)
		char *path = xasprintf("%s/cpu%u/cpuidle/state%u/name", monitor->folder,
				       monitor->cpus[0], i);

		if (sysfs_read_word(path, monitor->names[i], sizeof(monitor->names[i])))
			nr++;
		else
			monitor->names[i][0] = '\0';
	}
	return nr;
}

static int idle_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	struct idle_monitor *monitor = xcalloc(1, sizeof(*monitor));

	monitor->folder = xasprintf("%s/devices/system/cpu", context->sys_root);
	monitor->nr_cpus = numbered_list(monitor->folder, "cpu", &monitor->cpus);
	if (find_states(monitor) == 0) {
		idle_close(monitor);
		return err_set(err, ERR_UNSUPPORTED, "no cpuidle");
	}
	*ret_state = monitor;
	return 0;
}

static void add_cpu(const struct idle_monitor *monitor, unsigned cpu, unsigned state,
		    struct idle_counts *counts)
{
	CLEANUP(free)
	char *usage_path = xasprintf("%s/cpu%u/cpuidle/state%u/usage", monitor->folder, cpu, state);
	CLEANUP(free)
	char *time_path = xasprintf("%s/cpu%u/cpuidle/state%u/time", monitor->folder, cpu, state);
	int64_t usage;
	int64_t time_us;

	if (!sysfs_read_i64(usage_path, &usage) || !sysfs_read_i64(time_path, &time_us))
		return;
	counts->usage += (uint64_t)usage;
	counts->time_us += (uint64_t)time_us;
	counts->nr_cpus++;
}

static void idle_sample(void *state, const struct monitor_tick *tick)
{
	struct idle_monitor *monitor = state;
	struct idle_counts *counts = tick->nr == 1 ? monitor->first : monitor->last;

	if (tick->nr == 1)
		monitor->first_ns = tick->clock();
	else
		monitor->last_ns = tick->clock();
	for (unsigned i = 0; i < MAX_STATES; i++) {
		counts[i] = (struct idle_counts){ .nr_cpus = 0 };
		for (size_t cpu = 0; monitor->names[i][0] && cpu < monitor->nr_cpus; cpu++)
			add_cpu(monitor, monitor->cpus[cpu], i, &counts[i]);
	}
}

static void idle_report(void *state, struct result *result)
{
	const struct idle_monitor *monitor = state;
	uint64_t elapsed_ns = monitor->last_ns - monitor->first_ns;

	for (unsigned i = 0; i < MAX_STATES; i++) {
		const struct idle_counts *first = &monitor->first[i];
		const struct idle_counts *last = &monitor->last[i];
		uint64_t usage;
		uint64_t time_us;

		if (first->nr_cpus == 0 || first->nr_cpus != last->nr_cpus ||
		    !counter_delta(first->usage, last->usage, &usage) ||
		    !counter_delta(first->time_us, last->time_us, &time_us))
			continue;
		monitor_report_count(result, usage, elapsed_ns, "cpuidle.%s.usage",
				     monitor->names[i]);
		monitor_report_count(result, time_us, elapsed_ns, "cpuidle.%s.time",
				     monitor->names[i]);
	}
}

const struct monitor_ops monitor_idle = {
	.name = "idle",
	.summary = "cpuidle.*: time and entries of the idle states, summed over the CPUs",
	.flags = MONITOR_DEFAULT,
	.every = 0,
	.open = idle_open,
	.sample = idle_sample,
	.report = idle_report,
	.close = idle_close,
};
