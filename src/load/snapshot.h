/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_SNAPSHOT_H
#define REGIO_LOAD_SNAPSHOT_H

/*
 * What the clones have counted while they run: reports in the middle of a run. A worker is asked,
 * and copies its own counts between two I/Os into memory that was there before, since nobody else
 * may read them; that takes some 20 us and is in the latency of no I/O. One that does not answer,
 * because it waits for the kernel, shows only its number of I/Os and bytes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct phase_clone;
struct result;
struct snapshot;
struct worker;

/* By the worker: fills worker->snapshot. */
void snapshot_take(struct worker *worker);

/* Asks all clones that were started, and adds what they have to *result, as collect_results. */
void snapshot_collect(struct phase_clone *clones, size_t nr, struct result *result);

void snapshot_free(struct snapshot *snapshot); /* accepts NULL; the worker has been joined */

#endif
