/* SPDX-License-Identifier: GPL-2.0-or-later */
/* diskstat: what each disk did during a trial. Sums over the slaves of a master are left to the
 * output. Read once before and once after: sampling, as fio does, misses short jobs. */
#include "host/diskstat.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "host/device.h"
#include "host/sysblock.h"
#include "model/block_stat.h"
#include "model/result.h"
#include "stats/counter.h"

static int diskstat_read_one(const char *name, const char *sys_root, struct diskstat_counts *counts,
			     struct err *err)
{
	CLEANUP(free) char *folder = sysblock_disk_folder(sys_root, name);
	CLEANUP(free) char *text = folder ? sysblock_attribute(folder, "stat") : NULL;
	uint64_t fields[BLOCK_STAT_NR_FIELDS];

	if (!text)
		return err_set(err, ERR_SYSTEM, "the counters of block device '%s' cannot be read",
			       name);
	if (block_stat_parse(text, fields) == 0)
		return err_set(err, ERR_SYSTEM, "block device '%s' has odd counters: '%.80s'", name,
			       text);
	*counts = (struct diskstat_counts){
		.ios = { fields[BLOCK_STAT_READ_IOS], fields[BLOCK_STAT_WRITE_IOS] },
		.merges = { fields[BLOCK_STAT_READ_MERGES], fields[BLOCK_STAT_WRITE_MERGES] },
		.sectors = { fields[BLOCK_STAT_READ_SECTORS], fields[BLOCK_STAT_WRITE_SECTORS] },
		.ticks_ms = { fields[BLOCK_STAT_READ_TICKS], fields[BLOCK_STAT_WRITE_TICKS] },
		.io_ticks_ms = fields[BLOCK_STAT_IO_TICKS],
		.in_queue_ms = fields[BLOCK_STAT_IN_QUEUE],
		.taken_ns = clock_now_ns(),
	};
	return 0;
}

int diskstat_read(const struct device_list *list, const char *sys_root,
		  struct diskstat_counts *ret_counts, struct err *err)
{
	CLEANUP(free) struct diskstat_counts *counts = xcalloc(list->nr + 1, sizeof(*counts));

	for (size_t i = 0; i < list->nr; i++) {
		int ret = diskstat_read_one(list->items[i].name, sys_root, &counts[i], err);

		if (ret < 0)
			return ret;
	}
	for (size_t i = 0; i < list->nr; i++)
		ret_counts[i] = counts[i];
	return 0;
}

/* Of another device that took its place meanwhile nothing is known. */
static uint64_t difference(uint64_t before, uint64_t after)
{
	uint64_t delta;

	return counter_delta(before, after, &delta) ? delta : 0;
}

void diskstat_add(struct result *result, const struct device_list *list,
		  const struct diskstat_counts *before, const struct diskstat_counts *after)
{
	size_t first = result->nr_disks;

	for (size_t i = 0; i < list->nr; i++) {
		const struct block_device *device = &list->items[i];
		int parent = device->parent < 0 ? -1 : (int)first + device->parent;
		struct disk_result *disk = result_add_disk(result, device->name, parent);

		for (size_t dir = 0; dir < 2; dir++) {
			disk->ios[dir] = difference(before[i].ios[dir], after[i].ios[dir]);
			disk->merges[dir] = difference(before[i].merges[dir], after[i].merges[dir]);
			disk->sectors[dir] =
				difference(before[i].sectors[dir], after[i].sectors[dir]);
			disk->ticks_ms[dir] =
				difference(before[i].ticks_ms[dir], after[i].ticks_ms[dir]);
		}
		disk->in_queue_ms = difference(before[i].in_queue_ms, after[i].in_queue_ms);
		disk->io_ticks_ms = difference(before[i].io_ticks_ms, after[i].io_ticks_ms);
		disk->wall_ms = (after[i].taken_ns - before[i].taken_ns) / 1000000;
	}
}
