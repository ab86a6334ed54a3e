/* SPDX-License-Identifier: GPL-2.0-or-later */
/* monitor_set: what is absent, and files that hold anything but what is expected. */
#include "monitor/monitor_set.h"

#include <stdlib.h>
#include <string.h>

#include "machine.h"
#include "monitor/monitor.h"
#include "test.h"

static void test_absent_files_are_named_when_asked_for(void **state)
{
	struct machine *machine = *state;

	machine_watch(machine, "cpu,disk,pressure,numa");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_round(machine, 10, MONITOR_LAST);
	machine_report(machine);
	assert_absence(machine, "nothing to watch here for: cpu (open ");
	assert_absence(machine, "/proc/stat: No such file or directory)");
	assert_absence(machine, "disk (no block device under the job)");
	assert_absence(machine, "pressure (open ");
	assert_absence(machine, "numa (one memory node)");
	assert_none(machine, "mpstat");
	assert_none(machine, "iostat");
	assert_metric(machine, "monitor.samples", 2);
	assert_metric(machine, "monitor.window_ms", 10000);
}

static void test_default_is_silent_on_an_empty_machine(void **state)
{
	struct machine *machine = *state;

	machine_watch(machine, "default");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_round(machine, 1, MONITOR_BETWEEN);
	machine_round(machine, 2, MONITOR_LAST);
	machine_report(machine);
	assert_absence(machine, NULL);
	assert_metric(machine, "time.elapsed_time", 2); /* needs no file */
}

static const char *const garbage_files[] = {
	"proc/stat",
	"proc/vmstat",
	"proc/meminfo",
	"proc/interrupts",
	"proc/softirqs",
	"proc/pressure/cpu",
	"proc/pressure/io",
	"proc/pressure/irq",
	"proc/schedstat",
	"proc/slabinfo",
	"proc/sched_debug",
	"sys/block/sda/stat",
	"sys/block/sdb/stat",
	"proc/pressure/memory",
	"sys/devices/system/node/node0/meminfo",
	"sys/devices/system/node/node1/meminfo",
	"sys/devices/system/node/node1/vmstat",
	"sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq",
	"sys/devices/system/cpu/cpu0/cpuidle/state0/name",
	"sys/devices/system/cpu/cpu0/cpuidle/state0/usage",
	"sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count",
	"sys/class/thermal/thermal_zone0/type",
	"sys/class/thermal/thermal_zone0/temp",
};
static const char *const garbage[] = {
	"",
	"\n",
	"x",
	":",
	"\n\n:\n",
	"cpu",
	"cpu 1 2 3",
	"-1 -2",
	"[",
	"a[0]:/\n .b : c\n",
	"CPU0 CPU1\n 0: 1",
	"some total=",
	"99999999999999999999999999",
	"slabinfo - version: 2.1\nx\n# \n",
	"Node 0 :\n",
	"\xff\xfe\x01 \x80: \xff\n",
	"cpu#0\n .nr: 1e999\n .nr : nan\n",
};

#define NR_FILES (sizeof(garbage_files) / sizeof(garbage_files[0]))
#define NR_CONTENTS (sizeof(garbage) / sizeof(garbage[0]))

static void test_garbage_everywhere(void **state)
{
	struct machine *machine = *state;

	machine->disks[machine->nr_disks++] = "sda";
	machine->disks[machine->nr_disks++] = "sdb";
	for (size_t i = 0; i < NR_FILES; i++)
		machine_file(machine, garbage_files[i], garbage[0]);
	machine_watch(machine, "default,slabinfo,sched-debug");
	for (size_t i = 0; i < NR_CONTENTS; i++) {
		for (size_t j = 0; j < NR_FILES; j++)
			machine_file(machine, garbage_files[j], garbage[i]);
		machine_round(machine, (double)i, i ? MONITOR_BETWEEN : MONITOR_FIRST);
	}
	machine_round(machine, 100, MONITOR_LAST);
	machine_report(machine);
	assert_none(machine, "iostat");
	assert_none(machine, "mpstat");
	assert_none(machine, "vmstat.cpu");
}

/* One kind of content all the time, so that first and last agree in it. */
static void run_with(struct machine *machine, const char *content)
{
	machine->disks[machine->nr_disks++] = "sda";
	machine_file(machine, "proc/stat", content);
	machine_file(machine, "proc/vmstat", content);
	machine_file(machine, "proc/interrupts", content);
	machine_file(machine, "sys/block/sda/stat", content);
	machine_watch(machine, "default");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_round(machine, 1, MONITOR_LAST);
	machine_report(machine);
	assert_none(machine, "iostat");
	assert_none(machine, "mpstat");
	assert_none(machine, "interrupts");
}

static void test_steady_garbage(void **state)
{
	run_with(*state, "cpu 1 2 3\n4 5 6 7\nname -5\n");
}

static void test_steady_emptiness(void **state)
{
	run_with(*state, "");
}

static void test_one_round_reports_nothing(void **state)
{
	struct machine *machine = *state;

	machine_file(machine, "proc/meminfo", "MemTotal: 5 kB\n");
	machine_watch(machine, "meminfo,process");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_report(machine);
	assert_int_equal(machine->result.monitored.nr, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_absent_files_are_named_when_asked_for,
						machine_setup, machine_teardown),
		cmocka_unit_test_setup_teardown(test_default_is_silent_on_an_empty_machine,
						machine_setup, machine_teardown),
		cmocka_unit_test_setup_teardown(test_garbage_everywhere, machine_setup,
						machine_teardown),
		cmocka_unit_test_setup_teardown(test_steady_garbage, machine_setup,
						machine_teardown),
		cmocka_unit_test_setup_teardown(test_steady_emptiness, machine_setup,
						machine_teardown),
		cmocka_unit_test_setup_teardown(test_one_round_reports_nothing, machine_setup,
						machine_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
