/* SPDX-License-Identifier: GPL-2.0-or-later */
/* filesystem_full: in a nearly full filesystem free blocks are few and far between. */
#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"

/* ext4, xfs and btrfs all keep looking for long free ranges, and find few beyond this; ext4 and
 * xfs also begin to do without delayed allocation, whose reserve is what is left. */
#define MAX_PERCENT 90.0

static void check(const struct result *result, struct note_list *notes)
{
	double used = evidence_seen(result, "filesystem.used%");

	if (used >= MAX_PERCENT)
		note_add(notes, NOTE_FILESYSTEM_FULL,
			 "the filesystem of the job's files is %.0f %% full", used);
}

const struct caveat caveat_filesystem_full = { .id = NOTE_FILESYSTEM_FULL, .check = check };
