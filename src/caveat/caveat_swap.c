/* SPDX-License-Identifier: GPL-2.0-or-later */
/* swap: memory was short. Paging shares the disks and takes the page cache away. */
#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"

/* One page a second is the smallest rate of somebody who is waiting for memory. */
#define MIN_PAGING_KIB_PER_SEC 4.0
#define MIN_PAGING_KIB 64.0 /* in all: a page or two of somebody who wakes up are no want */
/* Pages that a long-running system put away once and never missed are no sign of want. */
#define MAX_SHARE_IN_USE 0.05

static void check(const struct result *result, struct note_list *notes)
{
	double in = evidence_seen(result, "vmstat.swap.si");
	double out = evidence_seen(result, "vmstat.swap.so");
	double used_kib = evidence_seen(result, "vmstat.memory.swpd");
	double memory_kib = evidence_seen(result, "meminfo.MemTotal");

	if (in + out >= MIN_PAGING_KIB_PER_SEC &&
	    (in + out) * evidence_seconds(result) >= MIN_PAGING_KIB)
		note_add(notes, NOTE_SWAP, "the machine was paging: %.0f KiB/s in, %.0f KiB/s out",
			 in, out);
	else if (used_kib >= MAX_SHARE_IN_USE * memory_kib)
		note_add(notes, NOTE_SWAP, "%.0f MiB of swap are in use, memory has been short",
			 used_kib / 1024);
}

const struct caveat caveat_swap = {
	.id = NOTE_SWAP,
	.is_disqualifying = true,
	.check = check,
};
