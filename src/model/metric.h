/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_METRIC_H
#define REGIO_MODEL_METRIC_H

/*
 * A metric is one number of a result under a stable name, such as "read.iops" or
 * "total.clat_ns.p99". Names, units and polarity come from one table of patterns.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct err;
struct job_result;
struct result;

enum polarity {
	POLARITY_NONE, /* a count without good or bad */
	POLARITY_HIGHER_IS_BETTER,
	POLARITY_LOWER_IS_BETTER,
};

struct metric {
	char *name;
	double value;
};

struct metric_list {
	struct metric *items;
	size_t nr;
};

void metric_list_release(struct metric_list *list);
CLEANUP_DEFINE(metric_list, struct metric_list, metric_list_release)

/* Unit of a metric by its name: "1/s", "B/s", "ns", "ms", "B", "%", "" for a count. */
const char *metric_unit(const char *name);
/* Whether it is compared in points, not in per cent of itself. NULL, not known yet: no. */
bool metric_is_percent(const char *name);
enum polarity metric_polarity(const char *name);
/* What is better by a word that a user types, "higher" or "lower": 0, or -1 for another word. */
int polarity_parse(const char *word, enum polarity *ret_polarity);

/*
 * All metrics of a result: the directions that did I/O, "total.*" over them (time = sum over
 * the phases of the longest runtime), cpu.*, disk.DEV.*. Percentiles only where
 * N(1-q) >= 30. A value that was not measured is absent, never 0. Of an imported result: the
 * given metrics, as they were given. Then what monitors saw.
 */
void result_metrics(const struct result *result, struct metric_list *ret_list);

/* The same of one job alone. */
void job_result_metrics(const struct job_result *job, struct metric_list *ret_list);

/* 0 and the value, or -1 if the result has no such metric. */
int metric_find(const struct metric_list *list, const char *name, double *ret_value);

/*
 * Resolves what a user types ("iops", "bw", "clat_p99", "write.lat_mean", a full name) to a
 * full name present in the list: without a direction it means the only direction that did
 * I/O, else "total". NULL text: IOPS, or bandwidth where the mean I/O is >= 64 KiB.
 * Writes a new string to *ret_name (caller frees). ERR_USAGE with the names that exist.
 */
int metric_list_resolve(const struct metric_list *list, const char *text, char **ret_name,
			struct err *err);
/*
 * Whether jobs can have such a metric at all, before there is a result: "iops", "write.clat_p99".
 * What stands under another name ("iostat.sda.util") is up to the machine, so it can be.
 */
bool metric_is_of_jobs(const char *text);

/* What shall decide, as far as a user has said it. Zero: nothing was said. */
struct metric_choice {
	const char *text;  /* as for metric_list_resolve */
	const char *how;   /* what says which way is better: "--better=higher|lower" */
	bool is_way_known; /* somebody has said it, or nobody has to know */
};

/*
 * As metric_list_resolve. Of a command without text: IOPS or bandwidth if it printed them, else the
 * first number of which is known which way is better, else how long it took. ERR_USAGE where it
 * printed only numbers of which that is not known, or percentages: these decide by name only, as
 * they are compared in points.
 */
int metric_resolve(const struct result *result, const struct metric_choice *choice, char **ret_name,
		   struct err *err);

#endif
