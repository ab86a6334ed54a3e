/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_PERF_EVENT_H
#define REGIO_MONITOR_PERF_EVENT_H

/* Private to src/monitor: one kind of event on every CPU, whatever runs there. */

#include <stddef.h>
#include <stdint.h>

struct err;
struct perf_event_attr;

struct perf_event {
	int *fds; /* one a CPU */
	size_t nr;
};

/* Any event; its size is filled in. ERR_UNSUPPORTED where the machine does not count it or does not
 * let this user count; the message says which. */
int perf_event_open_all(struct perf_event_attr *attr, struct perf_event *ret_event,
			struct err *err);

/* One to be read by perf_event_read(); type and config as in perf_event_open(2). */
int perf_event_count_all(uint32_t type, uint64_t config, struct perf_event *ret_event,
			 struct err *err);

/* The count since it was opened, scaled up where the counter was shared with other events. -1 if it
 * never was on a counter. */
int perf_event_read(const struct perf_event *event, double *ret_count);

void perf_event_close(struct perf_event *event);

#endif
