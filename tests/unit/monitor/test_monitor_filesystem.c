/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filesystem: what df(1) says of the fullest filesystem that holds a file of the job. */
#include <math.h>
#include <sys/statvfs.h>

#include "machine.h"
#include "test.h"

static void watch(struct machine *machine)
{
	machine_watch(machine, "filesystem");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_round(machine, 10, MONITOR_LAST);
	machine_report(machine);
}

static double seen(const struct machine *machine, const char *name)
{
	const struct given_metric *metric = given_find(&machine->result.monitored, name);

	assert_non_null(metric);
	return metric->value;
}

/* The sizes of a living filesystem move a little between two looks. */
static void test_as_df(void **state)
{
	struct machine *machine = *state;
	double used, available;
	struct statvfs fs;

	machine->places[machine->nr_places++] = machine->proc_root;
	watch(machine);
	assert_int_equal(statvfs(machine->proc_root, &fs), 0);
	used = (double)(fs.f_blocks - fs.f_bfree);
	available = (double)fs.f_bavail;
	assert_true(fabs(seen(machine, "filesystem.used%") - 100 * used / (used + available)) <
		    2.0);
	assert_true(fabs(seen(machine, "filesystem.available_bytes") / (double)fs.f_frsize -
			 available) < 0.02 * (double)fs.f_blocks);
}

/* A node in /dev lies in a filesystem, too, but what is behind it does not. */
static void test_devices_and_absent_files(void **state)
{
	struct machine *machine = *state;

	machine->places[machine->nr_places++] = "/dev/null";
	machine->places[machine->nr_places++] = "/nonexistent/file";
	watch(machine);
	assert_none(machine, "filesystem.");
	assert_absence(machine, "filesystem (no file of the job is in a filesystem)");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_as_df, machine_setup, machine_teardown),
		cmocka_unit_test_setup_teardown(test_devices_and_absent_files, machine_setup,
						machine_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
