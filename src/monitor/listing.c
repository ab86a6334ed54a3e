/* SPDX-License-Identifier: GPL-2.0-or-later */
/* listing: open and close of monitors that watch one file of /proc. */
#include "monitor/listing.h"

#include <stdlib.h>

#include "base/arena.h"
#include "monitor/monitor.h"
#include "monitor/probe.h"

int listing_open(const struct monitor_context *context, const char *name, void **ret_state,
		 struct err *err)
{
	struct probe *probe;
	struct listing *listing;
	int ret = probe_open(context->probes, context->proc_root, name, &probe, err);

	if (ret < 0)
		return ret;
	listing = xcalloc(1, sizeof(*listing));
	listing->probe = probe;
	*ret_state = listing;
	return 0;
}

void listing_close(void *state)
{
	struct listing *listing = state;

	series_release(&listing->series);
	free(listing);
}
