/* SPDX-License-Identifier: GPL-2.0-or-later */
/* watch: which monitors look at a local trial, at which disks, and from when on. */
#include "target/watch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "env/env.h"
#include "host/device.h"
#include "model/job.h"
#include "model/note.h"
#include "model/result.h"
#include "monitor/monitor.h"
#include "monitor/monitor_set.h"
#include "monitor/sampler.h"
#include "target/target.h"

/* The shortest ramp of the jobs that start first: what is seen before is not measured either. */
static uint64_t ramp_ns(const struct job_set *jobs)
{
	uint64_t shortest_ns = UINT64_MAX;

	for (size_t i = 0; i < jobs->nr; i++) {
		const struct job *job = &jobs->jobs[i];

		if (job->phase == 0 && job->ramp_time_ns < shortest_ns)
			shortest_ns = job->ramp_time_ns;
	}
	return shortest_ns == UINT64_MAX ? 0 : shortest_ns;
}

/* What a command used is measured by whoever waits for it; this monitor would see regio itself. */
static void drop_process_monitor(struct monitor_choice *choice)
{
	size_t kept = 0;

	for (size_t i = 0; i < choice->nr; i++) {
		if (strcmp(choice->items[i]->name, "process") != 0)
			choice->items[kept++] = choice->items[i];
	}
	choice->nr = kept;
}

static void name_targets(struct watch *watch, const struct device_list *devices,
			 const struct env_context *places, struct monitor_set_config *set)
{
	watch->disks = xcalloc(devices->nr + 1, sizeof(*watch->disks));
	for (size_t i = 0; i < devices->nr; i++)
		watch->disks[i] = devices->items[i].name;
	set->disks = watch->disks;
	set->nr_disks = devices->nr;
	set->places = places->paths;
	set->nr_places = places->nr_paths;
}

void watch_start(struct watch *watch, const struct trial *trial, const struct device_list *devices,
		 const struct env_context *places, struct result *result)
{
	struct monitor_choice choice = { .nr = 0 };
	struct monitor_set_config set = { .choice = &choice };
	struct monitor_sampler_config sampler = { .delay_ns = ramp_ns(trial->jobs) };
	struct err err = { .code = 0 };

	if (!trial->monitors)
		return;
	if (monitor_choose(trial->monitors, &choice, &err) < 0) {
		note_add(&result->notes, NOTE_MONITOR_ABSENT, "no monitors: %s", err.msg);
		return;
	}
	if (trial->exec)
		drop_process_monitor(&choice);
	if (choice.nr == 0)
		return;
	name_targets(watch, devices, places, &set);
	watch->set = monitor_set_open(&set);
	sampler.set = watch->set;
	if (monitor_sampler_start(&sampler, &watch->sampler, &err) < 0)
		note_add(&result->notes, NOTE_MONITOR_ABSENT, "no monitors: %s", err.msg);
}

void watch_stop(struct watch *watch)
{
	if (watch->sampler)
		monitor_sampler_stop(watch->sampler);
}

void watch_report(struct watch *watch, struct result *result)
{
	if (!watch->sampler)
		return;
	monitor_set_report(watch->set, result);
	monitor_sampler_report(watch->sampler, result);
}

void watch_release(struct watch *watch)
{
	monitor_sampler_free(watch->sampler);
	monitor_set_close(watch->set);
	free(watch->disks);
	*watch = (struct watch){ .set = NULL };
}
