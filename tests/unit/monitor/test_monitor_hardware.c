/* SPDX-License-Identifier: GPL-2.0-or-later */
/* thermal, frequency and idle: sysfs of CPUs and thermal zones. */
#include "base/arena.h"
#include "base/cleanup.h"
#include "machine.h"
#include "monitor/monitor.h"
#include "test.h"

#define CPU "sys/devices/system/cpu/"
#define ZONE "sys/class/thermal/thermal_zone"

/* First, two in between that slow monitors are asked in, last. */
static void rounds(struct machine *machine, const char *list, void (*change)(struct machine *))
{
	machine_watch(machine, list);
	machine_round(machine, 0, MONITOR_FIRST);
	change(machine);
	for (unsigned i = 1; i < 20; i++)
		machine_round(machine, i, MONITOR_BETWEEN);
	machine_round(machine, 20, MONITOR_LAST);
	machine_report(machine);
}

static void plant_zone(const struct machine *machine, unsigned nr, const char *type,
		       const char *temp)
{
	CLEANUP(free) char *type_path = xasprintf(ZONE "%u/type", nr);
	CLEANUP(free) char *temp_path = xasprintf(ZONE "%u/temp", nr);

	machine_file(machine, type_path, type);
	machine_file(machine, temp_path, temp);
}

static void heat(struct machine *machine)
{
	machine_file(machine, ZONE "0/temp", "80000\n");
	machine_file(machine, ZONE "1/temp", "55000\n");
	machine_file(machine, ZONE "2/temp", "-5500\n");
	machine_file(machine, ZONE "3/temp", "not now\n");
}

/* Four readings: at the ends and in rounds 10 and 20. */
static void test_zones(void **state)
{
	struct machine *machine = *state;

	plant_zone(machine, 0, "x86_pkg_temp\n", "40000\n");
	plant_zone(machine, 1, "nvme\n", "45000\n");
	plant_zone(machine, 2, "acpitz\n", "20000\n");
	plant_zone(machine, 3, "acpitz\n", "30000\n");
	plant_zone(machine, 10, "silent\n", "");
	rounds(machine, "thermal", heat);
	assert_metric(machine, "thermal.x86_pkg_temp", 70);
	assert_metric(machine, "thermal.x86_pkg_temp.max", 80);
	assert_metric(machine, "thermal.nvme", 50); /* only before and after the run */
	assert_metric(machine, "thermal.acpitz", (20 - 3 * 5.5) / 4);
	assert_metric(machine, "thermal.acpitz.3", 30);
	assert_none(machine, "thermal.silent");
	assert_none(machine, "thermal.core");
}

static void throttle(struct machine *machine)
{
	machine_file(machine, CPU "cpu0/thermal_throttle/core_throttle_count", "14\n");
	machine_file(machine, CPU "cpu0/thermal_throttle/package_throttle_count", "107\n");
	machine_file(machine, CPU "cpu1/thermal_throttle/core_throttle_count", "3\n");
	machine_file(machine, CPU "cpu1/thermal_throttle/package_throttle_count", "107\n");
}

static void test_throttling(void **state)
{
	struct machine *machine = *state;

	machine_file(machine, CPU "cpu0/thermal_throttle/core_throttle_count", "10\n");
	machine_file(machine, CPU "cpu0/thermal_throttle/package_throttle_count", "100\n");
	machine_file(machine, CPU "cpu1/thermal_throttle/core_throttle_count", "1\n");
	machine_file(machine, CPU "cpu1/thermal_throttle/package_throttle_count", "100\n");
	machine_file(machine, CPU "cpu2/online", "0\n");
	rounds(machine, "thermal", throttle);
	assert_metric(machine, "thermal.core_throttle_count", 6);
	assert_metric(machine, "thermal.core_throttle_count_per_sec", 0.3);
	assert_metric(machine, "thermal.package_throttle_count", 7); /* one package, seen twice */
}

static void speed_up(struct machine *machine)
{
	machine_file(machine, CPU "cpu0/cpufreq/scaling_cur_freq", "3000000\n");
	machine_file(machine, CPU "cpu1/cpufreq/scaling_cur_freq", "2000000\n");
	machine_file(machine, CPU "cpu2/cpufreq/scaling_cur_freq", "<unknown>\n");
}

static void test_frequency(void **state)
{
	struct machine *machine = *state;

	machine_file(machine, CPU "cpu0/cpufreq/scaling_cur_freq", "800000\n");
	machine_file(machine, CPU "cpu1/cpufreq/scaling_cur_freq", "800000\n");
	machine_file(machine, CPU "cpu2/cpufreq/scaling_cur_freq", "800000\n");
	machine_file(machine, CPU "cpufreq/policy0", "");
	rounds(machine, "frequency", speed_up);
	assert_metric(machine, "cpufreq.mean", 2500);
	assert_metric(machine, "cpufreq.min", 2000);
	assert_metric(machine, "cpufreq.max", 3000);
}

static void sleep_more(struct machine *machine)
{
	machine_file(machine, CPU "cpu0/cpuidle/state1/usage", "30\n");
	machine_file(machine, CPU "cpu0/cpuidle/state1/time", "2000000\n");
	machine_file(machine, CPU "cpu1/cpuidle/state1/usage", "15\n");
}

static void plant_state(const struct machine *machine, unsigned cpu, unsigned nr, const char *name)
{
	CLEANUP(free) char *folder = xasprintf(CPU "cpu%u/cpuidle/state%u", cpu, nr);
	CLEANUP(free) char *name_path = xasprintf("%s/name", folder);
	CLEANUP(free) char *usage_path = xasprintf("%s/usage", folder);
	CLEANUP(free) char *time_path = xasprintf("%s/time", folder);

	machine_file(machine, name_path, name);
	machine_file(machine, usage_path, "10\n");
	machine_file(machine, time_path, "1000000\n");
}

static void test_idle_states(void **state)
{
	struct machine *machine = *state;

	for (unsigned cpu = 0; cpu < 2; cpu++) {
		plant_state(machine, cpu, 0, "POLL\n");
		plant_state(machine, cpu, 1, "C1E\n");
	}
	rounds(machine, "idle", sleep_more);
	assert_metric(machine, "cpuidle.C1E.usage", 25);
	assert_metric(machine, "cpuidle.C1E.usage_per_sec", 1.25);
	assert_metric(machine, "cpuidle.C1E.time", 1000000);
	assert_metric(machine, "cpuidle.C1E.time_per_sec", 50000);
	assert_metric(machine, "cpuidle.POLL.usage", 0);
}

static void unplug(struct machine *machine)
{
	machine_no_file(machine, CPU "cpu1/cpuidle/state0/usage");
}

static void test_idle_states_of_a_cpu_that_goes(void **state)
{
	struct machine *machine = *state;

	plant_state(machine, 0, 0, "POLL\n");
	plant_state(machine, 1, 0, "POLL\n");
	rounds(machine, "idle", unplug);
	assert_none(machine, "cpuidle");
}

static void nothing(struct machine *machine)
{
	(void)machine;
}

/* A virtual machine. */
static void test_nothing_of_it(void **state)
{
	struct machine *machine = *state;

	machine_file(machine, CPU "cpu0/online", "1\n");
	rounds(machine, "thermal,frequency,idle", nothing);
	assert_absence(machine, "thermal (no thermal zone and no throttle count)");
	assert_absence(machine, "frequency (no cpufreq)");
	assert_absence(machine, "idle (no cpuidle)");
	assert_none(machine, "thermal");
	assert_none(machine, "cpufreq");
	assert_none(machine, "cpuidle");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, machine_setup, machine_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_zones),
		CASE(test_throttling),
		CASE(test_frequency),
		CASE(test_idle_states),
		CASE(test_idle_states_of_a_cpu_that_goes),
		CASE(test_nothing_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
