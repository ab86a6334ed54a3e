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
		.name = "sync-engine-depth",
		.when = "iodepth above 1 with a synchronous engine",
		.advice = "a synchronous engine has one I/O in flight; use ioengine=libaio or io_uring, or "
		"raise numjobs",
	},
	[NOTE_SHARED_FILE] = {
		.name = "shared-file",
		.when = "several writers on one file",
		.advice = "give each job a file or an offset of its own, unless contention on one file is what "
		"you measure",
	},
	[NOTE_RUNTIME_IGNORED] = {
		.name = "runtime-ignored",
		.when = "time_based without runtime",
		.advice = "set runtime= beside time_based, else the job ends with its size",
	},
	[NOTE_OPTION_WARNING] = {
		.name = "option-warning",
		.when = "anything else the parser of job files warned about",
		.advice = "check that the job does what you mean before you trust its numbers",
	},
	[NOTE_REGION_CLIPPED] = {
		.name = "region-clipped",
		.when = "device or file shorter than offset + size",
		.advice = "lower size= or offset=, or use a larger file or device, so that both sides of a "
		"comparison cover the same region",
	},
	[NOTE_CACHE_NOT_DROPPED] = {
		.name = "cache-not-dropped",
		.when = "invalidate failed",
		.advice = "reads may have come from memory; use direct=1, or run as root so that the cache can "
		"be dropped",
	},
	[NOTE_FEW_IOS] = {
		.name = "few-ios",
		.when = "too few I/Os for the percentile shown",
		.advice = "run longer: a percentile needs about 30 I/Os beyond it to mean anything",
		.is_of_run = true,
		.is_of_output = true,
	},
	[NOTE_INTERRUPTED] = {
		.name = "interrupted",
		.when = "ended by a signal: partial",
		.advice = "the numbers cover only the time until the signal; run it again before you compare",
	},
	[NOTE_JOB_ERROR] = {
		.name = "job-error",
		.when = "a job ended with an error",
		.advice = "repair the cause and run again; the numbers cover only the time until the error",
	},
	[NOTE_VIRTUAL_TIME] = {
		.name = "virtual-time",
		.when = "measured in a guest whose clock counts instructions",
		.advice = "never compare with results of another clock; contention needs --time=real",
	},
	[NOTE_CLOCK_FALLBACK] = {
		.name = "clock-fallback",
		.when = "TSC not usable",
		.advice = "each time stamp costs more; compare only with results of the same clock",
	},
	[NOTE_SETTING_NOT_EXACT] = {
		.name = "setting-not-exact",
		.when = "a negative number left a setting to the kernel",
		.advice = "the value read back is the one that was measured",
	},
	[NOTE_UNDO_FAILED] = {
		.name = "undo-failed",
		.when = "a setting could not be taken back",
		.advice = "run `regio restore` as the same user, or set the old value by hand",
	},
	[NOTE_DISCARDED_WARMUP] = {
		.name = "discarded-warmup",
		.when = "first run of each side not used",
		.advice = "nothing to do: first runs fill caches and wake the device, so they are kept but not "
		"compared",
	},
	[NOTE_PAIRED_MODE] = {
		.name = "paired-mode",
		.when = "drift seen: signed-rank on pairs",
		.advice = "the machine drifted, so neighbouring runs are compared in pairs; a quieter machine "
		"needs fewer runs",
	},
	[NOTE_SLOW_RUNS] = {
		.name = "slow-runs",
		.when = "shape: more slow runs on one side",
		.advice = "look at the slow runs one by one: a change that makes some runs slow can leave the "
		"median as it is",
	},
	[NOTE_SKEWED] = {
		.name = "skewed",
		.when = "mean and median differ by more than 3 %",
		.advice = "the interval is about the median; look at the single values if totals matter to you",
	},
	[NOTE_BELOW_MIN_EFFECT] = {
		.name = "below-min-effect",
		.when = "significant, but smaller than the effect asked for",
		.advice = "the difference is real but small; lower --min-effect if it matters",
	},
	[NOTE_TOO_FEW_RUNS] = {
		.name = "too-few-runs",
		.when = "below 5 + 5: no verdict",
		.advice = "no verdict below 5 runs a side; measure more (regio ab: --max-pairs)",
	},
	[NOTE_RUN_REPEATED] = {
		.name = "run-repeated",
		.when = "a failed run was repeated",
		.advice = "find out why a run failed: a failure that comes with one side only is a finding",
	},
	[NOTE_NOT_INDEPENDENT] = {
		.name = "not-independent",
		.when = "runs of one side depend on each other",
		.advice = "each run depends on the one before, so intervals are too narrow; give the device "
		"time to settle or prepare it the same way before each run",
	},
	[NOTE_NUMBER_REFUSED] = {
		.name = "number-refused",
		.when = "imported: a number that cannot be true was not taken",
		.advice = "the number is a fault of the program that printed it and is left out; do not use it "
		"from the original either",
	},
	[NOTE_INPUT_INCOMPLETE] = {
		.name = "input-incomplete",
		.when = "imported: the output is cut or has gaps",
		.advice = "ask for the whole output; what is here was read, what is missing is absent and not 0",
	},
	[NOTE_UNIT_CONVERTED] = {
		.name = "unit-converted",
		.when = "imported: the unit printed is not the one meant",
		.advice = "nothing to do; compare with the original by the converted value",
	},
	[NOTE_ROUNDED] = {
		.name = "rounded",
		.when = "imported: printed too coarsely for small differences",
		.advice = "differences smaller than the last printed digit cannot be seen; ask for the JSON "
		"output",
	},
	[NOTE_INPUT_AMBIGUOUS] = {
		.name = "input-ambiguous",
		.when = "imported: could be read in more than one way",
		.advice = "look at the original before you rely on this number",
	},
	[NOTE_MONITOR_ABSENT] = {
		.name = "monitor-absent",
		.when = "a monitor that was asked for has nothing to read here",
		.advice = "those metrics are absent, not 0; leave them out of --monitors, or give regio what is "
		"missing (root, a mounted debugfs, a kernel option)",
	},
	[NOTE_CHANGED_AT_ONCE] = {
		.name = "changed-at-once",
		.when = "compared: several things differ between the sides",
		.advice = "the effect cannot be assigned to one of them; change one thing at a time",
	},
	[NOTE_WORKLOADS_DIFFER] = {
		.name = "workloads-differ",
		.when = "compared: not the same job on both sides",
		.advice = "the effect is also that of the other job; run the same one on both sides unless it "
		"is what you compare",
	},
	[NOTE_NOT_COMPARED] = {
		.name = "not-compared",
		.when = "compared: a workload that only one side has",
		.advice = "measure it on the other side too",
	},
	[NOTE_REPEATED_RESULT] = {
		.name = "repeated-result",
		.when = "the same numbers came twice and counted once",
		.advice = "nothing to do: one measurement quoted or stored twice is still one run",
	},
	[NOTE_FAILED_RUNS] = {
		.name = "failed-runs",
		.when = "compared: runs with errors are left out",
		.advice = "find out why: failures are compared as failures and never mixed with speed",
	},
	[NOTE_NOT_INTERLEAVED] = {
		.name = "not-interleaved",
		.when = "compared: the sides were measured one after the other",
		.advice = "whatever else changed meanwhile is part of the difference; measure both in turns, as "
		"`regio ab` does",
	},
	[NOTE_ONLY_MEANS] = {
		.name = "only-means",
		.when = "compared: single values are not known",
		.advice = "ask for the values of the single runs: means give an effect, but no verdict",
	},
	[NOTE_MANY_METRICS] = {
		.name = "many-metrics",
		.when = "compared: too many for so few runs",
		.advice = "name what decides with --metric, or measure more runs",
	},
	[NOTE_CHOSEN_RUNS] = {
		.name = "chosen-runs",
		.when = "compared: the number of runs was chosen by looking at them",
		.advice = "rely on the verdict that `regio ab` gave; its error rate is budgeted, the one of a "
		"second look is not",
	},
	[NOTE_NEWEST_SESSION] = {
		.name = "newest-session",
		.when = "compared: several sessions have the label, the newest was taken",
		.advice = "name another one by its number: 7:A is label A of session 7",
	},
	[NOTE_OUTPUT_UNKNOWN] = {
		.name = "output-unknown",
		.when = "a command of --exec printed nothing that regio can read numbers out of",
		.advice = "only its time and CPU count; let it print lines NAME VALUE UNIT, or the output of fio or "
		"stress-ng",
	},
	[NOTE_TRIAL_FAILED] = {
		.name = "trial-failed",
		.when = "a combination of a matrix could not be measured",
		.advice = "exclude the combination, or give the machine what is missing; a failure that comes "
		"with one side only is a finding",
	},
	[NOTE_UNTESTABLE] = {
		.name = "untestable",
		.when = "a candidate of a bisection could not be built, booted or measured",
		.advice = "it is left out; if the answer is a range because of it, repair its build or its run and "
		"search again",
	},
	[NOTE_CELL_ALPHA] = {
		.name = "cell-alpha",
		.when = "each cell of a sequential matrix has its own chance of a false alarm",
		.advice = "repeat a surprising cell by itself with `regio ab`, or use repeats, which are "
		"corrected for the number of cells",
	},
	[NOTE_LOG_WAITED] = {
		.name = "log-waited",
		.when = "a log could not be written as fast as the I/Os came",
		.advice = "the rate is that of the log; use log_avg_msec= with a longer window, a faster place "
		"for the log files, or log_entries= for more room",
		.is_of_run = true,
	},
	[NOTE_LOG_INCOMPLETE] = {
		.name = "log-incomplete",
		.when = "a log file could not be written to its end",
		.advice = "make room where the log files are, or take them to another place",
	},
	[NOTE_OTHER_IO] = {
		.name = "other-io",
		.when = "somebody else uses the disk under the job",
		.advice = "find out who it is (iotop, fatrace) and stop them, or use a disk of your own: what others do comes and goes, and looks like a change",
		.is_of_run = true,
	},
	[NOTE_PAGE_CACHE] = {
		.name = "page-cache",
		.when = "most of what was read did not come from the disk",
		.advice = "use direct=1, or a file much larger than memory that was written before, unless memory is what you measure",
		.is_of_run = true,
	},
	[NOTE_WRITES_IN_MEMORY] = {
		.name = "writes-in-memory",
		.when = "most of what was written was not on the disk at the end",
		.advice = "use direct=1, end_fsync=1 or fsync=, or write much more than memory holds, unless memory is what you measure",
		.is_of_run = true,
	},
	[NOTE_THROTTLED] = {
		.name = "throttled",
		.when = "the CPUs were slowed down for their heat",
		.advice = "cool the machine, or lower and fix its frequency (cpupower frequency-set), so that both sides run at the same",
		.is_of_run = true,
	},
	[NOTE_CPU_STEAL] = {
		.name = "cpu-steal",
		.when = "the host gave the CPUs of this virtual machine to others",
		.advice = "measure when the host is idle, or on CPUs that it gives to nobody else; it comes and goes, so only runs in turns compare",
		.is_of_run = true,
	},
	[NOTE_SWAP] = {
		.name = "swap",
		.when = "the machine was paging, or much of its swap is in use",
		.advice = "stop what needs the memory, or switch swap off (swapoff -a) for the time of the measurement",
		.is_of_run = true,
	},
	[NOTE_DISCARD] = {
		.name = "discard",
		.when = "discards that are not of the job",
		.advice = "wait until it has ended; mount without discard, stop fstrim.timer while you measure",
		.is_of_run = true,
	},
	[NOTE_SMALL_REGION] = {
		.name = "small-region",
		.when = "what the job covers fits into a cache below it",
		.advice = "cover more (size=) than the cache holds; give a loop device losetup --direct-io=on",
		.is_of_run = true,
	},
	[NOTE_UNSTEADY] = {
		.name = "unsteady",
		.when = "no steady state within the run (MSER-5)",
		.advice = "give it ramp_time= until it has settled, or run longer; prepare an SSD by writing it in full",
		.is_of_run = true,
	},
	[NOTE_SHARED_DEVICE] = {
		.name = "shared-device",
		.when = "different jobs on one disk at the same time",
		.advice = "their numbers depend on each other: compare totals, or run them one after the other (stonewall)",
		.is_of_run = true,
	},
	[NOTE_GOVERNOR] = {
		.name = "governor",
		.when = "the CPUs change their frequency with the load",
		.advice = "set it to performance (cpupower frequency-set -g performance) while you measure",
		.is_of_run = true,
	},
	[NOTE_FILESYSTEM_FULL] = {
		.name = "filesystem-full",
		.when = "the filesystem of the job's files is nearly full",
		.advice = "free blocks are few and scattered: measure on a filesystem with room, the same on both sides",
		.is_of_run = true,
	},
	[NOTE_ODD_DEVICE] = {
		.name = "odd-device",
		.when = "zoned, thinly provisioned or compressing",
		.advice = "its speed depends on what was written before and on the data itself: prepare it in the same way before each side, with data that compress as yours do",
		.is_of_run = true,
	},
	[NOTE_MONITOR_COST] = {
		.name = "monitor-cost",
		.when = "watching took more of a CPU than it should",
		.advice = "watch less (--monitors=default, or names), and the same on both sides",
		.is_of_run = true,
	},
	[NOTE_UNWATCHED] = {
		.name = "unwatched",
		.when = "monitors that notes depend on were off, or the run was too short for them",
		.advice = "leave the default monitors on, which cost next to nothing, and let a run take more than some ms: else nobody can tell what else went on",
		.is_of_run = true,
	},
	[NOTE_ENV_DIFFERS] = {
		.name = "env-differs",
		.when = "compared: facts of machine or kernel differ that no setting changed",
		.advice = "the effect may come from that: undo it and measure again, or make it a setting",
	},
	[NOTE_ENV_CHANGED] = {
		.name = "env-changed",
		.when = "a fact of machine or kernel changed while runs were measured",
		.advice = "find out who changed it; runs before and after do not measure the same thing, so "
		"measure again",
	},
	[NOTE_VERIFY_FAILED] = {
		.name = "verify-failed",
		.when = "a block is not what was written there",
		.advice = "suspect the device, its driver or the layers between; verify_dump=1 keeps what was "
		"read and what should be there",
		.is_of_run = true,
	},
	[NOTE_VERIFY_PARTIAL] = {
		.name = "verify-partial",
		.when = "not all that was written has been checked",
		.advice = "leave the job time for it (no runtime or a longer one), or use verify_backlog, which "
		"checks during the run",
		.is_of_run = true,
	},
	[NOTE_FIO_TRAP] = {
		.name = "fio-trap",
		.when = "what was meant was done where fio does something else",
		.advice = "read regio --list-traps if you compare with a run of fio; --fio-strict does what fio "
		"does",
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

const struct note *note_list_find(const struct note_list *list, enum note_id id)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (list->items[i].id == id)
			return &list->items[i];
	}
	return NULL;
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

/* ---- several runs ---- */

void note_tally_add(struct note_tally *tally, unsigned side, const struct note_list *notes_of_run)
{
	tally->nr_runs[side]++;
	for (size_t i = 0; i < notes_of_run->nr; i++) {
		const struct note *note = &notes_of_run->items[i];

		if (kinds[note->id].is_of_output)
			continue;
		if (!kinds[note->id].is_of_run) {
			note_add(&tally->others, note->id, "%s", note->text);
			continue;
		}
		if (!note_list_find(&tally->firsts, note->id))
			note_add(&tally->firsts, note->id, "%s", note->text);
		/* a run may have two of a kind */
		tally->counts[side][note->id] += note_list_find(notes_of_run, note->id) == note;
	}
}

void note_tally_tell(const struct note_tally *tally, const char *const names[NOTE_NR_SIDES],
		     struct note_list *list)
{
	size_t nr_runs = tally->nr_runs[0] + tally->nr_runs[1];

	note_list_append(list, &tally->others);
	for (size_t i = 0; i < tally->firsts.nr; i++) {
		const struct note *note = &tally->firsts.items[i];
		size_t first = tally->counts[0][note->id], second = tally->counts[1][note->id];

		note_add(list, note->id,
			 "%zu of %zu runs (%s %zu, %s %zu), in the first of them: %s",
			 first + second, nr_runs, names[0], first, names[1], second, note->text);
	}
}

void note_tally_release(struct note_tally *tally)
{
	note_list_release(&tally->firsts);
	note_list_release(&tally->others);
	*tally = (struct note_tally){ .nr_runs = { 0 } };
}
