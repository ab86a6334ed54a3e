/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pressure, schedstat, sched-debug and process: who waited for what. */
#include "machine.h"
#include "monitor/monitor.h"
#include "test.h"

/* 5.2 to 5.12: no "full" of cpu. */
static void test_pressure(void **state)
{
	struct machine *machine = *state;

	machine_file(machine, "proc/pressure/io",
		     "some avg10=1.00 avg60=2.00 avg300=3.00 total=1000000\n"
		     "full avg10=1.00 avg60=2.00 avg300=3.00 total=400000\n");
	machine_run(machine, "pressure", "proc/pressure/cpu",
		    "some avg10=0.00 avg60=0.00 avg300=0.00 total=7\n",
		    "some avg10=9.00 avg60=9.00 avg300=9.00 total=2500007\n");
	assert_metric(machine, "pressure.cpu.some_us", 2500000);
	assert_metric(machine, "pressure.cpu.some%", 25); /* of 10 s */
	assert_metric(machine, "pressure.io.some%", 0);
	assert_metric(machine, "pressure.io.full_us", 0);
	assert_no_metric(machine, "pressure.cpu.full%");
	assert_none(machine, "pressure.memory");
	assert_absence(machine, NULL);
}

static void test_pressure_in_other_forms(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "pressure", "proc/pressure/memory", "some total=x\nfull\n total=5\n",
		    "some total=7\nfull total=\n");
	assert_none(machine, "pressure");
}

static void test_schedstat(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "schedstat", "proc/schedstat",
		    "version 15\ntimestamp 4294900000\n"
		    "cpu0 0 0 0 0 0 0 1000 200 10\ndomain0 03 0 0 0 0 0 0 0\n"
		    "cpu1 0 0 0 0 0 0 5000 100 20\n",
		    "version 15\ntimestamp 4294902500\n"
		    "cpu0 0 0 9 9 9 9 3000 1200 30\ndomain0 03 1 1 1 1 1 1 1\n"
		    "cpu1 0 0 9 9 9 9 9000 600 50\n");
	assert_metric(machine, "schedstat.run_time_ns", 6000);
	assert_metric(machine, "schedstat.run_time_ns_per_sec", 600);
	assert_metric(machine, "schedstat.run_delay_ns", 1500);
	assert_metric(machine, "schedstat.timeslices", 50);
	assert_metric(machine, "schedstat.timeslices_per_sec", 5);
}

static void test_schedstat_without_cpus(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "schedstat", "proc/schedstat", "version 15\ncpu0 1 2 3\n",
		    "version 15\ncpu0 1 2 3\n");
	assert_none(machine, "schedstat");
}

static const char sched_debug_text[] =
	"Sched Debug Version: v0.11, 6.1.0-1 #1\n"
	"ktime                                   : 5000.25\n"
	"sched_clk                               : 5010.5\n"
	"cpu_clk                                 : 5010.5\n"
	"jiffies                                 : 4295000000\n"
	"sched_clock_stable()                    : 1\n"
	"\n"
	"sysctl_sched\n"
	"  .sysctl_sched_latency                    : 18.000000\n"
	"  .sysctl_sched_features                   : 58611259\n"
	"  .sysctl_sched_tunable_scaling            : 1 (logarithmic)\n"
	"\n"
	"cpu#0, 2400.000 MHz\n"
	"  .nr_running                    : 1\n"
	"  .clock                         : 100.5\n"
	"\n"
	"cfs_rq[0]:/autogroup-17\n"
	"  .load                          : 999\n"
	"\n"
	"cfs_rq[0]:/\n"
	"  .load                          : 10\n"
	"  .avg_vruntime                  : -2.5\n"
	"\n"
	"rt_rq[0]:/\n"
	"  .rt_nr_running                 : 0\n"
	"\n"
	"dl_rq[0]:\n"
	"  .dl_nr_running                 : 4\n"
	"\n"
	"runnable tasks:\n"
	" S            task   PID         tree-key  switches\n"
	"-------------------------------------------------\n"
	" S         systemd     1      3457.500000      2131\n"
	" R        odd : 5    12         1\n"
	"\n"
	"cpu#1, 2400.000 MHz\n"
	"  .nr_running                    : 3\n"
	"  .clock                         : 102.5\n"
	"\n"
	"cfs_rq[1]:/\n"
	"  .load                          : 30\n";

static void run_sched_debug(struct machine *machine, const char *path)
{
	machine_file(machine, path, sched_debug_text);
	machine_watch(machine, "sched-debug");
	machine_round(machine, 0, MONITOR_FIRST);
	for (unsigned i = 1; i < 21; i++)
		machine_round(machine, i, MONITOR_BETWEEN);
	machine_round(machine, 21, MONITOR_LAST);
	machine_report(machine);
}

/* Up to 5.12. */
static void test_sched_debug_of_proc(void **state)
{
	struct machine *machine = *state;

	run_sched_debug(machine, "proc/sched_debug");
	assert_metric(machine, "sched_debug.ktime", 5000.25);
	assert_metric(machine, "sched_debug.sched_clk", 5010.5);
	assert_metric(machine, "sched_debug.cpu_clk", 5010.5);
	assert_no_metric(machine, "sched_debug.jiffies");
	assert_metric(machine, "sched_debug.sysctl_sched.sysctl_sched_latency", 18);
	assert_metric(machine, "sched_debug.cpu.nr_running.avg", 2);
	assert_metric(machine, "sched_debug.cpu.nr_running.min", 1);
	assert_metric(machine, "sched_debug.cpu.nr_running.max", 3);
	assert_metric(machine, "sched_debug.cpu.nr_running.stddev", 1);
	assert_metric(machine, "sched_debug.cfs_rq:/.load.avg", 20);
	assert_metric(machine, "sched_debug.cfs_rq:/.avg_vruntime.min", -2.5);
	assert_metric(machine, "sched_debug.rt_rq:/.rt_nr_running.max", 0);
	assert_metric(machine, "sched_debug.dl_rq:.dl_nr_running.avg", 4);
	assert_none(machine, "sched_debug.cfs_rq:/autogroup");
	assert_none(machine, "sched_debug.odd");
}

static void test_sched_debug_of_debugfs(void **state)
{
	struct machine *machine = *state;

	run_sched_debug(machine, "sys/kernel/debug/sched/debug");
	assert_metric(machine, "sched_debug.cpu.nr_running.avg", 2);
}

static void test_sched_debug_without_debugfs(void **state)
{
	struct machine *machine = *state;

	machine_watch(machine, "sched-debug");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_round(machine, 1, MONITOR_LAST);
	machine_report(machine);
	assert_absence(machine, "sched-debug (open ");
	assert_none(machine, "sched_debug");
}

/* What this process uses between the rounds. */
static void test_process(void **state)
{
	struct machine *machine = *state;
	volatile double sum = 0;

	machine_watch(machine, "process");
	machine_round(machine, 0, MONITOR_FIRST);
	for (unsigned i = 0; i < 20000000; i++)
		sum += i;
	(void)sum;
	machine_round(machine, 4, MONITOR_LAST);
	machine_report(machine);
	assert_metric(machine, "time.elapsed_time", 4);
	assert_true(given_find(&machine->result.monitored, "time.user_time")->value > 0);
	assert_non_null(given_find(&machine->result.monitored, "time.system_time"));
	assert_non_null(given_find(&machine->result.monitored, "time.minor_page_faults_per_sec"));
	assert_non_null(given_find(&machine->result.monitored, "time.voluntary_context_switches"));
	/* the planted /proc cannot set the peak back, so it would be that of the whole process */
	assert_no_metric(machine, "time.maximum_resident_set_size");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, machine_setup, machine_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_pressure),
		CASE(test_pressure_in_other_forms),
		CASE(test_schedstat),
		CASE(test_schedstat_without_cpus),
		CASE(test_sched_debug_of_proc),
		CASE(test_sched_debug_of_debugfs),
		CASE(test_sched_debug_without_debugfs),
		CASE(test_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
