/* SPDX-License-Identifier: GPL-2.0-or-later */
/* vmstat_names: which names of /proc/vmstat and of a node's vmstat are levels, which counters. */
#include "monitor/vmstat_names.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "base/arena.h"

/*
 * Kernels 4.14 to 6.18. Items of zones and nodes are nr_*, and levels but for those that count
 * events; event counters have other names. The first row that matches counts.
 */
static const struct {
	const char *pattern;
	enum series_kind kind;
} kinds[] = {
	{ "nr_dirtied", SERIES_COUNTER },
	{ "nr_written", SERIES_COUNTER },
	{ "nr_throttled_written", SERIES_COUNTER },
	{ "nr_vmscan_*", SERIES_COUNTER },
	{ "nr_foll_pin_*", SERIES_COUNTER },
	{ "nr_tlb_*", SERIES_COUNTER },
	{ "nr_*", SERIES_LEVEL },
	{ "workingset_nodes", SERIES_LEVEL },
	{ "*", SERIES_COUNTER },
};

enum series_kind vmstat_kind(const struct scan_word *name)
{
	CLEANUP(free) char *text = xstrndup(name->text, name->len);
	size_t i = 0;

	while (fnmatch(kinds[i].pattern, text, 0) != 0)
		i++; /* ends at the last row, which matches everything */
	return kinds[i].kind;
}

void vmstat_note(struct series *series, struct scan text)
{
	struct scan line;

	while (scan_line(&text, &line)) {
		struct series_item *item;
		struct scan_word name;
		uint64_t value;

		if (!scan_word(&line, &name) || !scan_u64(&line, &value))
			continue;
		item = series_find(series, &name);
		if (!item)
			item = series_add(series, &name, vmstat_kind(&name));
		series_put(series, item, value);
	}
}
