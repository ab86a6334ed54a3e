/* SPDX-License-Identifier: GPL-2.0-or-later */
/* discard: the disk was told to forget blocks meanwhile, which is work for it. */
#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"

#define MIN_PER_SEC 1.0
#define MIN_NR 5 /* fewer are those of a file that was removed */

static void check(const struct result *result, struct note_list *notes)
{
	double rate = evidence_disks_seen(result, "d/s");

	if (rate >= MIN_PER_SEC && rate * evidence_seconds(result) >= MIN_NR &&
	    evidence_ios(result, IO_TRIM) == 0) /* absent: false */
		note_add(notes, NOTE_DISCARD, "%.0f discards a second that are not of the job",
			 rate);
}

const struct caveat caveat_discard = {
	.id = NOTE_DISCARD,
	.is_disqualifying = true,
	.check = check,
};
