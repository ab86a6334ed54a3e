/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_SYSBLOCK_H
#define REGIO_HOST_SYSBLOCK_H

/*
 * The facts of sysfs about one block device that both device.c and the guard need. A "folder" is
 * the resolved sysfs path of a disk or partition (/sys/devices/../sda/sda1). Strings are new and
 * the caller frees them. sys_root NULL means /sys.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct name_list;

/* Of a device number; NULL when the kernel has no such block device. */
char *sysblock_folder(const char *sys_root, dev_t dev);
/* Of a whole disk by its kernel name ("sda"); NULL when there is none. */
char *sysblock_disk_folder(const char *sys_root, const char *name);

bool sysblock_is_partition(const char *folder);
/* The folder itself, or for a partition the one of its disk. */
char *sysblock_whole_folder(const char *folder);
/* Last part of the folder: the kernel name. Borrowed. */
const char *sysblock_name(const char *folder);
/* 0 where the device has no number (paths of NVMe multipath). */
dev_t sysblock_dev(const char *folder);
/* Folders of the partitions of a disk. */
void sysblock_add_partitions(const char *folder, struct name_list *folders);

/*
 * Names of the whole disks directly below a disk: slaves/ (dm, md, bcache; a partition counts as
 * its disk), and for the head of an NVMe multipath namespace nvmeXnZ its paths nvmeXcYnZ, which
 * the kernel shows as hidden disks without a device number.
 */
void sysblock_add_children(const char *sys_root, const char *name, struct name_list *names);

/* First line of an attribute of that folder, NULL when it cannot be read. */
char *sysblock_attribute(const char *folder, const char *attribute);

/*
 * True if requests are queued and scheduled by this disk itself. False for bio-based drivers (dm
 * targets other than request-based multipath, md, zram, NVMe multipath heads), which pass bios on.
 */
bool sysblock_has_queue(const char *folder);

#endif
