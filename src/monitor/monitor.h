/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_MONITOR_H
#define REGIO_MONITOR_MONITOR_H

/*
 * A monitor watches one side of the machine while a trial runs: disks, CPUs, memory ... It
 * takes snapshots and turns them into metrics of the result, by LKP's names. One monitor = one
 * file monitor_x.c + one row in monitor.c (+ rows for its units in model/metric.c).
 *
 * Rules for all of them:
 * - Levels (MemFree) become the mean of the samples taken while the workers ran.
 * - Counters (pgfault) become last - first, and the same per second under NAME_per_sec, so that
 *   runs of different length compare. Nothing is taken since boot.
 * - What the kernel does not have, or stops to have, is absent. Never 0, never a failed trial.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct result;
struct probe_pool;

/* Where to look; borrowed for the life of the monitors. */
struct monitor_context {
	const char *proc_root;	  /* "/proc"; tests plant another one */
	const char *sys_root;	  /* "/sys" */
	const char *const *disks; /* kernel names of the whole disks under the job */
	size_t nr_disks;
	const char *const *places; /* files, folders and devices of the job */
	size_t nr_places;
	struct probe_pool *probes;
};

/* One round of snapshots. */
struct monitor_tick {
	uint64_t nr;		 /* from 1; what is read twice in one round is read once */
	uint64_t now_ns;	 /* at its start */
	bool is_end;		 /* the first or the last one: no worker runs */
	uint64_t (*clock)(void); /* CLOCK_MONOTONIC in ns; tests have one of their own */
};

enum monitor_flags {
	/* Cheap enough for every trial: bench/monitor-cost. */
	MONITOR_DEFAULT = 1 << 0,
	/* Starts programs or disturbs: only by name, not by `all`. */
	MONITOR_BY_NAME = 1 << 1,
};

struct monitor_ops {
	const char *name; /* in --monitors */
	const char *summary;
	unsigned flags; /* enum monitor_flags */
	unsigned every; /* sampled in every n-th round; 0 = only in the first and the last one */
	/* A failure means that the machine has nothing to watch here; the message says what. */
	int (*open)(const struct monitor_context *context, void **ret_state, struct err *err);
	void (*sample)(void *state, const struct monitor_tick *tick);
	/* After the last sample. result has its jobs and takes the metrics; see report.h. */
	void (*report)(void *state, struct result *result);
	void (*close)(void *state);
};

/* Ends with NULL. */
const struct monitor_ops *const *monitor_table(void);

#define MONITOR_MAX_CHOICE 32

struct monitor_choice {
	const struct monitor_ops *items[MONITOR_MAX_CHOICE];
	size_t nr;
	bool has_default; /* they came as a group: one of them that is absent needs no note */
};

/* LIST of --monitors: names, `default`, `all`, separated by commas; or `none`. ERR_USAGE. */
int monitor_choose(const char *list, struct monitor_choice *ret_choice, struct err *err);

#endif
