/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of caveats: all that is looked for in a finished result. */
#include "caveat/caveat.h"

#include "caveat/caveat_table.h"
#include "model/result.h"

/* Those that spoil a measurement first: the order in which they are told. */
static const struct caveat *const caveats[] = {
	&caveat_other_io,
	&caveat_page_cache,
	&caveat_writes_in_memory,
	&caveat_throttled,
	&caveat_cpu_steal,
	&caveat_swap,
	&caveat_discard,
	&caveat_small_region,
	&caveat_unsteady,
	&caveat_shared_device,
	&caveat_governor,
	&caveat_filesystem_full,
	&caveat_odd_device,
	&caveat_few_ios,
	&caveat_monitor_cost,
	&caveat_unwatched,
	NULL,
};

const struct caveat *const *caveat_table(void)
{
	return caveats;
}

const struct caveat *caveat_find(enum note_id id)
{
	for (size_t i = 0; caveats[i]; i++) {
		if (caveats[i]->id == id)
			return caveats[i];
	}
	return NULL;
}

void caveats_attach(struct result *result)
{
	for (size_t i = 0; caveats[i]; i++)
		caveats[i]->check(result, &result->notes);
}
