/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENV_STACK_H
#define REGIO_ENV_STACK_H

/*
 * Private to src/env: the walk from the files of a job down to the disks. Each filesystem and each
 * disk is told once, however many lie on it. A node has a name, "fs.1" or "disk.sda", which is also
 * the front of its keys.
 */

#include "base/cleanup.h"
#include "env/facts.h"
#include "host/mountinfo.h"
#include "host/name_list.h"

struct stack {
	struct facts *facts;
	char *sys_root;
	struct mount_table mounts;    /* read when the first file is looked at */
	struct name_list filesystems; /* by "DEVICE MOUNT POINT"; their order is the number */
	struct name_list disks;
	struct name_list modules;
	unsigned depth; /* of the walk: a loop device on a loop device .. */
};

void stack_release(struct stack *stack);
CLEANUP_DEFINE(stack, struct stack, stack_release)

/* Adds what lies under a path, and the names of the nodes at the top of it to nodes. */
void stack_add_path(struct stack *stack, const char *path, struct name_list *nodes);
/* The same for a whole disk by its kernel name. */
void stack_add_disk(struct stack *stack, const char *name, struct name_list *nodes);
/* For a block device by its path, as in a mount table; nothing if it is none. */
void stack_add_device(struct stack *stack, const char *path, struct name_list *nodes);
/* NODE.on = the names. */
void stack_add_on(struct stack *stack, const char *node, const struct name_list *nodes);

/* ---- stack_fs.c ---- */

void stack_add_filesystem_of(struct stack *stack, const char *path, struct name_list *nodes);

/* ---- stack_disk.c ---- */

/* What there is to know of the disk itself: disk.NAME.* */
void stack_add_disk_facts(struct stack *stack, const char *name, const char *folder);

#endif
