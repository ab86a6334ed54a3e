/* SPDX-License-Identifier: GPL-2.0-or-later */
/* perf-stat where the kernel lets it count, and perf-record with a planted perf(1). */
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "machine.h"
#include "model/given.h"
#include "monitor/monitor.h"
#include "monitor/perf_event.h"
#include "test.h"

static void test_events_of_the_kernel(void **state)
{
	struct perf_event event;
	struct err err = { .code = 0 };
	double before;
	double after;

	(void)state;
	if (perf_event_count_all(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, &event, &err) < 0) {
		assert_true(err.msg[0] != '\0');
		test_skip(err.msg);
	}
	assert_int_equal(perf_event_read(&event, &before), 0);
	for (unsigned i = 0; i < 64; i++) {
		char *page = xmalloc(1 << 20); /* mapped and unmapped each time */

		memset(page, 1, 1 << 20);
		free(page);
	}
	assert_int_equal(perf_event_read(&event, &after), 0);
	assert_true(after > before);
	perf_event_close(&event);
}

static void test_event_that_nobody_counts(void **state)
{
	struct perf_event event = { .nr = 77 };
	struct err err = { .code = 0 };

	(void)state;
	assert_int_equal(perf_event_count_all(0xfffff, 0, &event, &err), -ERR_UNSUPPORTED);
	assert_true(err.msg[0] != '\0');
	assert_int_equal(event.nr, 77);
}

static void test_perf_stat(void **state)
{
	struct machine *machine = *state;
	const struct given_metric *faults;

	machine_watch(machine, "perf-stat");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_round(machine, 2, MONITOR_LAST);
	machine_report(machine);
	faults = given_find(&machine->result.monitored, "perf-stat.total.page-faults");
	if (!faults) { /* not allowed to count: then it says so */
		assert_absence(machine, "perf-stat (");
		test_skip("perf_event_open is not allowed");
	}
	assert_metric(machine, "perf-stat.ps.page-faults", faults->value / 2);
	if (!given_find(&machine->result.monitored, "perf-stat.total.cycles")) {
		assert_absence(machine, "perf-stat counts only what the kernel counts itself");
		assert_none(machine, "perf-stat.overall");
	}
}

static const char fake_perf[] =
	"#!/bin/sh\n"
	"echo \"$@\" >>\"$0.log\"\n"
	"case $1 in\n"
	"--version) echo perf version 6.1 ;;\n"
	"record) exec sleep 600 ;;\n"
	"report) cat <<'END'\n"
	"# To display the perf.data header info, please use --header/--header-only options.\n"
	"#\n"
	"# Total Lost Samples: 0\n"
	"#\n"
	"# Samples: 4K of event 'cycles:pp'\n"
	"# Event count (approx.): 2015075125\n"
	"#\n"
	"# Children|Overhead|Symbol              \n"
	" 20.95% | 0.00%  |[.] __libc_start_call_main\n"
	" 16.71% | 1.75%  |[k] exc_page_fault\n"
	"  9.00% | 2.00%  |[k] finish_task_switch.isra.0\n"
	"  1.00% | 0.50%  |[k] finish_task_switch\n"
	"  7.23% | 0.00%  |[k] 0x000055ea896ae900\n"
	"  4.78% | 4.78%  |[.] 0000000000000000\n"
	"  0.50% | 0.04%  |[k] rare\n"
	" 3.00% |\n"
	"odd\n"
	"\n"
	"END\n"
	";;\n"
	"esac\n";

static void plant_perf(const struct machine *machine, const char *script)
{
	CLEANUP(free) char *path = plant_path(&machine->plant, "bin/perf");
	CLEANUP(free) char *folder = plant_path(&machine->plant, "bin");
	CLEANUP(free) char *search = xasprintf("%s:/usr/bin:/bin", folder);

	plant_file(&machine->plant, "bin/perf", script);
	assert_int_equal(chmod(path, 0755), 0);
	assert_int_equal(setenv("PATH", search, 1), 0);
	assert_int_equal(setenv("TMPDIR", machine->plant.root, 1), 0);
}

/* The next test finds the environment as it was. */
static int teardown(void **state)
{
	assert_int_equal(setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1), 0);
	(void)unsetenv("TMPDIR");
	return machine_teardown(state);
}

static void run_perf_record(struct machine *machine)
{
	machine_watch(machine, "perf-record");
	machine_round(machine, 0, MONITOR_FIRST);
	machine_round(machine, 1, MONITOR_BETWEEN);
	machine_round(machine, 2, MONITOR_LAST);
	machine_report(machine);
}

static void test_perf_record(void **state)
{
	struct machine *machine = *state;

	plant_perf(machine, fake_perf);
	run_perf_record(machine);
	assert_metric(machine, "perf-profile.children.cycles-pp.__libc_start_call_main", 20.95);
	assert_no_metric(machine, "perf-profile.self.cycles-pp.__libc_start_call_main");
	assert_metric(machine, "perf-profile.children.cycles-pp.exc_page_fault", 16.71);
	assert_metric(machine, "perf-profile.self.cycles-pp.exc_page_fault", 1.75);
	assert_metric(machine, "perf-profile.self.cycles-pp.finish_task_switch", 2.5);
	assert_metric(machine, "perf-profile.children.cycles-pp.finish_task_switch", 10);
	assert_metric(machine, "perf-profile.children.cycles-pp.rare", 0.5);
	assert_no_metric(machine, "perf-profile.self.cycles-pp.rare");
	assert_none(machine, "perf-profile.children.cycles-pp.0");
	assert_absence(machine, NULL);
}

static void test_perf_record_that_fails(void **state)
{
	struct machine *machine = *state;

	plant_perf(machine, "#!/bin/sh\n[ $1 = --version ] && exit 0\necho no permission >&2\n"
			    "exit 255\n");
	run_perf_record(machine);
	assert_none(machine, "perf-profile");
	assert_absence(machine, "perf-record: no profile: perf report");
	assert_absence(machine, "no permission");
}

static void test_no_perf(void **state)
{
	struct machine *machine = *state;

	assert_int_equal(setenv("PATH", machine->plant.root, 1), 0);
	run_perf_record(machine);
	assert_none(machine, "perf-profile");
	assert_absence(machine, "perf-record (");
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, machine_setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_of_the_kernel),
		cmocka_unit_test(test_event_that_nobody_counts),
		CASE(test_perf_stat),
		CASE(test_perf_record),
		CASE(test_perf_record_that_fails),
		CASE(test_no_perf),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
