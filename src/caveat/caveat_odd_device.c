/* SPDX-License-Identifier: GPL-2.0-or-later */
/* odd_device: disks whose speed depends on what was written to them before, or on the data. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"
#include "model/result.h"

/* A fact and the text in its value that shows it. */
static const struct {
	const char *suffix; /* of disk.NAME.* */
	const char *value;  /* part of it */
	const char *what;
} rows[] = {
	{ ".queue.zoned", "host-", "is a zoned disk (SMR, ZNS), which writes in order only" },
	{ ".dm.table", " thin ", "is thinly provisioned: the first write of a block allocates it" },
	{ ".dm.table", " vdo ", "compresses and deduplicates" },
	{ ".dm.table", " snapshot", "is a snapshot: the first write of a block copies it" },
	{ ".zram.algorithm", "", "is memory, compressed" },
	{ ".kind", "zram", "is memory, compressed" },
};

static void check_disk_fact(const struct result_pair *fact, struct note_list *notes)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		CLEANUP(free) char *name = evidence_disk_of(fact->key, rows[i].suffix);

		if (name && strstr(fact->value, rows[i].value))
			note_add(notes, NOTE_ODD_DEVICE, "%s %s", name, rows[i].what);
	}
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && !strcmp(text + len - end_len, end);
}

/* compress=zstd, compress-force, compress_algorithm=lz4; but not compress=no */
static void check_options(const struct result_pair *fact, struct note_list *notes)
{
	const char *at = strstr(fact->value, "compress");
	int len = at ? (int)strcspn(at, ",") : 0;
	const char *value = at ? memchr(at, '=', (size_t)len) : NULL;

	if (!at || (value && (!strncmp(value, "=no", 3) || !strncmp(value, "=off", 4))))
		return;
	note_add(notes, NOTE_ODD_DEVICE, "the filesystem compresses: %.*s", len, at);
}

static void check(const struct result *result, struct note_list *notes)
{
	for (size_t i = 0; i < result->nr_env; i++) {
		const struct result_pair *fact = &result->env[i];

		if (!fact->value)
			continue;
		if (!strncmp(fact->key, "disk.", 5))
			check_disk_fact(fact, notes);
		else if (!strncmp(fact->key, "fs.", 3) && ends_with(fact->key, ".options"))
			check_options(fact, notes);
	}
}

const struct caveat caveat_odd_device = { .id = NOTE_ODD_DEVICE, .check = check };
