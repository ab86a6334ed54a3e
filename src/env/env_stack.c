/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack: files, filesystems and disks that the job works on, down to where nothing is below. */
#include "env/walk.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "env/env_table.h"
#include "host/sysblock.h"

#define MAX_DEPTH 32 /* each loop device adds a filesystem and a disk */

void walk_release(struct walk *walk)
{
	free(walk->sys_root);
	mount_table_release(&walk->mounts);
	name_list_release(&walk->filesystems);
	name_list_release(&walk->disks);
	name_list_release(&walk->modules);
	*walk = (struct walk){ .facts = NULL };
}

void walk_add_on(struct walk *walk, const char *node, const struct name_list *nodes)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < nodes->nr; i++)
		strbuf_printf(&text, "%s%s", i ? " " : "", nodes->items[i]);
	facts_add(walk->facts, strbuf_str(&text), "%s.on", node);
}

/* What a disk keeps its data in, if that is a file or device with a path. */
static void add_backing(struct walk *walk, const char *folder, struct name_list *below)
{
	static const char *const attributes[] = { "loop/backing_file", "backing_dev" };

	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		CLEANUP(free) char *path = xasprintf("%s/%s", folder, attributes[i]);
		CLEANUP(free) char *backing = fact_read(path, FACT_LINE);

		if (backing && backing[0] == '/')
			walk_add_path(walk, backing, below);
	}
}

void walk_add_disk(struct walk *walk, const char *name, struct name_list *nodes)
{
	CLEANUP(free) char *folder = sysblock_disk_folder(walk->sys_root, name);
	CLEANUP(free) char *node = xasprintf("disk.%s", name);
	CLEANUP(name_list) struct name_list children = NAME_LIST_INIT;
	CLEANUP(name_list) struct name_list below = NAME_LIST_INIT;

	if (!folder || walk->depth >= MAX_DEPTH)
		return;
	name_list_add(nodes, node);
	if (name_list_has(&walk->disks, name))
		return;
	name_list_add(&walk->disks, name);
	walk_add_disk_facts(walk, name, folder);
	walk->depth++;
	sysblock_add_children(walk->sys_root, name, &children);
	for (size_t i = 0; i < children.nr; i++)
		walk_add_disk(walk, children.items[i], &below);
	add_backing(walk, folder, &below);
	walk->depth--;
	walk_add_on(walk, node, &below);
}

/* The folder of the device in sysfs; NULL if path is no block device. Caller frees. */
static char *device_folder(const struct walk *walk, const char *path)
{
	const char *slash = strrchr(path, '/');
	CLEANUP(free) char *link = NULL;
	struct stat st;

	if (!walk->facts->context->root)
		return stat(path, &st) == 0 && S_ISBLK(st.st_mode)
			       ? sysblock_folder(walk->sys_root, st.st_rdev)
			       : NULL;
	/* a planted machine has no device files: the name stands for the device */
	if (strncmp(path, "/dev/", 5) != 0)
		return NULL;
	link = xasprintf("%s/class/block/%s", walk->sys_root, slash + 1);
	return realpath(link, NULL);
}

void walk_add_device(struct walk *walk, const char *path, struct name_list *nodes)
{
	CLEANUP(free) char *folder = device_folder(walk, path);
	CLEANUP(free) char *whole = folder ? sysblock_whole_folder(folder) : NULL;

	if (whole)
		walk_add_disk(walk, sysblock_name(whole), nodes);
}

void walk_add_path(struct walk *walk, const char *path, struct name_list *nodes)
{
	size_t nr = nodes->nr;

	if (walk->depth >= MAX_DEPTH)
		return;
	walk_add_device(walk, path, nodes);
	if (nodes->nr > nr)
		return;
	walk->depth++;
	walk_add_filesystem_of(walk, path, nodes);
	walk->depth--;
}

static void add_all_disks(struct walk *walk, struct name_list *nodes)
{
	CLEANUP(free) char *folder = xasprintf("%s/block", walk->sys_root);
	CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;

	name_list_add_folder(&names, folder);
	for (size_t i = 0; i < names.nr; i++) {
		CLEANUP(free) char *path = xasprintf("%s/%s/size", folder, names.items[i]);
		uint64_t sectors;

		if (file_read_u64(path, &sectors, NULL) == 0 && sectors > 0)
			walk_add_disk(walk, names.items[i], nodes);
	}
}

static void collect(struct facts *facts)
{
	CLEANUP(walk)
	struct walk walk = { .facts = facts, .sys_root = facts_path(facts, "/sys") };
	CLEANUP(name_list) struct name_list nodes = NAME_LIST_INIT;

	for (size_t i = 0; i < facts->context->nr_paths; i++)
		walk_add_path(&walk, facts->context->paths[i], &nodes);
	if (facts->context->all_disks)
		add_all_disks(&walk, &nodes);
}

const struct env_area env_stack = { .name = "stack", .collect = collect, .is_rechecked = true };
