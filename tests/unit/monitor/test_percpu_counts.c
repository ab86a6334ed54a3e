/* SPDX-License-Identifier: GPL-2.0-or-later */
/* interrupts and softirqs: sums over CPUs of counts that wrap one by one. */
#include "machine.h"
#include "monitor/monitor.h"
#include "test.h"

static void test_softirqs(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "softirqs", "proc/softirqs",
		    "                    CPU0       CPU1\n"
		    "          HI:          0          0\n"
		    "       BLOCK:        100         10\n",
		    "                    CPU0       CPU1\n"
		    "          HI:          0          0\n"
		    "       BLOCK:        400         60\n");
	assert_metric(machine, "softirqs.BLOCK", 350);
	assert_metric(machine, "softirqs.BLOCK_per_sec", 35);
	assert_metric(machine, "softirqs.HI", 0);
	assert_metric(machine, "softirqs.busiest_cpu%", 100.0 * 300 / 350);
}

static void test_names_of_interrupts(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "interrupts", "proc/interrupts",
		    "           CPU0       CPU1       \n"
		    "  9:          0          0   IO-APIC   9-fasteoi   acpi\n"
		    " 36:          5          0  PCI-MSI 524289-edge      nvme0q1, nvme1q1\n"
		    "NMI:          0          0   Non-maskable interrupts\n"
		    "LOC:         10         20   Local timer interrupts\n"
		    "ERR:          3\n",
		    "           CPU0       CPU1       \n"
		    "  9:          0          0   IO-APIC   9-fasteoi   acpi\n"
		    " 36:          7         40  PCI-MSI 524289-edge      nvme0q1, nvme1q1\n"
		    "NMI:          0          0   Non-maskable interrupts\n"
		    "LOC:        110        120   Local timer interrupts\n"
		    "ERR:          5\n");
	assert_metric(machine, "interrupts.36:PCI-MSI.524289-edge.nvme0q1,.nvme1q1", 42);
	assert_metric(machine, "interrupts.36:PCI-MSI.524289-edge.nvme0q1,.nvme1q1_per_sec", 4.2);
	assert_metric(machine, "interrupts.LOC:Local_timer_interrupts", 200);
	assert_metric(machine, "interrupts.NMI:Non-maskable_interrupts", 0);
	assert_metric(machine, "interrupts.ERR", 2);
	assert_none(machine, "interrupts.9:"); /* never came */
}

static void test_wrap_of_single_cpus(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "softirqs", "proc/softirqs",
		    "  CPU0 CPU1\n  RCU: 4294967290 4294967295\n", "  CPU0 CPU1\n  RCU: 4 1\n");
	assert_metric(machine, "softirqs.RCU", 12);
	assert_metric(machine, "softirqs.busiest_cpu%", 100.0 * 10 / 12);
}

static void test_cpus_that_come_or_go(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "interrupts", "proc/interrupts",
		    "  CPU0 CPU1\nLOC: 5 6 Local timer interrupts\n",
		    "  CPU0 CPU2\nLOC: 9 9 Local timer interrupts\n");
	assert_none(machine, "interrupts");
	machine_teardown((void **)&machine);
	machine_setup((void **)&machine);
	*state = machine;
	machine_run(machine, "interrupts", "proc/interrupts",
		    "  CPU0 CPU1\nLOC: 5 6 Local timer interrupts\n",
		    "  CPU0\nLOC: 9 Local timer interrupts\n");
	assert_none(machine, "interrupts");
}

static void test_line_that_appears(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "interrupts", "proc/interrupts", "  CPU0\nLOC: 5 Local\n",
		    "  CPU0\nLOC: 7 Local\n 40: 9 PCI-MSI 1-edge eth0\n");
	assert_metric(machine, "interrupts.LOC:Local", 2);
	assert_none(machine, "interrupts.40");
}

static void test_other_forms(void **state)
{
	struct machine *machine = *state;

	machine_run(machine, "interrupts,softirqs", "proc/interrupts", "no head\nLOC: 1 2\n",
		    "no head\nLOC: 3 4\n");
	assert_none(machine, "interrupts");
	assert_absence(machine, "proc/softirqs: No such file or directory");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, machine_setup, machine_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_softirqs),
		CASE(test_names_of_interrupts),
		CASE(test_wrap_of_single_cpus),
		CASE(test_cpus_that_come_or_go),
		CASE(test_line_that_appears),
		CASE(test_other_forms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
