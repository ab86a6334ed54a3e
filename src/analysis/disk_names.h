/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_DISK_NAMES_H
#define REGIO_ANALYSIS_DISK_NAMES_H

/*
 * Private to src/analysis: disks that are called loop0 on one side and loop3 on the other, sda and
 * nvme0n1, and stand at the same place of the stack. Names that both sides have are no matter.
 */

#include <stddef.h>

#include "base/cleanup.h"

struct result_pair;

struct disk_name_pair {
	char *base, *new; /* "loop0", "loop3" */
};

struct disk_names {
	struct disk_name_pair *items;
	size_t nr;
};

/* Matches the names that only one side has, in the order in which they come. */
void disk_names_match(struct disk_names *names, const struct result_pair *base, size_t nr_base,
		      const struct result_pair *new, size_t nr_new);
/* The key with the name that the disk has in the base: "disk.loop3.kind" -> "disk.loop0.kind".
 * Caller frees. */
char *disk_names_key(const struct disk_names *names, const char *key);
/* The value of a fact; of those that name disks ("fs.1.on") with the names of the base. */
char *disk_names_value(const struct disk_names *names, const char *key, const char *value);

void disk_names_release(struct disk_names *names);
CLEANUP_DEFINE(disk_names, struct disk_names, disk_names_release)

#endif
