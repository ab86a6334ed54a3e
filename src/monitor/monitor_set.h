/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_MONITOR_SET_H
#define REGIO_MONITOR_MONITOR_SET_H

/*
 * The monitors of one trial: opened together, sampled round by round, reported at the end. By one
 * thread at a time; sampler.h does the rounds while workers run.
 */

#include <stddef.h>
#include <stdint.h>

struct monitor_choice;
struct monitor_set;
struct result;

struct monitor_set_config {
	const struct monitor_choice *choice;
	const char *const *disks; /* borrowed until it is closed */
	size_t nr_disks;
	const char *const *places; /* files, folders, devices of the job; borrowed likewise */
	size_t nr_places;
	const char *proc_root;	 /* NULL = /proc */
	const char *sys_root;	 /* NULL = /sys */
	uint64_t (*clock)(void); /* NULL = clock_now_ns */
};

enum monitor_round { MONITOR_FIRST, MONITOR_BETWEEN, MONITOR_LAST };

/* Cannot fail: monitors without anything to watch are left out. */
struct monitor_set *monitor_set_open(const struct monitor_set_config *config);
void monitor_set_sample(struct monitor_set *set, enum monitor_round round);
/* Adds metrics to result->monitored, and a note of what was asked for and is absent. Needs two
 * rounds; else nothing is added. */
void monitor_set_report(struct monitor_set *set, struct result *result);
/* NULL is fine. */
void monitor_set_close(struct monitor_set *set);

#endif
