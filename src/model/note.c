/* SPDX-License-Identifier: GPL-2.0-or-later */
/* note: the table of caveats with their advice, and the list a result carries. */
#include "model/note.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"

static const struct note_kind kinds[NOTE_NR_IDS] = {
	[NOTE_SYNC_ENGINE_DEPTH] = {
		"sync-engine-depth",
		"a synchronous engine has one I/O in flight; use ioengine=libaio or io_uring, or "
		"raise numjobs",
	},
	[NOTE_SHARED_FILE] = {
		"shared-file",
		"give each job a file or an offset of its own, unless contention on one file is what "
		"you measure",
	},
	[NOTE_RUNTIME_IGNORED] = {
		"runtime-ignored",
		"set runtime= beside time_based, else the job ends with its size",
	},
	[NOTE_OPTION_WARNING] = {
		"option-warning",
		"check that the job does what you mean before you trust its numbers",
	},
	[NOTE_REGION_CLIPPED] = {
		"region-clipped",
		"lower size= or offset=, or use a larger file or device, so that both sides of a "
		"comparison cover the same region",
	},
	[NOTE_CACHE_NOT_DROPPED] = {
		"cache-not-dropped",
		"reads may have come from memory; use direct=1, or run as root so that the cache can "
		"be dropped",
	},
	[NOTE_FEW_IOS] = {
		"few-ios",
		"run longer: a percentile needs about 30 I/Os beyond it to mean anything",
	},
	[NOTE_INTERRUPTED] = {
		"interrupted",
		"the numbers cover only the time until the signal; run it again before you compare",
	},
	[NOTE_JOB_ERROR] = {
		"job-error",
		"repair the cause and run again; the numbers cover only the time until the error",
	},
	[NOTE_CLOCK_FALLBACK] = {
		"clock-fallback",
		"each time stamp costs more; compare only with results of the same clock",
	},
	[NOTE_SETTING_NOT_EXACT] = {
		"setting-not-exact",
		"the value read back is the one that was measured; ask for a value that the kernel "
		"keeps",
	},
	[NOTE_UNDO_FAILED] = {
		"undo-failed",
		"run `regio restore` as the same user, or set the old value by hand",
	},
	[NOTE_DISCARDED_WARMUP] = {
		"discarded-warmup",
		"nothing to do: first runs fill caches and wake the device, so they are kept but not "
		"compared",
	},
	[NOTE_PAIRED_MODE] = {
		"paired-mode",
		"the machine drifted, so neighbouring runs are compared in pairs; a quieter machine "
		"needs fewer runs",
	},
	[NOTE_SLOW_RUNS] = {
		"slow-runs",
		"look at the slow runs one by one: a change that makes some runs slow can leave the "
		"median as it is",
	},
	[NOTE_SKEWED] = {
		"skewed",
		"the interval is about the median; look at the single values if totals matter to you",
	},
	[NOTE_BELOW_MIN_EFFECT] = {
		"below-min-effect",
		"the difference is real but small; lower --min-effect if it matters",
	},
	[NOTE_TOO_FEW_RUNS] = {
		"too-few-runs",
		"no verdict below 5 runs a side; measure more (regio ab: --max-pairs)",
	},
	[NOTE_RUN_REPEATED] = {
		"run-repeated",
		"find out why a run failed: a failure that comes with one side only is a finding",
	},
	[NOTE_NOT_INDEPENDENT] = {
		"not-independent",
		"each run depends on the one before, so intervals are too narrow; give the device "
		"time to settle or prepare it the same way before each run",
	},
	[NOTE_NUMBER_REFUSED] = {
		"number-refused",
		"the number is a fault of the program that printed it and is left out; do not use it "
		"from the original either",
	},
	[NOTE_INPUT_INCOMPLETE] = {
		"input-incomplete",
		"ask for the whole output; what is here was read, what is missing is absent and not 0",
	},
	[NOTE_UNIT_CONVERTED] = {
		"unit-converted",
		"nothing to do; compare with the original by the converted value",
	},
	[NOTE_ROUNDED] = {
		"rounded",
		"differences smaller than the last printed digit cannot be seen; ask for the JSON "
		"output",
	},
	[NOTE_INPUT_AMBIGUOUS] = {
		"input-ambiguous",
		"look at the original before you rely on this number",
	},
	[NOTE_MONITOR_ABSENT] = {
		"monitor-absent",
		"those metrics are absent, not 0; leave them out of --monitors, or give regio what is "
		"missing (root, a mounted debugfs, a kernel option)",
	},
	[NOTE_CHANGED_AT_ONCE] = {
		"changed-at-once",
		"the effect cannot be assigned to one of them; change one thing at a time",
	},
	[NOTE_WORKLOADS_DIFFER] = {
		"workloads-differ",
		"the effect is also that of the other job; run the same one on both sides unless it "
		"is what you compare",
	},
	[NOTE_NOT_COMPARED] = {
		"not-compared",
		"measure it on the other side too",
	},
	[NOTE_REPEATED_RESULT] = {
		"repeated-result",
		"nothing to do: one measurement quoted or stored twice is still one run",
	},
	[NOTE_FAILED_RUNS] = {
		"failed-runs",
		"find out why: failures are compared as failures and never mixed with speed",
	},
	[NOTE_NOT_INTERLEAVED] = {
		"not-interleaved",
		"whatever else changed meanwhile is part of the difference; measure both in turns, as "
		"`regio ab` does",
	},
	[NOTE_ONLY_MEANS] = {
		"only-means",
		"ask for the values of the single runs: means give an effect, but no verdict",
	},
	[NOTE_MANY_METRICS] = {
		"many-metrics",
		"name what decides with --metric, or measure more runs",
	},
	[NOTE_CHOSEN_RUNS] = {
		"chosen-runs",
		"rely on the verdict that `regio ab` gave; its error rate is budgeted, the one of a "
		"second look is not",
	},
};

const struct note_kind *note_kind(enum note_id id)
{
	assert((unsigned)id < NOTE_NR_IDS);
	return &kinds[id];
}

int note_id_by_name(const char *name)
{
	for (size_t i = 0; i < NOTE_NR_IDS; i++) {
		if (!strcmp(kinds[i].name, name))
			return (int)i;
	}
	return -1;
}

static int note_list_has(const struct note_list *list, enum note_id id, const char *text)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (list->items[i].id == id && !strcmp(list->items[i].text, text))
			return 1;
	}
	return 0;
}

void note_add(struct note_list *list, enum note_id id, const char *format, ...)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	va_list args;

	assert((unsigned)id < NOTE_NR_IDS);
	va_start(args, format);
	strbuf_vprintf(&text, format, args);
	va_end(args);
	if (note_list_has(list, id, strbuf_str(&text)))
		return;

	list->items = xreallocarray(list->items, list->nr + 1, sizeof(*list->items));
	list->items[list->nr++] = (struct note){ .id = id, .text = strbuf_take(&text) };
}

void note_list_append(struct note_list *list, const struct note_list *more)
{
	for (size_t i = 0; i < more->nr; i++)
		note_add(list, more->items[i].id, "%s", more->items[i].text);
}

void note_list_release(struct note_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->items[i].text);
	free(list->items);
	*list = (struct note_list){ .items = NULL };
}
