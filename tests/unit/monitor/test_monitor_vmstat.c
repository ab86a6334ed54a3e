/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vmstat: its columns, each from one of three files. */
#include <unistd.h>

#include "machine.h"
#include "monitor/monitor.h"
#include "test.h"

static void test_processes_and_system(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "vmstat", "proc/stat",
		    "cpu  0 0 0 0 0 0 0 0 0 0\nintr 1000 1 2 3\nctxt 500\nbtime 1\n"
		    "processes 9\nprocs_running 1\nprocs_blocked 0\nsoftirq 5 1 1\n",
		    "cpu  30 10 10 30 10 3 2 1 4 2\nintr 3000 9 9 9\nctxt 5500\nbtime 1\n"
		    "processes 9\nprocs_running 4\nprocs_blocked 2\nsoftirq 5 1 1\n");
	assert_metric(machine, "vmstat.system.in", 200);
	assert_metric(machine, "vmstat.system.cs", 500);
	assert_metric(machine, "vmstat.procs.r", 3); /* without who looks */
	assert_metric(machine, "vmstat.procs.b", 2);
	/* of 96 ticks */
	assert_metric(machine, "vmstat.cpu.us", 100.0 * 34 / 96);
	assert_metric(machine, "vmstat.cpu.sy", 100.0 * 15 / 96);
	assert_metric(machine, "vmstat.cpu.id", 100.0 * 30 / 96);
	assert_metric(machine, "vmstat.cpu.wa", 100.0 * 10 / 96);
	assert_metric(machine, "vmstat.cpu.st", 100.0 * 1 / 96);
	assert_metric(machine, "vmstat.cpu.gu", 100.0 * 6 / 96);
	assert_none(machine, "vmstat.memory");
	assert_none(machine, "vmstat.io");
}

static void test_io_and_swap(void **state)
{
	double page_kib = (double)sysconf(_SC_PAGESIZE) / 1024;
	struct machine *machine = *state;

	machine_run(machine, "vmstat", "proc/vmstat",
		    "nr_dirty 3\npgpgin 1000\npgpgout 2000\npswpin 0\npswpout 5\npgfault 1\n",
		    "nr_dirty 3\npgpgin 41000\npgpgout 2500\npswpin 70\npswpout 5\npgfault 9\n");
	assert_metric(machine, "vmstat.io.bi", 4000); /* KiB/s */
	assert_metric(machine, "vmstat.io.bo", 50);
	assert_metric(machine, "vmstat.swap.si", 7 * page_kib);
	assert_metric(machine, "vmstat.swap.so", 0);
	assert_none(machine, "vmstat.cpu");
	assert_none(machine, "vmstat.procs");
}

static void test_memory(void **state)
{
	struct machine *machine = *state;

	machine_run(
		machine, "vmstat", "proc/meminfo", "MemTotal: 1000 kB\nMemFree: 900 kB\n",
		"MemTotal:        1000 kB\nMemFree:          500 kB\nMemAvailable:     700 kB\n"
		"Buffers:           40 kB\nCached:           200 kB\nSwapCached:         9 kB\n"
		"SwapTotal:        600 kB\nSwapFree:         450 kB\nSReclaimable:      25 kB\n");
	assert_metric(machine, "vmstat.memory.free", 500);
	assert_metric(machine, "vmstat.memory.buff", 40);
	assert_metric(machine, "vmstat.memory.cache", 225);
	assert_metric(machine, "vmstat.memory.swpd", 150);
}

static void test_partial_meminfo(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "vmstat", "proc/meminfo", "MemFree: 900 kB\n",
		    "MemFree: 500 kB\nCached: 7 kB\nSwapFree: 5 kB\n");
	assert_metric(machine, "vmstat.memory.free", 500);
	assert_no_metric(machine, "vmstat.memory.cache");
	assert_no_metric(machine, "vmstat.memory.swpd");
	assert_no_metric(machine, "vmstat.memory.buff");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, machine_setup, machine_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_processes_and_system),
		CASE(test_io_and_swap),
		CASE(test_memory),
		CASE(test_partial_meminfo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
