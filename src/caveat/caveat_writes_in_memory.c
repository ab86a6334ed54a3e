/* SPDX-License-Identifier: GPL-2.0-or-later */
/* writes_in_memory: the writes that were counted had not come to the disk when the job ended. */
#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"

#define MIN_SHARE_ON_DISK 0.5 /* else memory decides the numbers */
#define MIN_BYTES (1U << 20)

static void check(const struct result *result, struct note_list *notes)
{
	double written = (double)evidence_bytes(result, IO_WRITE);
	char written_text[EVIDENCE_TEXT_LEN], device_text[EVIDENCE_TEXT_LEN];
	uint64_t device;

	if (written < MIN_BYTES || !evidence_device_bytes(result, IO_WRITE, &device) ||
	    (double)device >= MIN_SHARE_ON_DISK * written)
		return;
	note_add(notes, NOTE_WRITES_IN_MEMORY,
		 "the job wrote %s, of which %s (%.0f %%) had come to the disk when it ended",
		 evidence_size(written, written_text), evidence_size((double)device, device_text),
		 100 * (double)device / written);
}

const struct caveat caveat_writes_in_memory = {
	.id = NOTE_WRITES_IN_MEMORY,
	.is_disqualifying = true,
	.check = check,
};
