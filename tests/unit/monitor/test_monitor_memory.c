/* SPDX-License-Identifier: GPL-2.0-or-later */
/* meminfo, proc-vmstat, numa and slabinfo: levels are means, counters differences and rates. */
#include "machine.h"
#include "monitor/monitor.h"
#include "test.h"

static void test_meminfo(void **state)
{
	struct machine *machine = *state;

	machine_file(machine, "proc/meminfo",
		     "MemTotal:       1000 kB\nMemFree:         100 kB\nActive(anon):      5 kB\n"
		     "HugePages_Total:       3\n");
	machine_watch(machine, "meminfo");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_file(machine, "proc/meminfo",
		     "MemTotal:       1000 kB\nMemFree:         600 kB\nActive(anon):     15 kB\n"
		     "HugePages_Total:       3\n");
	machine_round(machine, 1, MONITOR_BETWEEN);
	machine_file(machine, "proc/meminfo",
		     "MemTotal:       1000 kB\nMemFree:         400 kB\nActive(anon):     25 kB\n"
		     "HugePages_Total:       3\n");
	machine_round(machine, 2, MONITOR_BETWEEN);
	machine_round(machine, 3, MONITOR_LAST);
	machine_report(machine);
	assert_metric(machine, "meminfo.MemTotal", 1000);
	assert_metric(machine, "meminfo.MemFree", 500);
	assert_metric(machine, "meminfo.Active(anon)", 20);
	assert_metric(machine, "meminfo.HugePages_Total", 3);
	assert_metric(machine, "meminfo.Memused", 500);
	assert_metric(machine, "meminfo.max_used_kB", 900); /* the greatest, not a mean of such */
}

static void test_meminfo_without_the_sum(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "meminfo", "proc/meminfo", "MemFree: 5 kB\nOdd\nBad: x kB\n",
		    "MemFree: 5 kB\n");
	assert_metric(machine, "meminfo.MemFree", 5);
	assert_no_metric(machine, "meminfo.Memused");
	assert_no_metric(machine, "meminfo.max_used_kB");
	assert_no_metric(machine, "meminfo.Bad");
}

static void test_vmstat_levels_and_counters(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "proc-vmstat", "proc/vmstat",
		    "nr_free_pages 9000\nnr_dirty 10\nnr_dirtied 100\nnr_written 50\n"
		    "nr_vmscan_write 1\nnr_vmscan_immediate_reclaim 2\nnr_throttled_written 5\n"
		    "nr_foll_pin_acquired 4000\nnr_foll_pin_released 4000\n"
		    "nr_dirty_threshold 77\nworkingset_nodes 30\nworkingset_refault_file 400\n"
		    "numa_hit 5\npgpgin 1\npgfault 1000\nallocstall_normal 0\noom_kill 0\n"
		    "zswpin 4\ndirect_map_level2_splits 9\nballoon_inflate 2\n",
		    "nr_free_pages 8000\nnr_dirty 30\nnr_dirtied 1100\nnr_written 950\n"
		    "nr_vmscan_write 11\nnr_vmscan_immediate_reclaim 22\nnr_throttled_written 5\n"
		    "nr_foll_pin_acquired 4500\nnr_foll_pin_released 4400\n"
		    "nr_dirty_threshold 77\nworkingset_nodes 50\nworkingset_refault_file 600\n"
		    "numa_hit 105\npgpgin 1001\npgfault 3000\nallocstall_normal 0\noom_kill 1\n"
		    "zswpin 6\ndirect_map_level2_splits 10\nballoon_inflate 2\n");
	assert_metric(machine, "proc-vmstat.nr_free_pages", 8000);
	assert_metric(machine, "proc-vmstat.nr_dirty", 30);
	assert_metric(machine, "proc-vmstat.nr_dirty_threshold", 77);
	assert_metric(machine, "proc-vmstat.workingset_nodes", 50);
	assert_no_metric(machine, "proc-vmstat.nr_dirty_per_sec");
	assert_metric(machine, "proc-vmstat.nr_dirtied", 1000);
	assert_metric(machine, "proc-vmstat.nr_dirtied_per_sec", 100);
	assert_metric(machine, "proc-vmstat.nr_written", 900);
	assert_metric(machine, "proc-vmstat.nr_vmscan_write", 10);
	assert_metric(machine, "proc-vmstat.nr_vmscan_immediate_reclaim", 20);
	assert_metric(machine, "proc-vmstat.nr_throttled_written", 0);
	/* these grow for ever: as means they would say nothing */
	assert_metric(machine, "proc-vmstat.nr_foll_pin_acquired", 500);
	assert_metric(machine, "proc-vmstat.nr_foll_pin_released", 400);
	assert_metric(machine, "proc-vmstat.workingset_refault_file", 200);
	assert_metric(machine, "proc-vmstat.numa_hit_per_sec", 10);
	assert_metric(machine, "proc-vmstat.pgfault", 2000);
	assert_metric(machine, "proc-vmstat.pgfault_per_sec", 200);
	assert_metric(machine, "proc-vmstat.allocstall_normal", 0);
	assert_metric(machine, "proc-vmstat.oom_kill", 1);
	assert_metric(machine, "proc-vmstat.zswpin", 2);
	assert_metric(machine, "proc-vmstat.direct_map_level2_splits", 1);
	assert_metric(machine, "proc-vmstat.balloon_inflate", 0);
}

static void plant_nodes(const struct machine *machine, const char *meminfo0, const char *vmstat1,
			const char *numastat1)
{
	machine_file(machine, "sys/devices/system/node/node0/meminfo", meminfo0);
	machine_file(machine, "sys/devices/system/node/node8/vmstat", vmstat1);
	machine_file(machine, "sys/devices/system/node/node8/numastat", numastat1);
}

static void test_numa(void **state)
{
	struct machine *machine = *state;

	plant_nodes(machine, "Node 0 MemTotal:  100 kB\n", "nr_dirty 1\nnr_dirtied 5\n",
		    "numa_hit 10\nlocal_node 10\n");
	machine_watch(machine, "numa");
	machine_round(machine, 0, MONITOR_FIRST);
	plant_nodes(machine, "Node 0 MemTotal:  100 kB\nNode 0 Active(anon):  7 kB\nNode x\n",
		    "nr_dirty 3\nnr_dirtied 25\n", "numa_hit 110\nlocal_node 60\n");
	machine_round(machine, 10, MONITOR_LAST);
	machine_report(machine);
	assert_metric(machine, "numa-meminfo.node0.MemTotal", 100);
	assert_metric(machine, "numa-meminfo.node0.Active(anon)", 7);
	assert_metric(machine, "numa-vmstat.node8.nr_dirty", 2);
	assert_metric(machine, "numa-vmstat.node8.nr_dirtied", 20);
	assert_metric(machine, "numa-vmstat.node8.nr_dirtied_per_sec", 2);
	assert_metric(machine, "numa-numastat.node8.numa_hit", 100);
	assert_metric(machine, "numa-numastat.node8.local_node_per_sec", 5);
	assert_none(machine, "numa-vmstat.node0");
}

static void test_one_node_is_no_numa(void **state)
{
	struct machine *machine = *state;

	machine_file(machine, "sys/devices/system/node/node0/vmstat", "nr_dirty 1\n");
	machine_watch(machine, "numa");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_round(machine, 1, MONITOR_LAST);
	machine_report(machine);
	assert_absence(machine, "numa (one memory node)");
	assert_none(machine, "numa");
}

static void test_slabinfo(void **state)
{
	static const char text[] =
		"slabinfo - version: 2.1\n"
		"# name            <active_objs> <num_objs> <objsize> <objperslab> <pagesperslab>"
		" : tunables <limit> <batchcount> <sharedfactor> : slabdata <active_slabs>"
		" <num_slabs> <sharedavail>\n"
		"kmalloc-64         1200   1280     64   64    1 : tunables    0    0    0"
		" : slabdata     19     20      0\n"
		"odd 1 2\n"
		"half 1 2 3 4 5 : tunables\n";
	struct machine *machine = *state;

	machine_run(machine, "slabinfo", "proc/slabinfo", text, text);
	assert_metric(machine, "slabinfo.kmalloc-64.active_objs", 1200);
	assert_metric(machine, "slabinfo.kmalloc-64.num_objs", 1280);
	assert_metric(machine, "slabinfo.kmalloc-64.active_slabs", 19);
	assert_metric(machine, "slabinfo.kmalloc-64.num_slabs", 20);
	assert_metric(machine, "slabinfo.half.num_objs", 2);
	assert_no_metric(machine, "slabinfo.half.num_slabs");
	assert_none(machine, "slabinfo.odd");
}

static void test_slabinfo_of_another_version(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "slabinfo", "proc/slabinfo", "slabinfo - version: 3.0\nx 1 2 3 4 5\n",
		    "slabinfo - version: 3.0\nx 1 2 3 4 5\n");
	assert_none(machine, "slabinfo");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, machine_setup, machine_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_meminfo),
		CASE(test_meminfo_without_the_sum),
		CASE(test_vmstat_levels_and_counters),
		CASE(test_numa),
		CASE(test_one_node_is_no_numa),
		CASE(test_slabinfo),
		CASE(test_slabinfo_of_another_version),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
