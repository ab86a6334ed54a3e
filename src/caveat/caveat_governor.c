/* SPDX-License-Identifier: GPL-2.0-or-later */
/* governor: the CPUs change their frequency with the load. */
#include <string.h>

#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"

static void check(const struct result *result, struct note_list *notes)
{
	/* one name if all CPUs agree, else names with counts */
	const char *governor = evidence_fact(result, "cpu.governor");

	/* the driver keeps them at a frequency of the user's choice: constant as well */
	if (!governor || !strcmp(governor, "performance") || !strcmp(governor, "userspace"))
		return;
	note_add(notes, NOTE_GOVERNOR, "the frequency governor of the CPUs is %s", governor);
}

const struct caveat caveat_governor = { .id = NOTE_GOVERNOR, .check = check };
