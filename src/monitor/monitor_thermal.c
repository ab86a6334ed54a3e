/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thermal: temperatures of the thermal zones, and how often the CPUs were throttled. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/numbered.h"
#include "monitor/report.h"
#include "stats/counter.h"

#define MILLI 1000.0

struct zone {
	char *name;
	char *path; /* of its temperature */
	/* Asking an NVMe disk for its temperature is a command in its queue. */
	bool is_disk;
	double sum, max; /* degrees C */
	size_t nr;
};

enum throttle { THROTTLE_CORE, THROTTLE_PACKAGE, NR_THROTTLES };

/* The counts of one CPU at the first and the last round. */
struct cpu {
	unsigned number;
	uint64_t first[NR_THROTTLES], last[NR_THROTTLES];
	bool has_first[NR_THROTTLES], has_last[NR_THROTTLES];
};

struct thermal_monitor {
	VEC(struct zone) zones;
	struct cpu *cpus;
	size_t nr_cpus;
	char *cpu_folder;
	uint64_t first_ns, last_ns;
};

static const char *const throttle_names[NR_THROTTLES] = { "core_throttle_count",
							  "package_throttle_count" };

static bool has_zone(const struct thermal_monitor *monitor, const char *name)
{
	for (size_t i = 0; i < monitor->zones.nr; i++) {
		if (strcmp(monitor->zones.items[i].name, name) == 0)
			return true;
	}
	return false;
}

static void add_zone(struct thermal_monitor *monitor, const char *folder, unsigned number)
{
	CLEANUP(free) char *type_path = xasprintf("%s/thermal_zone%u/type", folder, number);
	struct zone zone = { .max = -INFINITY };
	char type[64];

	if (!sysfs_read_word(type_path, type, sizeof(type)))
		return;
	zone.path = xasprintf("%s/thermal_zone%u/temp", folder, number);
	zone.name = has_zone(monitor, type) ? xasprintf("%s.%u", type, number) : xstrdup(type);
	zone.is_disk = strncmp(type, "nvme", 4) == 0;
	vec_push(&monitor->zones, zone);
}

static void find_zones(struct thermal_monitor *monitor, const char *sys_root)
{
	CLEANUP(free) char *folder = xasprintf("%s/class/thermal", sys_root);
	CLEANUP(free) unsigned *numbers = NULL;
	size_t nr = numbered_list(folder, "thermal_zone", &numbers);

	for (size_t i = 0; i < nr; i++)
		add_zone(monitor, folder, numbers[i]);
}

/* False if the CPU has no such count. */
static bool read_throttle(const struct thermal_monitor *monitor, unsigned cpu,
			  enum throttle throttle, uint64_t *ret_count)
{
	CLEANUP(free)
	char *path = xasprintf("%s/cpu%u/thermal_throttle/%s", monitor->cpu_folder, cpu,
			       throttle_names[throttle]);
	int64_t count;

	if (!sysfs_read_i64(path, &count) || count < 0)
		return false;
	*ret_count = (uint64_t)count;
	return true;
}

static void find_cpus(struct thermal_monitor *monitor, const char *sys_root)
{
	CLEANUP(free) unsigned *numbers = NULL;
	size_t nr;

	monitor->cpu_folder = xasprintf("%s/devices/system/cpu", sys_root);
	nr = numbered_list(monitor->cpu_folder, "cpu", &numbers);
	monitor->cpus = xcalloc(nr + 1, sizeof(*monitor->cpus));
	for (size_t i = 0; i < nr; i++) {
		uint64_t count;

		if (read_throttle(monitor, numbers[i], THROTTLE_CORE, &count))
			monitor->cpus[monitor->nr_cpus++].number = numbers[i];
	}
}

static void thermal_close(void *state)
{
	struct thermal_monitor *monitor = state;

	VEC_FOREACH (&monitor->zones, zone) {
		free(zone->name);
		free(zone->path);
	}
	vec_release(&monitor->zones);
	free(monitor->cpus);
	free(monitor->cpu_folder);
	free(monitor);
}

static int thermal_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	struct thermal_monitor *monitor = xcalloc(1, sizeof(*monitor));

	find_zones(monitor, context->sys_root);
	find_cpus(monitor, context->sys_root);
	if (monitor->zones.nr == 0 && monitor->nr_cpus == 0) {
		thermal_close(monitor);
		return err_set(err, ERR_UNSUPPORTED, "no thermal zone and no throttle count");
	}
	*ret_state = monitor;
	return 0;
}

static void sample_zone(struct zone *zone, const struct monitor_tick *tick)
{
	int64_t milli;

	if ((zone->is_disk && !tick->is_end) || !sysfs_read_i64(zone->path, &milli))
		return;
	zone->sum += (double)milli / MILLI;
	zone->max = fmax(zone->max, (double)milli / MILLI);
	zone->nr++;
}

static void sample_cpu(const struct thermal_monitor *monitor, struct cpu *cpu, bool is_first)
{
	uint64_t *into = is_first ? cpu->first : cpu->last;
	bool *has = is_first ? cpu->has_first : cpu->has_last;

	for (unsigned i = 0; i < NR_THROTTLES; i++)
		has[i] = read_throttle(monitor, cpu->number, (enum throttle)i, &into[i]);
}

static void thermal_sample(void *state, const struct monitor_tick *tick)
{
	struct thermal_monitor *monitor = state;

	VEC_FOREACH (&monitor->zones, zone)
		sample_zone(zone, tick);
	if (!tick->is_end)
		return;
	for (size_t i = 0; i < monitor->nr_cpus; i++)
		sample_cpu(monitor, &monitor->cpus[i], tick->nr == 1);
	if (tick->nr == 1)
		monitor->first_ns = tick->now_ns;
	monitor->last_ns = tick->now_ns;
}

/* Each core counts; the count of a package shows at each of its CPUs, so the greatest one does. */
static void report_throttle(const struct thermal_monitor *monitor, enum throttle throttle,
			    struct result *result)
{
	uint64_t total = 0;
	unsigned nr = 0;

	for (size_t i = 0; i < monitor->nr_cpus; i++) {
		const struct cpu *cpu = &monitor->cpus[i];
		uint64_t delta;

		if (!cpu->has_first[throttle] || !cpu->has_last[throttle] ||
		    !counter_delta(cpu->first[throttle], cpu->last[throttle], &delta))
			continue;
		nr++;
		if (throttle == THROTTLE_CORE)
			total += delta;
		else if (delta > total)
			total = delta;
	}
	if (nr)
		monitor_report_count(result, total, monitor->last_ns - monitor->first_ns,
				     "thermal.%s", throttle_names[throttle]);
}

static void thermal_report(void *state, struct result *result)
{
	const struct thermal_monitor *monitor = state;

	VEC_FOREACH (&monitor->zones, zone) {
		if (zone->nr == 0)
			continue;
		monitor_report(result, zone->sum / (double)zone->nr, "thermal.%s", zone->name);
		monitor_report(result, zone->max, "thermal.%s.max", zone->name);
	}
	for (unsigned i = 0; i < NR_THROTTLES; i++)
		report_throttle(monitor, (enum throttle)i, result);
}

const struct monitor_ops monitor_thermal = {
	.name = "thermal",
	.summary = "thermal.*: temperatures, and how often CPUs were throttled",
	.flags = MONITOR_DEFAULT,
	.every = 10, /* firmware may answer slowly */
	.open = thermal_open,
	.sample = thermal_sample,
	.report = thermal_report,
	.close = thermal_close,
};
