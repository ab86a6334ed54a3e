/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_CPU_TIMES_H
#define REGIO_MONITOR_CPU_TIMES_H

/* Private to src/monitor: the times of /proc/stat, which more than one monitor shows. */

#include <stdbool.h>
#include <stdint.h>

#include "monitor/scan.h"

/* In the order of the kernel. user includes guest, nice includes guest_nice. */
enum cpu_time {
	CPU_USER,
	CPU_NICE,
	CPU_SYSTEM,
	CPU_IDLE,
	CPU_IOWAIT,
	CPU_IRQ,
	CPU_SOFTIRQ,
	CPU_STEAL,
	CPU_GUEST,
	CPU_GUEST_NICE,
	CPU_NR_TIMES,
};

struct cpu_times {
	uint64_t ticks[CPU_NR_TIMES];
};

/* Percent of the time of one CPU, or of all together. Guest times are parts of their own. */
struct cpu_shares {
	double percent[CPU_NR_TIMES];
};

/* The rest of a line "cpu ..". False if it is not as expected. */
bool cpu_times_parse(struct scan *line, struct cpu_times *ret_times);

/* False where no time has passed. */
bool cpu_times_shares(const struct cpu_times *before, const struct cpu_times *after,
		      struct cpu_shares *ret_shares);

#endif
