/* SPDX-License-Identifier: GPL-2.0-or-later */
/* machine: a planted /proc and /sys, monitors on it, and their metrics. */
#include "machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "model/given.h"
#include "model/note.h"
#include "monitor/monitor.h"
#include "test.h"

static uint64_t planted_now_ns;

static uint64_t planted_clock(void)
{
	return planted_now_ns;
}

int machine_setup(void **state)
{
	struct machine *machine = xcalloc(1, sizeof(*machine));

	plant_create(&machine->plant);
	plant_folder(&machine->plant, "proc");
	plant_folder(&machine->plant, "sys");
	machine->proc_root = plant_path(&machine->plant, "proc");
	machine->sys_root = plant_path(&machine->plant, "sys");
	*state = machine;
	return 0;
}

int machine_teardown(void **state)
{
	struct machine *machine = *state;

	monitor_set_close(machine->set);
	result_release(&machine->result);
	plant_remove(&machine->plant);
	free(machine->proc_root);
	free(machine->sys_root);
	free(machine);
	return 0;
}

void machine_file(const struct machine *machine, const char *path, const char *content)
{
	plant_file(&machine->plant, path, content);
}

void machine_no_file(const struct machine *machine, const char *path)
{
	CLEANUP(free) char *full = plant_path(&machine->plant, path);

	(void)truncate(full, 0); /* whoever has it open finds nothing */
	(void)unlink(full);
}

void machine_watch(struct machine *machine, const char *list)
{
	struct monitor_choice choice;
	const struct monitor_set_config config = {
		.choice = &choice,
		.disks = machine->disks,
		.nr_disks = machine->nr_disks,
		.places = machine->places,
		.nr_places = machine->nr_places,
		.proc_root = machine->proc_root,
		.sys_root = machine->sys_root,
		.clock = planted_clock,
	};

	assert_int_equal(monitor_choose(list, &choice, NULL), 0);
	machine->set = monitor_set_open(&config);
}

void machine_round(struct machine *machine, double seconds, enum monitor_round round)
{
	planted_now_ns = 1000000000 + (uint64_t)(seconds * 1e9);
	monitor_set_sample(machine->set, round);
}

void machine_report(struct machine *machine)
{
	monitor_set_report(machine->set, &machine->result);
}

void machine_run(struct machine *machine, const char *list, const char *path, const char *before,
		 const char *after)
{
	machine_file(machine, path, before);
	machine_watch(machine, list);
	machine_round(machine, 0, MONITOR_FIRST);
	machine_file(machine, path, after);
	machine_round(machine, 5, MONITOR_BETWEEN);
	machine_round(machine, 10, MONITOR_LAST);
	machine_report(machine);
}

void assert_metric(const struct machine *machine, const char *name, double expected)
{
	const struct given_metric *metric = given_find(&machine->result.monitored, name);

	if (!metric)
		fail_msg("no metric '%s'", name);
	else if (fabs(metric->value - expected) > 1e-9 * fabs(expected))
		fail_msg("%s is %.17g, expected %.17g", name, metric->value, expected);
}

void assert_no_metric(const struct machine *machine, const char *name)
{
	const struct given_metric *metric = given_find(&machine->result.monitored, name);

	if (metric)
		fail_msg("unexpected metric %s = %g", name, metric->value);
}

void assert_none(const struct machine *machine, const char *prefix)
{
	const struct given_list *list = &machine->result.monitored;

	for (size_t i = 0; i < list->nr; i++) {
		if (strncmp(list->items[i].name, prefix, strlen(prefix)) == 0)
			fail_msg("unexpected metric %s = %g", list->items[i].name,
				 list->items[i].value);
	}
}

void assert_absence(const struct machine *machine, const char *text)
{
	const struct note_list *notes = &machine->result.notes;

	for (size_t i = 0; i < notes->nr; i++) {
		if (notes->items[i].id != NOTE_MONITOR_ABSENT)
			continue;
		if (!text)
			fail_msg("unexpected note: %s", notes->items[i].text);
		else if (strstr(notes->items[i].text, text))
			return;
	}
	if (text)
		fail_msg("no note of absence with '%s'", text);
}
