/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slabinfo: objects and slabs of every cache of the kernel. Reading takes a lock that creating
 * and destroying caches take, so it is no default. */
#include "base/strbuf.h"
#include "monitor/listing.h"
#include "monitor/monitor.h"
#include "monitor/monitor_table.h"
#include "monitor/probe.h"

/* NAME active_objs num_objs objsize objperslab pagesperslab : tunables a b c : slabdata
 * active_slabs num_slabs sharedavail; version 2.1 since 2.6.10. */
#define NR_OBJECT_FIELDS 5
#define NR_SLAB_FIELDS 2

static int slabinfo_open(const struct monitor_context *context, void **ret_state, struct err *err)
{
	return listing_open(context, "slabinfo", ret_state, err);
}

static void note_field(struct series *series, const struct scan_word *cache, const char *field,
		       uint64_t value)
{
	CLEANUP(strbuf) struct strbuf name = STRBUF_INIT;

	strbuf_printf(&name, "%.*s.%s", (int)cache->len, cache->text, field);
	series_note(series, &(struct scan_word){ .text = strbuf_str(&name), .len = name.len },
		    SERIES_LEVEL, value);
}

static void note_cache(struct series *series, struct scan *line)
{
	uint64_t objects[NR_OBJECT_FIELDS];
	uint64_t slabs[NR_SLAB_FIELDS];
	struct scan_word cache;
	struct scan_word skipped;

	if (!scan_word(line, &cache) ||
	    scan_u64s(line, objects, NR_OBJECT_FIELDS) != NR_OBJECT_FIELDS)
		return;
	note_field(series, &cache, "active_objs", objects[0]);
	note_field(series, &cache, "num_objs", objects[1]);
	if (!scan_until(line, ':', &skipped) || !scan_until(line, ':', &skipped) ||
	    !scan_word(line, &skipped) || !scan_word_is(&skipped, "slabdata") ||
	    scan_u64s(line, slabs, NR_SLAB_FIELDS) != NR_SLAB_FIELDS)
		return;
	note_field(series, &cache, "active_slabs", slabs[0]);
	note_field(series, &cache, "num_slabs", slabs[1]);
}

static void slabinfo_sample(void *state, const struct monitor_tick *tick)
{
	struct listing *listing = state;
	struct scan text;
	struct scan line;

	if (!series_begin(&listing->series, tick, listing->probe))
		return;
	text = probe_scan(listing->probe);
	if (!scan_line(&text, &line) || !scan_skip(&line, "slabinfo - version: 2."))
		return;
	while (scan_line(&text, &line)) {
		if (line.pos < line.end && *line.pos != '#')
			note_cache(&listing->series, &line);
	}
}

static void slabinfo_report(void *state, struct result *result)
{
	const struct listing *listing = state;

	series_report(&listing->series, "slabinfo", result);
}

const struct monitor_ops monitor_slabinfo = {
	.name = "slabinfo",
	.summary = "slabinfo.*: objects and slabs of the kernel's caches",
	.flags = 0,
	.every = 5,
	.open = slabinfo_open,
	.sample = slabinfo_sample,
	.report = slabinfo_report,
	.close = listing_close,
};
