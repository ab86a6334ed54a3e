/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_json_disk: "disk_util" of fio's JSON. */
#include "import/fio_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define SECTOR_BYTES 512 /* in which sysfs counts, whatever the device has */

#define MAX_DISKS 10000

enum { NR_NUMBERS = 20 };

struct disk {
	char *name;
	char *host; /* of a server, NULL without one */
	struct fio_number numbers[NR_NUMBERS];
};

struct disk_list VEC_BODY(struct disk);

/* The metric that each number becomes. */
static const struct {
	const char *rest;
	double unit;
} metrics[NR_NUMBERS] = {
	{ "read_ios", 1 },
	{ "write_ios", 1 },
	{ "read_bytes", SECTOR_BYTES },
	{ "write_bytes", SECTOR_BYTES },
	{ "read_merges", 1 },
	{ "write_merges", 1 },
	{ "read_ticks_ms", 1 },
	{ "write_ticks_ms", 1 },
	{ "in_queue_ms", 1 },
	{ "util_percent", 1 },
	{ "aggr_read_ios", 1 },
	{ "aggr_write_ios", 1 },
	{ "aggr_read_bytes", SECTOR_BYTES },
	{ "aggr_write_bytes", SECTOR_BYTES },
	{ "aggr_read_merges", 1 },
	{ "aggr_write_merges", 1 },
	{ "aggr_read_ticks_ms", 1 },
	{ "aggr_write_ticks_ms", 1 },
	{ "aggr_in_queue_ms", 1 },
	{ "aggr_util_percent", 1 },
};

static bool read_text(struct fio_json *json, void *into, const struct fio_member *member)
{
	char **text = (char **)((char *)into + member->offset);

	free(*text);
	*text = fio_json_take_text(json);
	return fio_json_pass(json);
}

#define NUMBER(key, index)                                                                         \
	{                                                                                          \
		key, fio_json_number, offsetof(struct disk, numbers[index])                        \
	}

static const struct fio_member rows[] = {
	{ "name", read_text, offsetof(struct disk, name) },
	NUMBER("read_ios", 0),
	NUMBER("write_ios", 1),
	NUMBER("read_sectors", 2),
	NUMBER("write_sectors", 3),
	NUMBER("read_merges", 4),
	NUMBER("write_merges", 5),
	NUMBER("read_ticks", 6),
	NUMBER("write_ticks", 7),
	NUMBER("in_queue", 8),
	NUMBER("util", 9),
	NUMBER("aggr_read_ios", 10),
	NUMBER("aggr_write_ios", 11),
	NUMBER("aggr_read_sectors", 12),
	NUMBER("aggr_write_sectors", 13),
	NUMBER("aggr_read_merges", 14),
	NUMBER("aggr_write_merge", 15), /* so it is spelled */
	NUMBER("aggr_read_ticks", 16),
	NUMBER("aggr_write_ticks", 17),
	NUMBER("aggr_in_queue", 18),
	NUMBER("aggr_util", 19),
	{ "hostname", read_text, offsetof(struct disk, host) },
};

/* With several servers a name alone says too little. */
static bool has_several_hosts(const struct disk_list *disks)
{
	const char *first = NULL;

	for (size_t i = 0; i < disks->nr; i++) {
		const char *host = disks->items[i].host;

		if (host && first && strcmp(host, first) != 0)
			return true;
		first = first ? first : host;
	}
	return false;
}

static void set_disk(struct given_list *given, const struct disk *disk, bool needs_host)
{
	CLEANUP(free) char *prefix = NULL;

	if (!disk->name || !*disk->name)
		return;
	prefix = needs_host && disk->host ? xasprintf("disk.%s:%s", disk->host, disk->name)
					  : xasprintf("disk.%s", disk->name);
	for (size_t i = 0; i < NR_NUMBERS; i++) {
		CLEANUP(free) char *name = NULL;

		if (!disk->numbers[i].line)
			continue;
		name = xasprintf("%s.%s", prefix, metrics[i].rest);
		if (strlen(name) < FIO_GIVEN_NAME_LEN)
			(void)given_set(given, name, disk->numbers[i].value * metrics[i].unit,
					disk->numbers[i].line);
	}
}

static bool read_disks(struct fio_json *json, struct disk_list *disks)
{
	static const struct fio_members members = FIO_MEMBERS(rows);

	while (fio_json_next(json) && json->event != JSON_CLOSE) {
		bool is_whole;

		if (json->event != JSON_OBJECT || disks->nr == MAX_DISKS) {
			if (!fio_json_pass(json))
				return false;
			continue;
		}
		vec_push(disks, (struct disk){ .name = NULL });
		is_whole = fio_json_members(json, &members, vec_last(disks));
		if (!is_whole)
			return false;
	}
	return json->event == JSON_CLOSE;
}

bool fio_json_read_disks(struct fio_json *json, void *into, const struct fio_member *member)
{
	struct disk_list disks = VEC_INIT;
	bool is_whole, needs_host;

	(void)into;
	(void)member;
	if (json->event != JSON_ARRAY)
		return fio_json_pass(json);
	is_whole = read_disks(json, &disks);
	needs_host = has_several_hosts(&disks);
	VEC_FOREACH (&disks, disk) {
		set_disk(&json->doc.result.given, disk, needs_host);
		free(disk->name);
		free(disk->host);
	}
	vec_release(&disks);
	return is_whole;
}
