/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_METRIC_GROUP_H
#define REGIO_ANALYSIS_METRIC_GROUP_H

/*
 * Metrics that say the same thing: the throughput, time and mean latency of one direction are one
 * fact, not five pieces of evidence.
 */

#include <stdbool.h>
#include <stddef.h>

struct cohort;

#define METRIC_GROUP_LEN 64

struct metric_group {
	char name[METRIC_GROUP_LEN]; /* "write speed", "disk sda", "cpu" */
	bool is_one_fact;	     /* each of its metrics follows from the others */
};

void metric_group_init(struct metric_group *group, const char *metric);

/* Says something about the work done, and in which direction it is better. */
bool metric_is_performance(const char *metric);

/*
 * The metrics that decide when nobody has named any: of each direction IOPS, or bandwidth where
 * I/Os are large; of other programs what they score. At most METRIC_MAX_PRIMARY; may be none.
 * The names are borrowed from base.
 */
#define METRIC_MAX_PRIMARY 3
size_t metric_choose_primary(const struct cohort *base, const struct cohort *new,
			     const char *ret_names[METRIC_MAX_PRIMARY]);

#endif
