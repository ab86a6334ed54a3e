/* SPDX-License-Identifier: GPL-2.0-or-later */
/* monitor_set: the open monitors of one trial and their rounds. */
#include "monitor/monitor_set.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "model/note.h"
#include "model/result.h"
#include "monitor/monitor.h"
#include "monitor/report.h"
#include "monitor/probe.h"

struct open_monitor {
	const struct monitor_ops *ops;
	void *state;
};

struct monitor_set {
	struct probe_pool probes;
	struct open_monitor items[MONITOR_MAX_CHOICE];
	size_t nr;
	uint64_t nr_rounds;
	uint64_t first_ns, last_ns;
	uint64_t (*clock)(void);
	struct strbuf absent; /* names and reasons, unless nobody asked */
};

static uint64_t monotonic_ns(void)
{
	return clock_now_ns();
}

struct monitor_set *monitor_set_open(const struct monitor_set_config *config)
{
	struct monitor_set *set = xcalloc(1, sizeof(*set));
	const struct monitor_context context = {
		.proc_root = config->proc_root ? config->proc_root : "/proc",
		.sys_root = config->sys_root ? config->sys_root : "/sys",
		.disks = config->disks,
		.nr_disks = config->nr_disks,
		.places = config->places,
		.nr_places = config->nr_places,
		.probes = &set->probes,
	};

	set->clock = config->clock ? config->clock : monotonic_ns;
	for (size_t i = 0; i < config->choice->nr; i++) {
		struct open_monitor *monitor = &set->items[set->nr];
		struct err err = { .code = 0 };

		monitor->ops = config->choice->items[i];
		if (monitor->ops->open(&context, &monitor->state, &err) == 0)
			set->nr++;
		else if (!config->choice->has_default || !(monitor->ops->flags & MONITOR_DEFAULT))
			strbuf_printf(&set->absent, "%s%s (%s)", set->absent.len ? ", " : "",
				      monitor->ops->name, err.msg);
	}
	return set;
}

static bool is_due(const struct monitor_ops *ops, const struct monitor_tick *tick)
{
	if (tick->is_end)
		return true;
	return ops->every && tick->nr % ops->every == 0;
}

void monitor_set_sample(struct monitor_set *set, enum monitor_round round)
{
	const struct monitor_tick tick = {
		.nr = set->nr_rounds + 1,
		.now_ns = set->clock(),
		.clock = set->clock,
		.is_end = round != MONITOR_BETWEEN,
	};

	set->nr_rounds++;
	if (round == MONITOR_FIRST)
		set->first_ns = tick.now_ns;
	set->last_ns = tick.now_ns;
	for (size_t i = 0; i < set->nr; i++) {
		if (is_due(set->items[i].ops, &tick))
			set->items[i].ops->sample(set->items[i].state, &tick);
	}
}

void monitor_set_report(struct monitor_set *set, struct result *result)
{
	if (set->absent.len)
		note_add(&result->notes, NOTE_MONITOR_ABSENT, "nothing to watch here for: %s",
			 strbuf_str(&set->absent));
	if (set->nr_rounds < 2)
		return;
	for (size_t i = 0; i < set->nr; i++)
		set->items[i].ops->report(set->items[i].state, result);
	monitor_report(result, (double)(set->last_ns - set->first_ns) / NS_PER_MS,
		       "monitor.window_ms");
	monitor_report(result, (double)set->nr_rounds, "monitor.samples");
}

void monitor_set_close(struct monitor_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->nr; i++)
		set->items[i].ops->close(set->items[i].state);
	probe_pool_release(&set->probes);
	strbuf_release(&set->absent);
	free(set);
}
