/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_MONITOR_MACHINE_H
#define REGIO_TESTS_UNIT_MONITOR_MACHINE_H

/*
 * A planted machine, proc/ and sys/ in a temporary folder, and a clock that stands still, for tests
 * of monitors. Values of metrics are then exact.
 *
 *	machine_file(machine, "proc/stat", "cpu ..");
 *	machine_watch(machine, "cpu");
 *	machine_round(machine, 0, MONITOR_FIRST);
 *	..
 *	machine_round(machine, 10, MONITOR_LAST);
 *	machine_report(machine);
 *	assert_metric(machine, "mpstat.cpu.all.usr%", 12.5);
 */

#include <stddef.h>

#include "model/given.h"
#include "model/result.h"
#include "monitor/monitor_set.h"
#include "plant.h"

struct machine {
	struct plant plant;
	char *proc_root, *sys_root;
	const char *disks[4];
	size_t nr_disks;
	const char *places[4];
	size_t nr_places;
	struct monitor_set *set;
	struct result result;
};

/* For cmocka_unit_test_setup_teardown. */
int machine_setup(void **state);
int machine_teardown(void **state);

/* Writes a file of it; path begins with proc/ or sys/. */
void machine_file(const struct machine *machine, const char *path, const char *content);
/* It is not there any more, or never was. */
void machine_no_file(const struct machine *machine, const char *path);

/* Opens monitors by LIST. */
void machine_watch(struct machine *machine, const char *list);
/* A round so many seconds after the start. */
void machine_round(struct machine *machine, double seconds, enum monitor_round round);
void machine_report(struct machine *machine);

/* Rounds at 0, 5 and 10 s with content before the first and after it, and the report. */
void machine_run(struct machine *machine, const char *list, const char *path, const char *before,
		 const char *after);

void assert_metric(const struct machine *machine, const char *name, double expected);
void assert_no_metric(const struct machine *machine, const char *name);
/* No metric begins so. */
void assert_none(const struct machine *machine, const char *prefix);
/* There is a note of absent monitors and it contains text; NULL: there is none. */
void assert_absence(const struct machine *machine, const char *text);

#endif
