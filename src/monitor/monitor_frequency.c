/* SPDX-License-Identifier: GPL-2.0-or-later */
/* frequency: how fast the CPUs run, as cpufreq tells. Idle CPUs count as well. */
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/numbered.h"
#include "monitor/report.h"

/* On some kernels each question interrupts the CPU that it is about. */
#define MAX_CPUS_ASKED 32
#define KHZ_PER_MHZ 1000.0

struct frequency_monitor {
	char *paths[MAX_CPUS_ASKED];
	size_t nr;
	double sum, min, max; /* MHz, over the CPUs and rounds */
	size_t nr_samples;
};

static void frequency_close(void *state)
{
	struct frequency_monitor *monitor = state;

	for (size_t i = 0; i < monitor->nr; i++)
		free(monitor->paths[i]);
	free(monitor);
}

static int frequency_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	CLEANUP(free) char *folder = xasprintf("%s/devices/system/cpu", context->sys_root);
	CLEANUP(free) unsigned *numbers = NULL;
	size_t nr = numbered_list(folder, "cpu", &numbers);
	size_t step = (nr + MAX_CPUS_ASKED - 1) / MAX_CPUS_ASKED;
	struct frequency_monitor *monitor = xcalloc(1, sizeof(*monitor));

	monitor->min = INFINITY;
	monitor->max = -INFINITY;
	for (size_t i = 0; i < nr; i += step) {
		char *path = xasprintf("%s/cpu%u/cpufreq/scaling_cur_freq", folder, numbers[i]);
		int64_t khz;

		if (sysfs_read_i64(path, &khz))
			monitor->paths[monitor->nr++] = path;
		else
			free(path);
	}
	if (monitor->nr == 0) {
		frequency_close(monitor);
		return err_set(err, ERR_UNSUPPORTED, "no cpufreq");
	}
	*ret_state = monitor;
	return 0;
}

static void frequency_sample(void *state, const struct monitor_tick *tick)
{
	struct frequency_monitor *monitor = state;

	/* At the ends the CPUs rest. */
	for (size_t i = 0; i < monitor->nr && !tick->is_end; i++) {
		int64_t khz;
		double mhz;

		if (!sysfs_read_i64(monitor->paths[i], &khz))
			continue;
		mhz = (double)khz / KHZ_PER_MHZ;
		monitor->sum += mhz;
		monitor->min = fmin(monitor->min, mhz);
		monitor->max = fmax(monitor->max, mhz);
		monitor->nr_samples++;
	}
}

static void frequency_report(void *state, struct result *result)
{
	const struct frequency_monitor *monitor = state;

	if (monitor->nr_samples == 0)
		return;
	monitor_report(result, monitor->sum / (double)monitor->nr_samples, "cpufreq.mean");
	monitor_report(result, monitor->min, "cpufreq.min");
	monitor_report(result, monitor->max, "cpufreq.max");
}

const struct monitor_ops monitor_frequency = {
	.name = "frequency",
	.summary = "cpufreq.*: frequency of the CPUs",
	.flags = MONITOR_DEFAULT,
	.every = 2,
	.open = frequency_open,
	.sample = frequency_sample,
	.report = frequency_report,
	.close = frequency_close,
};
