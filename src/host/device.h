/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_DEVICE_H
#define REGIO_HOST_DEVICE_H

/*
 * Which block devices lie under a path, from sysfs. The sysfs root is a parameter so that
 * tests can plant a tree; NULL means /sys.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct err;

struct block_device {
	char *name;   /* whole-disk kernel name as in /sys/block: "sda", "dm-0", "loop3" */
	dev_t dev;    /* of the disk; 0 for a path of NVMe multipath, which has none */
	int parent;   /* index of the (first) master above it, -1 = directly under the files */
	bool is_leaf; /* nothing below it in slaves/ */
};

struct device_list {
	struct block_device *items;
	size_t nr;
};

/*
 * Adds the device under path and everything below it (slaves/, recursively; a partition
 * counts as its disk; a file as the device of its filesystem, btrfs and other anonymous
 * devices through the mount table). A loop device is the end: the device below its backing
 * file is not added. Nothing is added for tmpfs, overlay, pipes. A path that does not exist
 * yet stands for its nearest existing parent folder. Each device is listed once.
 */
int device_list_add_path(struct device_list *list, const char *sys_root, const char *path,
			 struct err *err);
/* The same for a device number of a disk or partition. Nothing is added for one that sysfs does
 * not show, as in a container. */
int device_list_add_dev(struct device_list *list, const char *sys_root, dev_t dev, struct err *err);
void device_list_release(struct device_list *list);

/*
 * Where queue.ATTR belongs: the device itself, or the devices below it when it is a
 * bio-based dm or md device that has no queue of its own. Indices into list; caller frees.
 */
int device_list_queue_owners(const struct device_list *list, const char *sys_root,
			     size_t **ret_indices, size_t *ret_nr, struct err *err);

#endif
