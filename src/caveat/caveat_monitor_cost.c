/* SPDX-License-Identifier: GPL-2.0-or-later */
/* monitor_cost: watching the machine took what the job could have used. */
#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"

#define MAX_PERCENT 1.0 /* of one CPU: the promise of the default monitors (bench/monitor-cost) */

/* In less no sample is taken, only the thread begins and ends: fewer monitors would not change it,
 * and what short runs do not show is told by "unwatched", which asks for monitors. */
#define MIN_SECONDS 0.5

static void check(const struct result *result, struct note_list *notes)
{
	double percent = evidence_seen(result, "monitor.cpu%");

	if (percent >= MAX_PERCENT && evidence_seconds(result) >= MIN_SECONDS)
		note_add(notes, NOTE_MONITOR_COST, "the monitors took %.1f %% of a CPU", percent);
}

const struct caveat caveat_monitor_cost = { .id = NOTE_MONITOR_COST, .check = check };
