/* SPDX-License-Identifier: GPL-2.0-or-later */
/* page_cache: the reads that were counted never came to the disk. */
#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"

/* Where half of the bytes came from memory, memory decides the numbers. */
#define MIN_SHARE_FROM_DISK 0.5
#define MIN_BYTES (1U << 20) /* else a few blocks that were just written decide */

static void check(const struct result *result, struct note_list *notes)
{
	double read = (double)evidence_bytes(result, IO_READ);
	char read_text[EVIDENCE_TEXT_LEN], device_text[EVIDENCE_TEXT_LEN];
	uint64_t device;

	if (read < MIN_BYTES || !evidence_device_bytes(result, IO_READ, &device) ||
	    (double)device >= MIN_SHARE_FROM_DISK * read)
		return;
	note_add(
		notes, NOTE_PAGE_CACHE,
		"the job read %s, but only %s (%.0f %%) came from the disk: the rest from the page "
		"cache, or out of holes in a sparse file",
		evidence_size(read, read_text), evidence_size((double)device, device_text),
		100 * (double)device / read);
}

const struct caveat caveat_page_cache = {
	.id = NOTE_PAGE_CACHE,
	.is_disqualifying = true,
	.check = check,
};
