/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_GUARD_USE_H
#define REGIO_HOST_GUARD_USE_H

/* Who uses a block device, as far as the kernel's tables say. */

#include <stdbool.h>
#include <sys/types.h>

struct strbuf;

/*
 * Appends every use that writing to the device would disturb, joined by ", ": it or one of its
 * partitions is mounted, swapped on, held by dm or md, or lies under a loop device. For a
 * partition its disk counts, its neighbours do not; for a loop device what its backing file is.
 */
void guard_use_describe(dev_t dev, struct strbuf *out);

/* Appends where the device is mounted in mount namespaces of other processes. */
void guard_use_describe_elsewhere(dev_t dev, struct strbuf *out);

/* True if both numbers are of one disk or its partitions. */
bool guard_use_same_disk(dev_t a, dev_t b);

/* Regular files that the kernel uses as if they were devices: swap files, files under loop
 * devices. Zero is empty. */
struct guard_use_file {
	dev_t dev;
	ino_t ino;
	char *use; /* "backs /dev/loop3" */
};

struct guard_use_files {
	struct guard_use_file *items;
	size_t nr;
};

void guard_use_files_collect(struct guard_use_files *files);
void guard_use_files_release(struct guard_use_files *files);

#endif
