/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cpu: shares of time as mpstat and iostat define them. */
#include "machine.h"
#include "monitor/monitor.h"
#include "test.h"

/* Of 1000 ticks: user 300 (of these guest 50), nice 100 (guest 20), system 200, idle 250, iowait
 * 60, irq 30, softirq 40, steal 20. */
static void test_shares(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "cpu", "proc/stat",
		    "cpu  1000 100 500 9000 200 10 20 5 100 50\n"
		    "cpu0 500 50 250 4500 100 5 10 2 50 25\nintr 5\n",
		    "cpu  1300 200 700 9250 260 40 60 25 150 70\n"
		    "cpu0 500 50 250 4500 100 5 10 2 50 25\nintr 9\n");
	assert_metric(machine, "mpstat.cpu.all.usr%", 25);
	assert_metric(machine, "mpstat.cpu.all.nice%", 8);
	assert_metric(machine, "mpstat.cpu.all.sys%", 20);
	assert_metric(machine, "mpstat.cpu.all.iowait%", 6);
	assert_metric(machine, "mpstat.cpu.all.irq%", 3);
	assert_metric(machine, "mpstat.cpu.all.soft%", 4);
	assert_metric(machine, "mpstat.cpu.all.steal%", 2);
	assert_metric(machine, "mpstat.cpu.all.guest%", 5);
	assert_metric(machine, "mpstat.cpu.all.gnice%", 2);
	assert_metric(machine, "mpstat.cpu.all.idle%", 25);
	assert_metric(machine, "iostat.cpu.user", 30);
	assert_metric(machine, "iostat.cpu.nice", 10);
	assert_metric(machine, "iostat.cpu.system", 27);
	assert_metric(machine, "iostat.cpu.iowait", 6);
	assert_metric(machine, "iostat.cpu.steal", 2);
	assert_metric(machine, "iostat.cpu.idle", 25);
}

static void test_busiest(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "cpu", "proc/stat",
		    "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n"
		    "cpu1 0 0 0 0 0 0 0 0 0 0\ncpu7 0 0 0 0 0 0 0 0 0 0\n",
		    "cpu  0 0 110 190 0 0 0 0 0 0\ncpu0 0 0 10 90 0 0 0 0 0 0\n"
		    "cpu1 0 0 80 10 10 0 0 0 0 0\ncpu7 0 0 20 80 0 0 0 0 0 0\n");
	assert_metric(machine, "mpstat.cpu.busiest%", 80);
}

/* A CPU that went offline lasts no run, one that came is none of it. */
static void test_cpus_that_come_and_go(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "cpu", "proc/stat",
		    "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n"
		    "cpu1 0 0 0 0 0 0 0 0 0 0\n",
		    "cpu  0 0 50 50 0 0 0 0 0 0\ncpu0 0 0 40 60 0 0 0 0 0 0\n"
		    "cpu2 0 0 100 0 0 0 0 0 0 0\n");
	assert_metric(machine, "mpstat.cpu.busiest%", 40);
	assert_metric(machine, "mpstat.cpu.all.sys%", 50);
}

/* The kernel warns of it: idle and iowait may go back. */
static void test_iowait_that_goes_back(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "cpu", "proc/stat", "cpu  0 0 0 0 500 0 0 0 0 0\n",
		    "cpu  50 0 0 50 490 0 0 0 0 0\n");
	assert_metric(machine, "mpstat.cpu.all.iowait%", 0);
	assert_metric(machine, "mpstat.cpu.all.usr%", 50);
	assert_metric(machine, "mpstat.cpu.all.idle%", 50);
}

static void test_no_time_passed(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "cpu", "proc/stat", "cpu  9 0 0 7 5 0 0 0 0 0\n",
		    "cpu  9 0 0 7 5 0 0 0 0 0\n");
	assert_none(machine, "mpstat");
	assert_none(machine, "iostat.cpu");
}

static void test_older_and_broken_forms(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "cpu", "proc/stat", "cpu  1 2 3 4 5 6 7\ncpux 1 2\ncpu99999999 1\n",
		    "cpu  2 3 4 5 6 7 8\ncpu\ncpu5\n");
	assert_none(machine, "mpstat");
}

static void test_file_that_goes_away(void **state)
{
	struct machine *machine = *state;

	machine_file(machine, "proc/stat", "cpu  0 0 0 0 0 0 0 0 0 0\n");
	machine_watch(machine, "cpu");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_file(machine, "proc/stat", "cpu  5 0 0 5 0 0 0 0 0 0\n");
	machine_round(machine, 1, MONITOR_BETWEEN); /* not asked */
	machine_no_file(machine, "proc/stat");
	machine_round(machine, 2, MONITOR_LAST);
	machine_report(machine);
	assert_none(machine, "mpstat");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, machine_setup, machine_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_shares),
		CASE(test_busiest),
		CASE(test_cpus_that_come_and_go),
		CASE(test_iowait_that_goes_back),
		CASE(test_no_time_passed),
		CASE(test_older_and_broken_forms),
		CASE(test_file_that_goes_away),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
