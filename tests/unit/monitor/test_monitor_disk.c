/* SPDX-License-Identifier: GPL-2.0-or-later */
/* disk: the columns of iostat -x from the counters of three generations of kernels. */
#include "machine.h"
#include "monitor/monitor.h"
#include "test.h"

#define STAT "sys/block/sda/stat"

static void run(struct machine *machine, const char *before, const char *after)
{
	machine->disks[machine->nr_disks++] = "sda";
	machine_run(machine, "disk", STAT, before, after);
}

/* 17 fields, 5.5 and later. Rounds at 0, 5 and 10 s; everything happens in the first 5. */
static void test_all_columns(void **state)
{
	struct machine *machine = *state;

	run(machine,
	    "    1000     50   80000   4000     200     10    1600    300   0   5000    4300"
	    "      10      0    8000      5      20      40\n",
	    "    3000    550  240000  10000    1200    260   17600   2300   3   9000   12600"
	    "     110     10   16000     55      70     140\n");
	assert_metric(machine, "iostat.sda.r/s", 200);
	assert_metric(machine, "iostat.sda.rkB/s", 8000);
	assert_metric(machine, "iostat.sda.rrqm/s", 50);
	assert_metric(machine, "iostat.sda.%rrqm", 20);
	assert_metric(machine, "iostat.sda.r_await", 3);
	assert_metric(machine, "iostat.sda.rareq-sz", 40);
	assert_metric(machine, "iostat.sda.w/s", 100);
	assert_metric(machine, "iostat.sda.wkB/s", 800);
	assert_metric(machine, "iostat.sda.wrqm/s", 25);
	assert_metric(machine, "iostat.sda.%wrqm", 20);
	assert_metric(machine, "iostat.sda.w_await", 2);
	assert_metric(machine, "iostat.sda.wareq-sz", 8);
	assert_metric(machine, "iostat.sda.d/s", 10);
	assert_metric(machine, "iostat.sda.dkB/s", 400);
	assert_metric(machine, "iostat.sda.drqm/s", 1);
	assert_metric(machine, "iostat.sda.%drqm", 100.0 / 11);
	assert_metric(machine, "iostat.sda.d_await", 0.5);
	assert_metric(machine, "iostat.sda.dareq-sz", 40);
	assert_metric(machine, "iostat.sda.f/s", 5);
	assert_metric(machine, "iostat.sda.f_await", 2);
	assert_metric(machine, "iostat.sda.aqu-sz", 0.83);
	assert_metric(machine, "iostat.sda.util", 40);
	/* the interval of 5 s in which it happened */
	assert_metric(machine, "iostat.sda.aqu-sz.max", 1.66);
	assert_metric(machine, "iostat.sda.r_await.max", 3);
	assert_metric(machine, "iostat.sda.f_await.max", 2);
	assert_metric(machine, "diskstats.sda.in_flight", 3);
}

/* 15 fields, 4.18 to 5.4: no flushes. */
static void test_without_flushes(void **state)
{
	struct machine *machine = *state;

	run(machine, "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n", "10 0 80 5 0 0 0 0 0 5 5 20 0 160 4\n");
	assert_metric(machine, "iostat.sda.r/s", 1);
	assert_metric(machine, "iostat.sda.d/s", 2);
	assert_metric(machine, "iostat.sda.d_await", 0.2);
	assert_no_metric(machine, "iostat.sda.f/s");
	assert_no_metric(machine, "iostat.sda.f_await");
}

/* 11 fields, up to 4.17. */
static void test_without_discards(void **state)
{
	struct machine *machine = *state;

	run(machine, "0 0 0 0 0 0 0 0 0 0 0\n", "10 0 80 5 20 0 160 40 0 5 45\n");
	assert_metric(machine, "iostat.sda.w_await", 2);
	assert_no_metric(machine, "iostat.sda.d/s");
	assert_no_metric(machine, "iostat.sda.dkB/s");
	assert_no_metric(machine, "iostat.sda.f/s");
	assert_metric(machine, "iostat.sda.aqu-sz", 0.0045);
}

/* iostat prints 0.00 for the mean of nothing; a rate of 0 was measured. */
static void test_idle_directions(void **state)
{
	struct machine *machine = *state;

	run(machine, "7 0 56 5 0 0 0 0 0 5 5 0 0 0 0 0 0\n",
	    "17 0 136 10 0 0 0 0 0 10 10 0 0 0 0 0 0\n");
	assert_metric(machine, "iostat.sda.w/s", 0);
	assert_metric(machine, "iostat.sda.wkB/s", 0);
	assert_no_metric(machine, "iostat.sda.w_await");
	assert_no_metric(machine, "iostat.sda.w_await.max");
	assert_no_metric(machine, "iostat.sda.wareq-sz");
	assert_no_metric(machine, "iostat.sda.%wrqm");
	assert_metric(machine, "iostat.sda.%rrqm", 0);
	assert_metric(machine, "iostat.sda.r_await", 0.5);
}

static void test_wrap_of_32_bit_times(void **state)
{
	struct machine *machine = *state;

	run(machine, "0 0 0 4294967290 0 0 0 0 0 4294967295 4294967290\n",
	    "8 0 64 10 0 0 0 0 0 4999 6\n");
	assert_metric(machine, "iostat.sda.r_await", 2);
	assert_metric(machine, "iostat.sda.util", 50);
	assert_metric(machine, "iostat.sda.aqu-sz", 0.0012);
}

/* A device of the same name that was made anew meanwhile. */
static void test_counters_that_began_anew(void **state)
{
	struct machine *machine = *state;

	run(machine, "5000 0 40000 900 0 0 0 0 0 1000 900\n", "10 0 80 5 0 0 0 0 0 5 5\n");
	assert_no_metric(machine, "iostat.sda.r/s");
	assert_no_metric(machine, "iostat.sda.r_await");
	assert_no_metric(machine, "iostat.sda.util");
	assert_metric(machine, "iostat.sda.w/s", 0);
}

/* More than the time that passed: each I/O is rounded up to a tick of the kernel. */
static void test_util_is_at_most_all_the_time(void **state)
{
	struct machine *machine = *state;

	run(machine, "0 0 0 0 0 0 0 0 0 0 0\n", "10 0 80 5 0 0 0 0 0 10100 5\n");
	assert_metric(machine, "iostat.sda.util", 100);
}

static void test_device_that_goes_away(void **state)
{
	struct machine *machine = *state;

	machine->disks[machine->nr_disks++] = "sda";
	machine->disks[machine->nr_disks++] = "sdb";
	machine_file(machine, STAT, "0 0 0 0 0 0 0 0 0 0 0\n");
	machine_file(machine, "sys/block/sdb/stat", "0 0 0 0 0 0 0 0 0 0 0\n");
	machine_watch(machine, "disk");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_no_file(machine, STAT);
	machine_file(machine, "sys/block/sdb/stat", "10 0 80 5 0 0 0 0 0 5 5\n");
	machine_round(machine, 10, MONITOR_LAST);
	machine_report(machine);
	assert_none(machine, "iostat.sda.");
	assert_metric(machine, "iostat.sdb.r/s", 1);
}

static void test_device_that_is_not_there(void **state)
{
	struct machine *machine = *state;

	machine->disks[machine->nr_disks++] = "nvme0c0n1"; /* hidden paths may lack it */
	machine_watch(machine, "disk");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_round(machine, 10, MONITOR_LAST);
	machine_report(machine);
	assert_none(machine, "iostat");
	assert_absence(machine, "block/nvme0c0n1/stat: No such file");
}

static void test_form_that_changes(void **state)
{
	struct machine *machine = *state;

	run(machine, "1 2 3 4\n", "0 0 0 0 0 0 0 0 0 0 0\n");
	assert_none(machine, "iostat");
}

/* Rounds are not equally long; the one of 0.1 s has no say about the greatest. */
static void test_greatest_interval(void **state)
{
	struct machine *machine = *state;

	machine->disks[machine->nr_disks++] = "sda";
	machine_file(machine, STAT, "0 0 0 0 0 0 0 0 0 0 0\n");
	machine_watch(machine, "disk");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_file(machine, STAT, "10 0 80 10 0 0 0 0 2 0 10\n");
	machine_round(machine, 1, MONITOR_BETWEEN);
	machine_file(machine, STAT, "20 0 160 60 0 0 0 0 4 0 60\n");
	machine_round(machine, 2, MONITOR_BETWEEN);
	machine_file(machine, STAT, "21 0 168 160 0 0 0 0 0 0 160\n");
	machine_round(machine, 2.1, MONITOR_LAST);
	machine_report(machine);
	assert_metric(machine, "iostat.sda.r_await.max", 5);
	assert_metric(machine, "iostat.sda.aqu-sz.max", 0.05);
	assert_metric(machine, "iostat.sda.r_await", 160.0 / 21);
	assert_metric(machine, "diskstats.sda.in_flight", 3);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, machine_setup, machine_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_all_columns),
		CASE(test_without_flushes),
		CASE(test_without_discards),
		CASE(test_idle_directions),
		CASE(test_wrap_of_32_bit_times),
		CASE(test_counters_that_began_anew),
		CASE(test_util_is_at_most_all_the_time),
		CASE(test_device_that_goes_away),
		CASE(test_device_that_is_not_there),
		CASE(test_form_that_changes),
		CASE(test_greatest_interval),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
