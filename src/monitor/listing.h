/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MONITOR_LISTING_H
#define REGIO_MONITOR_LISTING_H

/* Private to src/monitor: the state of a monitor that is one file with one series. */

#include "monitor/series.h"

struct err;
struct monitor_context;
struct probe;

struct listing {
	struct probe *probe;
	struct series series;
};

/* For the open of such a monitor; name is below proc_root. */
int listing_open(const struct monitor_context *context, const char *name, void **ret_state,
		 struct err *err);
/* Its close. */
void listing_close(void *state);

#endif
