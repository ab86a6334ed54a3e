/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_TRACEPOINT_H
#define REGIO_MONITOR_TRACEPOINT_H

/*
 * Private to src/monitor: the records of one tracepoint on every CPU, through the rings of
 * perf_event_open(2). They end with the process; nothing is left switched on.
 */

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "monitor/perf_event.h"

struct err;

struct tracepoint {
	struct strbuf format; /* of its fields, for tracepoint_format.h */
	struct perf_event event;
	struct tracepoint_ring {
		void *pages; /* one of control, then the data */
		uint64_t tail;
	} * rings;	   /* one for each descriptor of event */
	size_t ring_bytes; /* of data, a power of two */
	uint64_t nr_lost;  /* records that found their ring full */
};

/* tracefs: where it is mounted; name: "block/block_rq_issue"; filter as tracefs has it, or NULL.
 * ERR_UNSUPPORTED where there is no such tracepoint, or this user may not see it. */
int tracepoint_open(const char *tracefs, const char *name, const char *filter,
		    struct tracepoint *ret_tracepoint, struct err *err);

/* Takes what is there. raw, aligned to 4 bytes, holds until the call returns; CLOCK_MONOTONIC
 * orders records of different CPUs. */
void tracepoint_drain(struct tracepoint *tracepoint,
		      void (*take)(void *arg, uint64_t time_ns, const void *raw, size_t len),
		      void *arg);

/* Zero is fine. */
void tracepoint_close(struct tracepoint *tracepoint);

#endif
