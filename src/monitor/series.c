/* SPDX-License-Identifier: GPL-2.0-or-later */
/* series: named numbers over the rounds of a run, reduced to means and differences. */
#include "monitor/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "monitor/monitor.h"
#include "monitor/report.h"
#include "monitor/probe.h"
#include "stats/counter.h"

bool series_begin(struct series *series, const struct monitor_tick *tick, struct probe *probe)
{
	series->cursor = 0;
	series->round_nr++;
	series->is_end = tick->is_end;
	if (!probe_read(probe, tick))
		return false;
	series->taken_ns = probe->taken_ns;
	return true;
}

static bool is_name(const struct series_item *item, const struct scan_word *name)
{
	return item->len == name->len && memcmp(item->name, name->text, name->len) == 0;
}

struct series_item *series_find(struct series *series, const struct scan_word *name)
{
	for (size_t i = 0; i < series->nr; i++) {
		size_t place = (series->cursor + i) % series->nr;

		if (!is_name(&series->items[place], name))
			continue;
		series->cursor = place + 1;
		return &series->items[place];
	}
	return NULL;
}

struct series_item *series_add(struct series *series, const struct scan_word *name,
			       enum series_kind kind)
{
	/* The capacity is always the next power of two. */
	if (!(series->nr & (series->nr - 1)))
		series->items = xreallocarray(series->items, series->nr ? 2 * series->nr : 1,
					      sizeof(*series->items));
	series->items[series->nr] = (struct series_item){
		.name = xstrndup(name->text, name->len),
		.kind = kind,
		.max = -INFINITY,
	};
	series->items[series->nr].len = strlen(series->items[series->nr].name);
	series->cursor = series->nr + 1;
	return &series->items[series->nr++];
}

static bool is_counter(const struct series_item *item)
{
	return item->kind == SERIES_COUNTER || item->kind == SERIES_COUNTER32;
}

static void put_counter(const struct series *series, struct series_item *item, uint64_t value)
{
	if (item->first_nr == 0) {
		item->first_nr = series->round_nr;
		item->first_ns = series->taken_ns;
		item->first = value;
	}
	item->last_nr = series->round_nr;
	item->last_ns = series->taken_ns;
	item->last = value;
}

void series_put(struct series *series, struct series_item *item, uint64_t value)
{
	if (is_counter(item)) {
		put_counter(series, item, value);
	} else if (series->is_end) {
		item->end_sum += (double)value;
		item->nr_ends++;
	} else {
		item->sum += (double)value;
		item->nr++;
		item->max = fmax(item->max, (double)value);
	}
}

void series_note(struct series *series, const struct scan_word *name, enum series_kind kind,
		 uint64_t value)
{
	struct series_item *item = series_find(series, name);

	series_put(series, item ? item : series_add(series, name, kind), value);
}

double series_mean(const struct series_item *item)
{
	if (item->nr)
		return item->sum / (double)item->nr;
	if (item->kind == SERIES_LEVEL && item->nr_ends)
		return item->end_sum / (double)item->nr_ends;
	return (double)NAN;
}

bool series_delta(const struct series *series, const struct series_item *item, uint64_t *ret_delta)
{
	if (item->first_nr != 1 || item->last_nr != series->round_nr || item->last_nr == 1)
		return false;
	if (item->kind == SERIES_COUNTER)
		return counter_delta(item->first, item->last, ret_delta);
	*ret_delta = (uint32_t)(item->last - item->first);
	return true;
}

void series_report(const struct series *series, const char *prefix, struct result *result)
{
	for (size_t i = 0; i < series->nr; i++) {
		const struct series_item *item = &series->items[i];
		uint64_t delta;

		if (!is_counter(item))
			monitor_report(result, series_mean(item), "%s.%s", prefix, item->name);
		else if (series_delta(series, item, &delta))
			monitor_report_count(result, delta, item->last_ns - item->first_ns, "%s.%s",
					     prefix, item->name);
	}
}

void series_release(struct series *series)
{
	for (size_t i = 0; i < series->nr; i++)
		free(series->items[i].name);
	free(series->items);
	*series = (struct series){ .nr = 0 };
}
