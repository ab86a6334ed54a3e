/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mounts: looks devices up in the mount and swap tables. What follows from it is the guard's. */
#include "host/mounts.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "host/mountinfo.h"
#include "host/name_list.h"
#include "host/sysblock.h"

/* Device number of a block special file, 0 when path is none. */
static dev_t block_dev_of(const char *path)
{
	struct stat st;

	if (!path || stat(path, &st) < 0 || !S_ISBLK(st.st_mode))
		return 0;
	return st.st_rdev;
}

/* Other members of the btrfs that has a device of that name. */
static void add_btrfs_members(const char *sys_root, const char *name, struct name_list *sources)
{
	CLEANUP(free) char *root = xasprintf("%s/fs/btrfs", sys_root ? sys_root : "/sys");
	CLEANUP(name_list) struct name_list filesystems = NAME_LIST_INIT;

	name_list_add_folder(&filesystems, root);
	for (size_t i = 0; i < filesystems.nr; i++) {
		CLEANUP(free) char *folder = xasprintf("%s/%s/devices", root, filesystems.items[i]);
		CLEANUP(name_list) struct name_list members = NAME_LIST_INIT;

		name_list_add_folder(&members, folder);
		if (!name_list_has(&members, name))
			continue;
		for (size_t j = 0; j < members.nr; j++) {
			CLEANUP(free) char *path = xasprintf("/dev/%s", members.items[j]);

			name_list_add(sources, path);
		}
	}
}

/* The devices of one mounted filesystem; none for tmpfs, nfs, overlay. */
static void add_fs_sources(const char *sys_root, const struct mount *mount,
			   struct name_list *sources)
{
	CLEANUP(free) char *folder = NULL;
	dev_t dev = block_dev_of(mount->source);

	if (!dev)
		return;
	name_list_add(sources, mount->source);
	folder = sysblock_folder(sys_root, dev);
	if (folder && !strcmp(mount->type, "btrfs"))
		add_btrfs_members(sys_root, sysblock_name(folder), sources);
}

void mounts_add_sources(const char *sys_root, const char *path, struct name_list *sources)
{
	CLEANUP(mount_table) struct mount_table table = { .nr = 0 };
	CLEANUP(free) char *real = realpath(path, NULL);
	const struct mount *mount;

	if (!real)
		return;
	mount_table_read("/proc/self/mountinfo", &table);
	mount = mount_table_holding(&table, real);
	if (mount)
		add_fs_sources(sys_root, mount, sources);
}

static bool mount_is_on(const struct mount *mount, dev_t dev)
{
	CLEANUP(name_list) struct name_list sources = NAME_LIST_INIT;

	if (mount->dev == dev)
		return true;
	/* btrfs and others have an anonymous number; only the source names the device */
	if (major(mount->dev) != 0)
		return false;
	add_fs_sources(NULL, mount, &sources);
	for (size_t i = 0; i < sources.nr; i++) {
		if (block_dev_of(sources.items[i]) == dev)
			return true;
	}
	return false;
}

/* suffix is put after each mount point; "" for none. */
static void add_targets_of(const char *mountinfo, dev_t dev, const char *suffix,
			   struct name_list *targets)
{
	CLEANUP(mount_table) struct mount_table table = { .nr = 0 };

	mount_table_read(mountinfo, &table);
	for (size_t i = 0; i < table.nr; i++) {
		const struct mount *mount = &table.items[i];

		if (mount_is_on(mount, dev)) {
			CLEANUP(free) char *text = xasprintf("%s%s", mount->target, suffix);

			name_list_add(targets, text);
		}
	}
}

void mounts_add_targets(dev_t dev, struct name_list *targets)
{
	add_targets_of("/proc/self/mountinfo", dev, "", targets);
}

/* The identity of the mount namespace of a process ("self", "123"); false if it is not shown. */
static bool namespace_of(const char *process, char *buf, size_t len)
{
	CLEANUP(free) char *link = xasprintf("/proc/%s/ns/mnt", process);
	ssize_t got = readlink(link, buf, len - 1);

	if (got < 0)
		return false;
	buf[got] = '\0';
	return true;
}

void mounts_add_targets_elsewhere(dev_t dev, struct name_list *targets)
{
	CLEANUP(name_list) struct name_list processes = NAME_LIST_INIT;
	CLEANUP(name_list) struct name_list seen = NAME_LIST_INIT;
	char identity[64];

	if (namespace_of("self", identity, sizeof(identity)))
		name_list_add(&seen, identity);
	name_list_add_folder(&processes, "/proc");
	for (size_t i = 0; i < processes.nr; i++) {
		const char *process = processes.items[i];
		CLEANUP(free) char *mountinfo = NULL;
		CLEANUP(free) char *suffix = NULL;

		if (process[0] < '0' || process[0] > '9' ||
		    !namespace_of(process, identity, sizeof(identity)) ||
		    name_list_has(&seen, identity))
			continue;
		name_list_add(&seen, identity);
		mountinfo = xasprintf("/proc/%s/mountinfo", process);
		suffix = xasprintf(" in the mount namespace of process %s", process);
		add_targets_of(mountinfo, dev, suffix, targets);
	}
}

/* /proc/swaps: a line of headings, then one line for each area that starts with its path. */
void mounts_add_swaps(struct name_list *paths)
{
	CLEANUP(strbuf) struct strbuf content = STRBUF_INIT;
	char *rest;
	char *line;

	if (file_read("/proc/swaps", 1U << 20, &content, NULL) < 0 || !content.buf)
		return;
	rest = content.buf;
	(void)strsep(&rest, "\n");
	while ((line = strsep(&rest, "\n")) != NULL) {
		char *path = strsep(&line, " \t");

		if (path[0] != '/')
			continue;
		mount_unescape(path);
		name_list_add(paths, path);
	}
}
