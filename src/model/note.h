/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_NOTE_H
#define REGIO_MODEL_NOTE_H

/*
 * A note is a typed caveat stored with a result: what was seen, and what to do about it.
 * The kinds are one table; a new one is one row of it.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

enum note_id {
	NOTE_SYNC_ENGINE_DEPTH, /* iodepth > 1 with a synchronous engine */
	NOTE_SHARED_FILE,	/* several writers on one file */
	NOTE_RUNTIME_IGNORED,	/* time_based without runtime */
	NOTE_OPTION_WARNING,	/* anything else the job parser warned about */
	NOTE_REGION_CLIPPED,	/* device or file shorter than offset + size */
	NOTE_CACHE_NOT_DROPPED, /* invalidate failed */
	NOTE_FEW_IOS,		/* too few I/Os for the percentile shown */
	NOTE_INTERRUPTED,	/* ended by a signal: partial */
	NOTE_JOB_ERROR,		/* a job ended with an error */
	NOTE_CLOCK_FALLBACK,	/* TSC not usable */
	NOTE_SETTING_NOT_EXACT, /* a negative number left it to the kernel */
	NOTE_DISCARDED_WARMUP,	/* first run of each side not used */
	NOTE_PAIRED_MODE,	/* drift seen: signed-rank on pairs */
	NOTE_SLOW_RUNS,		/* shape: more slow runs on one side */
	NOTE_SKEWED,		/* mean and median differ by more than 3 % */
	NOTE_BELOW_MIN_EFFECT,	/* significant, but smaller than the effect asked for */
	NOTE_TOO_FEW_RUNS,	/* below 5 + 5: no verdict */
	NOTE_RUN_REPEATED,	/* a failed run was repeated */
	NOTE_NOT_INDEPENDENT,	/* runs of one side depend on each other */
	NOTE_UNDO_FAILED,	/* a setting could not be taken back */
	NOTE_NUMBER_REFUSED,	/* imported: a number that cannot be true was not taken */
	NOTE_INPUT_INCOMPLETE,	/* imported: the output is cut or has gaps */
	NOTE_UNIT_CONVERTED,	/* imported: the unit printed is not the one meant */
	NOTE_ROUNDED,		/* imported: printed too coarsely for small differences */
	NOTE_INPUT_AMBIGUOUS,	/* imported: could be read in more than one way */
	NOTE_MONITOR_ABSENT,	/* a monitor that was asked for has nothing to read here */
	NOTE_CHANGED_AT_ONCE,	/* compared: several things differ between the sides */
	NOTE_WORKLOADS_DIFFER,	/* compared: not the same job on both sides */
	NOTE_NOT_COMPARED,	/* compared: a workload that only one side has */
	NOTE_REPEATED_RESULT,	/* the same numbers came twice and counted once */
	NOTE_FAILED_RUNS,	/* compared: runs with errors are left out */
	NOTE_NOT_INTERLEAVED,	/* compared: the sides were measured one after the other */
	NOTE_ONLY_MEANS,	/* compared: single values are not known */
	NOTE_MANY_METRICS,	/* compared: too many for so few runs */
	NOTE_CHOSEN_RUNS,	/* compared: the number of runs was chosen by looking at them */
	NOTE_NEWEST_SESSION,	/* compared: the newest of several sessions was taken */
	NOTE_OUTPUT_UNKNOWN,	/* a command printed nothing that can be read */
	NOTE_LOG_WAITED,	/* workers waited for room in their logs */
	NOTE_LOG_INCOMPLETE,	/* a log file could not be written to its end */
	NOTE_OTHER_IO,		/* somebody else uses the disk under the job */
	NOTE_PAGE_CACHE,	/* most of what was read did not come from the disk */
	NOTE_WRITES_IN_MEMORY,	/* most of what was written was not on the disk at the end */
	NOTE_THROTTLED,		/* the CPUs were slowed down for their heat */
	NOTE_CPU_STEAL,		/* the host gave the CPUs of this virtual machine to others */
	NOTE_SWAP,		/* the machine was paging, or much of its swap is in use */
	NOTE_DISCARD,		/* discards that are not of the job */
	NOTE_SMALL_REGION,	/* what the job covers fits into a cache below it */
	NOTE_UNSTEADY,		/* no steady state within the run (MSER-5) */
	NOTE_SHARED_DEVICE,	/* different jobs on one disk at the same time */
	NOTE_GOVERNOR,		/* the CPUs change their frequency with the load */
	NOTE_FILESYSTEM_FULL,	/* the filesystem of the job's files is nearly full */
	NOTE_ODD_DEVICE,	/* zoned, thinly provisioned or compressing */
	NOTE_MONITOR_COST,	/* watching took more of a CPU than it should */
	NOTE_UNWATCHED,		/* monitors that notes depend on were off */
	NOTE_VIRTUAL_TIME,	/* measured in a guest whose clock counts instructions */
	NOTE_ENV_DIFFERS,	/* compared: machine or kernel differ beside the settings */
	NOTE_ENV_CHANGED,	/* machine or kernel changed while it was measured */
	NOTE_VERIFY_FAILED,	/* a block is not what was written there */
	NOTE_VERIFY_PARTIAL,	/* not all that was written has been checked */
	NOTE_TRIAL_FAILED,	/* matrix: a combination could not be measured */
	NOTE_UNTESTABLE,	/* bisect: a candidate cannot be measured */
	NOTE_CELL_ALPHA,	/* matrix: each cell has its own chance of a false alarm */
	NOTE_FIO_TRAP,		/* what was meant was done where fio does something else */
	NOTE_NR_IDS,
};

struct note_kind {
	const char *name;   /* stable id in JSON and the store: "sync-engine-depth" */
	const char *when;   /* it is attached */
	const char *advice; /* what to do about it */
	/* Judged from the numbers of one run, so that each run of a comparison says it in its own
	 * words: told once for all of them. */
	bool is_of_run;
	/* Of numbers that only the output of a run shows: comparisons leave them out. */
	bool is_of_output;
};

const struct note_kind *note_kind(enum note_id id);

/* Index by name, -1 if there is none of that name. */
int note_id_by_name(const char *name);

struct note {
	enum note_id id;
	char *text; /* owned; what was seen, with values */
};

struct note_list {
	struct note *items;
	size_t nr;
};

/* Adds a note unless one of the same id and text is there already. */
__attribute__((format(printf, 3, 4))) void note_add(struct note_list *list, enum note_id id,
						    const char *format, ...);
/* The first of that kind; NULL if there is none. */
const struct note *note_list_find(const struct note_list *list, enum note_id id);
void note_list_append(struct note_list *list, const struct note_list *more);
void note_list_release(struct note_list *list);
CLEANUP_DEFINE(note_list, struct note_list, note_list_release)

/*
 * The notes of the runs of two sides, told once: of the kinds that are of a run the first text and
 * in how many runs of which side it came, everything else as it is.
 */
#define NOTE_NR_SIDES 2

struct note_tally {
	size_t nr_runs[NOTE_NR_SIDES];
	size_t counts[NOTE_NR_SIDES][NOTE_NR_IDS];
	struct note_list firsts; /* of the kinds that are of a run */
	struct note_list others;
};

void note_tally_add(struct note_tally *tally, unsigned side, const struct note_list *notes_of_run);
/* Appends to list what the tally has: "3 of 20 runs (A 3, B 0), in the first of them: ..". */
void note_tally_tell(const struct note_tally *tally, const char *const names[NOTE_NR_SIDES],
		     struct note_list *list);
void note_tally_release(struct note_tally *tally);
CLEANUP_DEFINE(note_tally, struct note_tally, note_tally_release)

#endif
