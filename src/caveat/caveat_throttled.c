/* SPDX-License-Identifier: GPL-2.0-or-later */
/* throttled: the CPUs were slowed down because they were too hot. */
#include <math.h>

#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"

static void check(const struct result *result, struct note_list *notes)
{
	double core = evidence_seen(result, "thermal.core_throttle_count");
	double package = evidence_seen(result, "thermal.package_throttle_count");
	double events = fmax(isnan(core) ? 0 : core, isnan(package) ? 0 : package);

	if (events > 0)
		note_add(notes, NOTE_THROTTLED, "CPUs were throttled %.0f times for their heat",
			 events);
}

const struct caveat caveat_throttled = {
	.id = NOTE_THROTTLED,
	.is_disqualifying = true,
	.check = check,
};
