/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_RESULT_WORKLOAD_H
#define REGIO_MODEL_RESULT_WORKLOAD_H

/*
 * What a result is a measurement of, as one line: results with the same line are repeats of one
 * measurement, others must not be pooled.
 *
 *	"rw=write, bs=128KiB, ioengine=libaio, iodepth=64, jobs=24 'job'"
 *
 * Several jobs are joined by "; ", equal neighbours counted: "4 x rw=randrw, .. 'job'".
 */

#include <stdbool.h>

struct result;

/*
 * Key of result.env by which a result without jobs says what was run, such as the axes of an LKP
 * table.
 */
#define RESULT_WORKLOAD_KEY "workload"

/*
 * A new string (caller frees). Of a result without jobs and without that key: the directions that
 * it has numbers of, such as "read and write", or "".
 */
char *result_workload(const struct result *result);

/* The same without the names of jobs, which people change freely. Caller frees. */
char *workload_without_names(const char *workload);

/*
 * True if the metrics of the result as a whole say all that there is to compare: at most one job,
 * and no number that is the mean of several runs.
 */
bool result_is_plain(const struct result *result);

#endif
