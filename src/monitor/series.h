/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_SERIES_H
#define REGIO_MONITOR_SERIES_H

/*
 * Private to src/monitor: numbers by name over the rounds of a run, for texts such as /proc/vmstat
 * that are lists of names and numbers. Only sums are kept, not the samples.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "monitor/scan.h"

struct monitor_tick;
struct result;
struct probe;

enum series_kind {
	SERIES_COUNTER,	  /* grows: last - first, and per second */
	SERIES_COUNTER32, /* the same, a sum of 32-bit counters that wrap one by one */
	SERIES_LEVEL,	  /* mean of the samples between the ends; of the ends if there are none */
	SERIES_LOAD,	  /* of work going on: mean of the samples between the ends */
};

struct series_item {
	char *name;
	size_t len;
	enum series_kind kind;
	uint64_t first, last; /* of counters */
	uint64_t first_ns, last_ns;
	uint64_t first_nr, last_nr; /* rounds of this series, from 1 */
	double sum, max;	    /* of levels, between the ends */
	size_t nr;
	double end_sum; /* of levels at the ends */
	size_t nr_ends;
};

struct series {
	struct series_item *items;
	size_t nr;
	size_t cursor; /* where the next name is expected: lists keep their order */
	uint64_t round_nr;
	uint64_t taken_ns;
	bool is_end;
};

/* A new round. Reads the probe; false if that failed, so that counters end as absent. */
bool series_begin(struct series *series, const struct monitor_tick *tick, struct probe *probe);

/* NULL if there is no such name. The pointer is valid until the next series_add. */
struct series_item *series_find(struct series *series, const struct scan_word *name);
struct series_item *series_add(struct series *series, const struct scan_word *name,
			       enum series_kind kind);

/* The value of this round. */
void series_put(struct series *series, struct series_item *item, uint64_t value);

/* series_find or series_add, and series_put. */
void series_note(struct series *series, const struct scan_word *name, enum series_kind kind,
		 uint64_t value);

/* NAN where nothing fitting was seen. */
double series_mean(const struct series_item *item);
/* False: it was not there at both ends, or began anew. */
bool series_delta(const struct series *series, const struct series_item *item, uint64_t *ret_delta);

/* All of it, as PREFIX.NAME. */
void series_report(const struct series *series, const char *prefix, struct result *result);

void series_release(struct series *series);

#endif
