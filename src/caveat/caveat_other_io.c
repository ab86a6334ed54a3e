/* SPDX-License-Identifier: GPL-2.0-or-later */
/* other_io: somebody else reads or writes the disks that are measured. */
#include <math.h>

#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"
#include "model/result.h"

/* Of the bytes at the disk. Half of the smallest change that is looked for by default (5 %), so
 * that others can neither make nor hide one. */
#define MAX_SHARE 0.025
/* Less than a page of a file every 16 ms is the noise of a living system (times of last access, a
 * log), whatever share of a slow job it is. */
#define MIN_KIB_PER_SEC 256.0
#define MIN_KIB 256.0 /* in all: a single access may fall into a short run */
/* Of a machine on which nothing is measured. */
#define MAX_IDLE_IOS_PER_SEC 5.0

struct traffic {
	double device, own; /* KiB/s */
};

/* The device, and what the process had to fetch or to write itself by the accounting of the kernel:
 * getrusage(2) counts 512 bytes. Whose work writeback and journals are it does not know. */
static bool traffic_read(const struct result *result, const char *device_column,
			 const char *own_metric, struct traffic *ret)
{
	ret->device = evidence_disks_seen(result, device_column);
	ret->own = evidence_seen(result, own_metric) / 2 / evidence_seconds(result);
	return !isnan(ret->device) && !isnan(ret->own);
}

static void check_load(const struct result *result, struct note_list *notes)
{
	struct traffic reads, writes;
	double others = 0, all;

	if (!traffic_read(result, "rkB/s", "time.file_system_inputs", &reads) ||
	    !traffic_read(result, "wkB/s", "time.file_system_outputs", &writes))
		return;
	/* a job that reads, but nothing at the disk: no accounting, or all from memory */
	if (evidence_ios(result, IO_READ) == 0 || reads.own > 0)
		others += fmax(reads.device - reads.own, 0);
	/* journals and metadata are written for a job that writes, too */
	if (evidence_ios(result, IO_WRITE) == 0 && evidence_ios(result, IO_TRIM) == 0)
		others += fmax(writes.device - writes.own, 0);
	all = reads.device + writes.device;
	if (others < MIN_KIB_PER_SEC || others * evidence_seconds(result) < MIN_KIB ||
	    others < MAX_SHARE * all)
		return;
	note_add(notes, NOTE_OTHER_IO,
		 "%.0f %% of the bytes at the disk were not of this job: %.0f of %.0f KiB/s",
		 100 * others / all, others, all);
}

static void check_idle(const struct result *result, struct note_list *notes)
{
	double reads = evidence_disks_seen(result, "r/s");
	double writes = evidence_disks_seen(result, "w/s");

	if (isnan(reads) || isnan(writes) || reads + writes < MAX_IDLE_IOS_PER_SEC)
		return;
	note_add(
		notes, NOTE_OTHER_IO,
		"the disk is in use while nothing is measured: %.0f reads and %.0f writes a second",
		reads, writes);
}

static void check(const struct result *result, struct note_list *notes)
{
	if (result->command)
		return; /* its processes are not counted as ours */
	if (evidence_has_load(result))
		check_load(result, notes);
	else
		check_idle(result, notes);
}

const struct caveat caveat_other_io = {
	.id = NOTE_OTHER_IO,
	.is_disqualifying = true,
	.check = check,
};
