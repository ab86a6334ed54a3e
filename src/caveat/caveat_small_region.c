/* SPDX-License-Identifier: GPL-2.0-or-later */
/* small_region: what the job covers fits into a cache, so the medium is not what is measured. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"
#include "model/result.h"

/* Hard disks are sold with 64 to 512 MiB of cache; 256 MiB is that of most of today's. */
#define DISK_CACHE_BYTES (UINT64_C(256) << 20)

static uint64_t fact_bytes(const struct result *result, const char *key)
{
	const char *text = evidence_fact(result, key);

	return text ? strtoull(text, NULL, 10) : 0;
}

/* A loop device that reads its file through the page cache, and would fit there. */
static bool check_loop(const struct result *result, const struct result_pair *fact,
		       struct note_list *notes)
{
	CLEANUP(free) char *name = evidence_disk_of(fact->key, ".loop.direct_io");
	CLEANUP(free) char *key = name ? xasprintf("disk.%s.size_bytes", name) : NULL;
	uint64_t memory_bytes = fact_bytes(result, "memory.total_bytes");
	uint64_t size_bytes = key ? fact_bytes(result, key) : 0;

	if (!name || strcmp(fact->value, "0") != 0 || size_bytes == 0 || size_bytes > memory_bytes)
		return false;
	note_add(notes, NOTE_SMALL_REGION,
		 "%s keeps its file in the page cache of this machine: its speed is that of memory",
		 name);
	return true;
}

static uint64_t region_bytes(const struct result *result)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < result->nr_jobs; i++)
		sum += result->jobs[i].region_bytes;
	return sum;
}

/* Reads that come again from a disk with a cache larger than all they cover. */
static void check_disk(const struct result *result, const struct result_pair *fact,
		       struct note_list *notes)
{
	CLEANUP(free) char *name = evidence_disk_of(fact->key, ".queue.rotational");
	CLEANUP(free) char *key = name ? xasprintf("disk.%s.kind", name) : NULL;
	const char *kind = key ? evidence_fact(result, key) : NULL;
	uint64_t covered = region_bytes(result);
	char text[EVIDENCE_TEXT_LEN];

	/* what only pretends to rotate has no such cache */
	if (!kind || strcmp(kind, "scsi") != 0 || strcmp(fact->value, "1") != 0)
		return;
	if (covered == 0 || covered >= DISK_CACHE_BYTES ||
	    evidence_bytes(result, IO_READ) < 2 * covered)
		return;
	note_add(notes, NOTE_SMALL_REGION,
		 "the jobs read %s again and again, which fits into the cache of disk %s",
		 evidence_size((double)covered, text), name);
}

static void check(const struct result *result, struct note_list *notes)
{
	for (size_t i = 0; i < result->nr_env; i++) {
		if (!result->env[i].value || check_loop(result, &result->env[i], notes))
			continue;
		check_disk(result, &result->env[i], notes);
	}
}

const struct caveat caveat_small_region = { .id = NOTE_SMALL_REGION, .check = check };
