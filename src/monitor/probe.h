/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_PROBE_H
#define REGIO_MONITOR_PROBE_H

/*
 * Private to src/monitor: a file of /proc or sysfs that is kept open and read again in each round.
 * Monitors that want the same file share one probe, so it is read once a round.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "monitor/scan.h"

struct err;
struct monitor_tick;

struct probe {
	char *path;
	int fd;
	struct strbuf text; /* as of tick_nr, if is_read */
	uint64_t tick_nr;
	uint64_t taken_ns; /* right before it was read */
	bool is_read;
};

struct probe_pool {
	struct probe **items;
	size_t nr;
};

/*
 * The probe of root/name, owned by the pool. Reads once to see that there is something: a file
 * that cannot be read is an error with its path.
 */
int probe_open(struct probe_pool *pool, const char *root, const char *name,
	       struct probe **ret_probe, struct err *err);

/* Reads unless this round did. False: it cannot be read (any more). */
bool probe_read(struct probe *probe, const struct monitor_tick *tick);

static inline struct scan probe_scan(const struct probe *probe)
{
	return scan_text(strbuf_str(&probe->text), probe->text.len);
}

void probe_pool_release(struct probe_pool *pool);

#endif
