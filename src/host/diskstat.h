/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_DISKSTAT_H
#define REGIO_HOST_DISKSTAT_H

/* Counters of /sys/block/DEV/stat before and after a trial. */

#include <stddef.h>
#include <stdint.h>

struct device_list;
struct err;
struct result;

struct diskstat_counts {
	uint64_t ios[2], merges[2], sectors[2], ticks_ms[2]; /* read, write */
	uint64_t io_ticks_ms, in_queue_ms;
	uint64_t taken_ns; /* CLOCK_MONOTONIC */
};

/* One snapshot per device of the list into ret_counts[list->nr]. */
int diskstat_read(const struct device_list *list, const char *sys_root,
		  struct diskstat_counts *ret_counts, struct err *err);
/* Appends the differences to result->disks (32-bit wrap of old kernels undone). */
void diskstat_add(struct result *result, const struct device_list *list,
		  const struct diskstat_counts *before, const struct diskstat_counts *after);

#endif
