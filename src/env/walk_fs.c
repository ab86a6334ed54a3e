/* SPDX-License-Identifier: GPL-2.0-or-later */
/* walk_fs: the facts of a filesystem, and which disks it lies on. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "env/walk.h"
#include "env/superblock.h"
#include "host/mountinfo.h"
#include "host/sysblock.h"

#define MAX_OPTIONS_BYTES 4096

/* ---- btrfs, which spans devices and shows itself in sysfs ---- */

/* /sys/fs/btrfs/UUID of the one that has a device of that name; NULL if none has. Caller frees. */
static char *btrfs_folder(const struct walk *walk, const char *device)
{
	CLEANUP(free) char *root = xasprintf("%s/fs/btrfs", walk->sys_root);
	CLEANUP(name_list) struct name_list filesystems = NAME_LIST_INIT;

	name_list_add_folder(&filesystems, root);
	for (size_t i = 0; i < filesystems.nr; i++) {
		const char *name = filesystems.items[i];
		CLEANUP(free) char *member = xasprintf("%s/%s/devices/%s", root, name, device);

		if (file_exists(member))
			return xasprintf("%s/%s", root, name);
	}
	return NULL;
}

/* Names of what is on in a folder of files that hold 0 or 1. Caller frees. */
static char *names_that_are_on(const char *folder)
{
	CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	name_list_add_folder(&names, folder);
	for (size_t i = 0; i < names.nr; i++) {
		CLEANUP(free) char *path = xasprintf("%s/%s", folder, names.items[i]);
		CLEANUP(free) char *value = fact_read(path, FACT_LINE);

		if (value && strcmp(value, "0") != 0)
			strbuf_printf(&text, "%s%s", text.len ? " " : "", names.items[i]);
	}
	return strbuf_take(&text);
}

/* "single", "raid1 dup": allocation/data has a folder for each profile in use. */
static void add_btrfs_profile(struct walk *walk, const char *node, const char *folder,
			      const char *kind)
{
	static const char *const profiles[] = { "single",  "dup",    "raid0", "raid1", "raid1c3",
						"raid1c4", "raid10", "raid5", "raid6" };
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
		CLEANUP(free)
		char *path = xasprintf("%s/allocation/%s/%s", folder, kind, profiles[i]);

		if (file_exists(path))
			strbuf_printf(&text, "%s%s", text.len ? " " : "", profiles[i]);
	}
	facts_add(walk->facts, strbuf_str(&text), "%s.%s_profile", node, kind);
}

static void add_btrfs(struct walk *walk, const char *node, const char *device,
		      struct name_list *below)
{
	CLEANUP(free) char *folder = btrfs_folder(walk, device);
	CLEANUP(free) char *features_path = NULL;
	CLEANUP(free) char *devices_path = NULL;
	CLEANUP(free) char *features = NULL;
	CLEANUP(name_list) struct name_list devices = NAME_LIST_INIT;

	if (!folder)
		return;
	features_path = xasprintf("%s/features", folder);
	features = names_that_are_on(features_path);
	facts_add(walk->facts, features, "%s.features", node);
	add_btrfs_profile(walk, node, folder, "data");
	add_btrfs_profile(walk, node, folder, "metadata");
	devices_path = xasprintf("%s/devices", folder);
	name_list_add_folder(&devices, devices_path);
	for (size_t i = 0; i < devices.nr; i++) {
		CLEANUP(free) char *path = xasprintf("/dev/%s", devices.items[i]);

		walk_add_device(walk, path, below);
	}
}

/* ---- features ---- */

/* Of filesystems that keep them in the superblock; the kernel has it in its cache. */
static void add_superblock(struct walk *walk, const char *node, const struct mount *mount)
{
	CLEANUP(free) char *path = facts_path(walk->facts, "%s", mount->source);
	CLEANUP(free) char *bytes = xcalloc(1, SUPERBLOCK_BYTES);
	CLEANUP(free) char *features = NULL;
	CLEANUP(fd) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got = fd < 0 ? -1 : pread(fd, bytes, SUPERBLOCK_BYTES, 0);

	if (got == SUPERBLOCK_BYTES)
		features = superblock_features(mount->type, bytes, SUPERBLOCK_BYTES);
	facts_add(walk->facts, features, "%s.features", node);
}

/* /proc/fs/ext4/DEVICE/options and the like: defaults too, which the mount table leaves out. */
static void add_effective_options(struct walk *walk, const char *node, const char *type,
				  const char *device)
{
	CLEANUP(free) char *path = facts_path(walk->facts, "/proc/fs/%s/%s/options", type, device);
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	if (file_read(path, MAX_OPTIONS_BYTES, &text, NULL) < 0)
		return;
	strbuf_trim(&text);
	for (size_t i = 0; i < text.len; i++) {
		if (text.buf[i] == '\n')
			text.buf[i] = ',';
	}
	facts_add(walk->facts, strbuf_str(&text), "%s.effective_options", node);
}

static void add_sizes(struct walk *walk, const char *node, const struct mount *mount)
{
	CLEANUP(free) char *block_key = xasprintf("%s.block_size_bytes", node);
	CLEANUP(free) char *size_key = xasprintf("%s.size_bytes", node);
	struct statvfs st;

	if (walk->facts->context->root || statvfs(mount->target, &st) < 0 || st.f_blocks == 0)
		return;
	facts_add_u64(walk->facts, block_key, st.f_bsize);
	facts_add_u64(walk->facts, size_key, (uint64_t)st.f_blocks * st.f_frsize);
}

/* ---- where it lies ---- */

/* The kernel's name of the device or partition that is mounted; NULL: none. Caller frees. */
static char *device_name(const struct walk *walk, const struct mount *mount)
{
	CLEANUP(free)
	char *folder = major(mount->dev) ? sysblock_folder(walk->sys_root, mount->dev) : NULL;
	CLEANUP(free) char *resolved = NULL;

	if (folder)
		return xstrdup(sysblock_name(folder));
	/* btrfs and others have a number of their own; a name such as /dev/mapper/x is a link */
	if (!mount->source || strncmp(mount->source, "/dev/", 5) != 0)
		return NULL;
	resolved = walk->facts->context->root ? NULL : realpath(mount->source, NULL);
	return xstrdup(sysblock_name(resolved ? resolved : mount->source));
}

static void add_device(struct walk *walk, const char *node, const struct mount *mount)
{
	CLEANUP(free) char *device = device_name(walk, mount);
	CLEANUP(free)
	char *link = xasprintf("%s/class/block/%s", walk->sys_root, device ? device : "");
	CLEANUP(free) char *folder = device ? realpath(link, NULL) : NULL;
	CLEANUP(free) char *whole = folder ? sysblock_whole_folder(folder) : NULL;
	CLEANUP(name_list) struct name_list below = NAME_LIST_INIT;

	if (!device)
		return;
	if (whole && strcmp(sysblock_name(whole), device) != 0)
		facts_add(walk->facts, device, "%s.partition", node);
	if (!strcmp(mount->type, "btrfs")) {
		add_btrfs(walk, node, device, &below);
	} else {
		CLEANUP(free)
		char *sys_fs =
			xasprintf("%s/fs/%s/%s/features", walk->sys_root, mount->type, device);
		CLEANUP(free) char *features = fact_read(sys_fs, FACT_LINE); /* f2fs */

		facts_add(walk->facts, features, "%s.features", node);
		if (!features)
			add_superblock(walk, node, mount);
		add_effective_options(walk, node, mount->type, device);
	}
	if (whole && below.nr == 0)
		walk_add_disk(walk, sysblock_name(whole), &below);
	walk_add_on(walk, node, &below);
}

/* The path without links, of its nearest part that exists. Caller frees. */
static char *resolve(const char *path)
{
	CLEANUP(free) char *at = xstrdup(path);
	char *real;

	while (!(real = realpath(at, NULL))) {
		char *slash = strrchr(at, '/');

		if (!slash)
			return realpath(".", NULL);
		if (slash == at)
			return xstrdup("/");
		*slash = '\0';
	}
	return real;
}

/* "rw,noatime" of the mount and "rw,discard" of the filesystem: "rw,noatime,discard". */
static char *options_of(const struct mount *mount)
{
	const char *more = mount->fs_options;

	if (!strncmp(more, "rw", 2) || !strncmp(more, "ro", 2))
		more += more[2] == ',' ? 3 : strlen(more);
	return xasprintf("%s%s%s", mount->options, *more ? "," : "", more);
}

static const struct mount *mount_find(struct walk *walk, const char *path)
{
	CLEANUP(free) char *file = facts_path(walk->facts, "/proc/self/mountinfo");
	CLEANUP(free) char *real = walk->facts->context->root ? xstrdup(path) : resolve(path);

	if (!walk->mounts.text)
		mount_table_read(file, &walk->mounts);
	return real ? mount_table_holding(&walk->mounts, real) : NULL;
}

void walk_add_filesystem_of(struct walk *walk, const char *path, struct name_list *nodes)
{
	const struct mount *mount = mount_find(walk, path);
	CLEANUP(free) char *identity = NULL;
	CLEANUP(free) char *options = NULL;
	CLEANUP(free) char *node = NULL;
	size_t nr = 0;

	if (!mount)
		return;
	identity = xasprintf("%u:%u %s", major(mount->dev), minor(mount->dev), mount->target);
	while (nr < walk->filesystems.nr && strcmp(walk->filesystems.items[nr], identity) != 0)
		nr++;
	node = xasprintf("fs.%zu", nr + 1);
	name_list_add(nodes, node);
	if (nr < walk->filesystems.nr)
		return;
	name_list_add(&walk->filesystems, identity);
	options = options_of(mount);
	facts_add(walk->facts, mount->type, "%s.type", node);
	facts_add(walk->facts, mount->target, "%s.mount", node);
	facts_add(walk->facts, mount->source, "%s.source", node);
	facts_add(walk->facts, options, "%s.options", node);
	add_sizes(walk, node, mount);
	add_device(walk, node, mount);
}
