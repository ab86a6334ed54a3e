/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENV_WALK_H
#define REGIO_ENV_WALK_H

/*
 * Private to src/env: the walk from the files of a job down to the disks. Each filesystem and each
 * disk is told once, however many lie on it. A node has a name, "fs.1" or "disk.sda", which is also
 * the front of its keys.
 */

#include "base/cleanup.h"
#include "env/facts.h"
#include "host/mountinfo.h"
#include "host/name_list.h"

struct walk {
	struct facts *facts;
	char *sys_root;
	struct mount_table mounts;    /* read when the first file is looked at */
	struct name_list filesystems; /* by "DEVICE MOUNT POINT"; their order is the number */
	struct name_list disks;
	struct name_list modules;
	unsigned depth; /* of the walk: a loop device on a loop device .. */
};

void walk_release(struct walk *walk);
CLEANUP_DEFINE(walk, struct walk, walk_release)

/* Adds what lies under a path, and the names of the nodes at the top of it to nodes. */
void walk_add_path(struct walk *walk, const char *path, struct name_list *nodes);
/* The same for a whole disk by its kernel name. */
void walk_add_disk(struct walk *walk, const char *name, struct name_list *nodes);
/* For a block device by its path, as in a mount table; nothing if it is none. */
void walk_add_device(struct walk *walk, const char *path, struct name_list *nodes);
/* NODE.on = the names. */
void walk_add_on(struct walk *walk, const char *node, const struct name_list *nodes);

/* ---- walk_fs.c ---- */

void walk_add_filesystem_of(struct walk *walk, const char *path, struct name_list *nodes);

/* ---- walk_disk.c ---- */

/* What there is to know of the disk itself: disk.NAME.* */
void walk_add_disk_facts(struct walk *walk, const char *name, const char *folder);

#endif
