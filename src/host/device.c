/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * device: the tree of block devices under the files of a job. What they can do is left to those
 * who ask: settings, disk statistics, the environment.
 *
 * The facts it stands on: a disk is its own blk-mq queue exactly when /sys/block/DEV/mq exists
 * (loop, SCSI, NVMe, request-based dm-multipath). Bio-based disks (dm linear and striped, md,
 * zram, heads of NVMe multipath) have a queue/ folder with limits, but schedule nothing:
 * queue/scheduler is absent (zram on 6.18) or "none" without brackets.
 */
#include "host/device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "host/mounts.h"
#include "host/name_list.h"
#include "host/sysblock.h"

#define DEVICE_MAX_DEPTH 16 /* of a stack; the kernel refuses far less */
#define DEVICE_MAX_LINKS 40 /* as the kernel when it follows symbolic links */

static int device_list_find(const struct device_list *list, const char *name)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (!strcmp(list->items[i].name, name))
			return (int)i;
	}
	return -1;
}

/* A device that two masters share is listed once, under the first. */
static int device_list_add_disk(struct device_list *list, const char *sys_root, const char *name,
				int parent, unsigned depth, struct err *err)
{
	CLEANUP(name_list) struct name_list children = NAME_LIST_INIT;
	CLEANUP(free) char *folder = sysblock_disk_folder(sys_root, name);
	int index = (int)list->nr;

	if (!folder || device_list_find(list, name) >= 0)
		return 0;
	if (depth > DEVICE_MAX_DEPTH)
		return err_set(err, ERR_SYSTEM, "block device '%s' is stacked more than %d deep",
			       name, DEVICE_MAX_DEPTH);

	sysblock_add_children(sys_root, name, &children);
	list->items = xreallocarray(list->items, list->nr + 1, sizeof(*list->items));
	list->items[list->nr++] = (struct block_device){
		.name = xstrdup(name),
		.dev = sysblock_dev(folder),
		.parent = parent,
		.is_leaf = children.nr == 0,
	};
	for (size_t i = 0; i < children.nr; i++) {
		int ret = device_list_add_disk(list, sys_root, children.items[i], index, depth + 1,
					       err);

		if (ret < 0)
			return ret;
	}
	return 0;
}

int device_list_add_dev(struct device_list *list, const char *sys_root, dev_t dev, struct err *err)
{
	CLEANUP(free) char *folder = sysblock_folder(sys_root, dev);
	CLEANUP(free) char *whole = NULL;

	if (!folder)
		return 0;
	whole = sysblock_whole_folder(folder);
	return device_list_add_disk(list, sys_root, sysblock_name(whole), -1, 0, err);
}

/* The folder part of path: "a/b" -> "a", "/a" -> "/", "a" -> ".". */
static char *parent_of(const char *path)
{
	size_t len = strlen(path);

	while (len > 1 && path[len - 1] == '/')
		len--;
	while (len > 0 && path[len - 1] != '/')
		len--;
	if (len == 0)
		return xstrdup(".");
	while (len > 1 && path[len - 1] == '/')
		len--;
	return xstrndup(path, len);
}

/* Where a link leads whose target does not exist: creating it would create that target. */
static char *follow_dangling(const char *path)
{
	char target[4096];
	ssize_t len = readlink(path, target, sizeof(target) - 1);
	CLEANUP(free) char *folder = NULL;

	if (len < 0)
		return NULL;
	target[len] = '\0';
	if (target[0] == '/')
		return xstrdup(target);
	folder = parent_of(path);
	return xasprintf("%s/%s", folder, target);
}

/* stat of path or, while that does not exist, of what it would be created in. */
static int stat_nearest(const char *path, struct stat *ret_st, char **ret_path, struct err *err)
{
	CLEANUP(free) char *at = xstrdup(path);
	unsigned nr_links = 0;

	while (stat(at, ret_st) < 0) {
		char *next = NULL;

		if (errno != ENOENT && errno != ENOTDIR)
			return err_set_errno(err, "stat %s", at);
		if (nr_links++ < DEVICE_MAX_LINKS)
			next = follow_dangling(at);
		if (!next)
			next = parent_of(at);
		if (!strcmp(next, at)) {
			free(next);
			return err_set_errno(err, "stat %s", at);
		}
		free(at);
		at = next;
	}
	*ret_path = ptr_take(at);
	return 0;
}

static int add_mount_sources(struct device_list *list, const char *sys_root, const char *path,
			     struct err *err)
{
	CLEANUP(name_list) struct name_list sources = NAME_LIST_INIT;

	mounts_add_sources(sys_root, path, &sources);
	for (size_t i = 0; i < sources.nr; i++) {
		struct stat st;
		int ret;

		if (stat(sources.items[i], &st) < 0 || !S_ISBLK(st.st_mode))
			continue;
		ret = device_list_add_dev(list, sys_root, st.st_rdev, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

int device_list_add_path(struct device_list *list, const char *sys_root, const char *path,
			 struct err *err)
{
	CLEANUP(free) char *nearest = NULL;
	struct stat st;
	int ret = stat_nearest(path, &st, &nearest, err);

	if (ret < 0)
		return ret;
	if (S_ISBLK(st.st_mode))
		ret = device_list_add_dev(list, sys_root, st.st_rdev, err);
	else if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return 0;
	else if (major(st.st_dev) == 0)
		ret = add_mount_sources(list, sys_root, nearest, err);
	else
		ret = device_list_add_dev(list, sys_root, st.st_dev, err);
	return ret < 0 ? err_prefix(err, "%s", path) : 0;
}

void device_list_release(struct device_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->items[i].name);
	free(list->items);
	*list = (struct device_list){ .items = NULL };
}

static void add_owners(const char *sys_root, const char *name, unsigned depth,
		       struct name_list *owners)
{
	CLEANUP(name_list) struct name_list children = NAME_LIST_INIT;
	CLEANUP(free) char *folder = sysblock_disk_folder(sys_root, name);

	sysblock_add_children(sys_root, name, &children);
	if (!folder || children.nr == 0 || depth > DEVICE_MAX_DEPTH || sysblock_has_queue(folder)) {
		name_list_add(owners, name);
		return;
	}
	for (size_t i = 0; i < children.nr; i++)
		add_owners(sys_root, children.items[i], depth + 1, owners);
}

int device_list_queue_owners(const struct device_list *list, const char *sys_root,
			     size_t **ret_indices, size_t *ret_nr, struct err *err)
{
	CLEANUP(name_list) struct name_list owners = NAME_LIST_INIT;
	CLEANUP(free) size_t *indices = NULL;

	for (size_t i = 0; i < list->nr; i++) {
		if (list->items[i].parent < 0)
			add_owners(sys_root, list->items[i].name, 0, &owners);
	}
	indices = xcalloc(owners.nr + 1, sizeof(*indices));
	for (size_t i = 0; i < owners.nr; i++) {
		int index = device_list_find(list, owners.items[i]);

		if (index < 0)
			return err_set(err, ERR_SYSTEM, "block device '%s' appeared meanwhile",
				       owners.items[i]);
		indices[i] = (size_t)index;
	}
	*ret_nr = owners.nr;
	*ret_indices = ptr_take(indices);
	return 0;
}
