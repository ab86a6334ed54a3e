/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_MOUNTINFO_H
#define REGIO_HOST_MOUNTINFO_H

/*
 * The kernel's table of mounts, /proc/PID/mountinfo, form as in proc(5). libmount reads it too,
 * but there is no static libmount for the program that runs inside a guest.
 */

#include <sys/types.h>

#include "base/cleanup.h"

struct mount {
	dev_t dev;		/* st_dev of its files; anonymous (major 0) for btrfs and others */
	const char *target;	/* where it is mounted, octal escapes undone */
	const char *type;	/* "ext4" */
	const char *source;	/* "/dev/sda1", "tmpfs" */
	const char *options;	/* of the mount, "rw,noatime" */
	const char *fs_options; /* of the filesystem, "rw,errors=remount-ro" */
};

/* In the order of the table: of two on one target the later one hides the other. */
struct mount_table {
	struct mount *items; /* the strings stand in text */
	size_t nr;
	char *text;
};

/* An unreadable table is empty; lines of another form are left out. */
void mount_table_read(const char *path, struct mount_table *ret_table);
void mount_table_release(struct mount_table *table);
CLEANUP_DEFINE(mount_table, struct mount_table, mount_table_release)

/* The visible mount whose target is exactly `target` without a final slash, or NULL. */
const struct mount *mount_table_find(const struct mount_table *table, const char *target);

/* The mount that holds the absolute path: the one with the longest target above it, or NULL. */
const struct mount *mount_table_holding(const struct mount_table *table, const char *path);

/* Undoes the \ooo escapes of the kernel in place; other backslashes stay. */
void mount_unescape(char *text);

#endif
