/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_MOUNTS_H
#define REGIO_HOST_MOUNTS_H

/* What is mounted, and what is swapped on, from the kernel's own tables. */

#include <sys/types.h>

struct name_list;

/*
 * Adds the block devices ("/dev/sda") of the filesystem that holds path: for filesystems such as
 * btrfs, whose files carry a device number that is no block device. All members of a btrfs.
 */
void mounts_add_sources(const char *sys_root, const char *path, struct name_list *sources);

/* Adds every place where that device is mounted in this mount namespace. */
void mounts_add_targets(dev_t dev, struct name_list *targets);

/* The same for the mount namespaces of all other processes that we may look at, as
 * "/mnt in the mount namespace of process 123". Slow: reads a table per namespace. */
void mounts_add_targets_elsewhere(dev_t dev, struct name_list *targets);

/* Adds the paths of the swap areas in use, devices and files. */
void mounts_add_swaps(struct name_list *paths);

#endif
