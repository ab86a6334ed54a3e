/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stack: files, filesystems and disks that the job works on, down to where nothing is below. */
#include "env/stack.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "env/env_table.h"
#include "host/sysblock.h"

#define MAX_DEPTH 32 /* each loop device adds a filesystem and a disk */

void stack_release(struct stack *stack)
{
	free(stack->sys_root);
	mount_table_release(&stack->mounts);
	name_list_release(&stack->filesystems);
	name_list_release(&stack->disks);
	name_list_release(&stack->modules);
	*stack = (struct stack){ .facts = NULL };
}

void stack_add_on(struct stack *stack, const char *node, const struct name_list *nodes)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < nodes->nr; i++)
		strbuf_printf(&text, "%s%s", i ? " " : "", nodes->items[i]);
	facts_add(stack->facts, strbuf_str(&text), "%s.on", node);
}

/* What a disk keeps its data in, if that is a file or device with a path. */
static void add_backing(struct stack *stack, const char *folder, struct name_list *below)
{
	static const char *const attributes[] = { "loop/backing_file", "backing_dev" };

	for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		CLEANUP(free) char *path = xasprintf("%s/%s", folder, attributes[i]);
		CLEANUP(free) char *backing = fact_read(path, FACT_LINE);

		if (backing && backing[0] == '/')
			stack_add_path(stack, backing, below);
	}
}

void stack_add_disk(struct stack *stack, const char *name, struct name_list *nodes)
{
	CLEANUP(free) char *folder = sysblock_disk_folder(stack->sys_root, name);
	CLEANUP(free) char *node = xasprintf("disk.%s", name);
	CLEANUP(name_list) struct name_list children = NAME_LIST_INIT;
	CLEANUP(name_list) struct name_list below = NAME_LIST_INIT;

	if (!folder || stack->depth >= MAX_DEPTH)
		return;
	name_list_add(nodes, node);
	if (name_list_has(&stack->disks, name))
		return;
	name_list_add(&stack->disks, name);
	stack_add_disk_facts(stack, name, folder);
	stack->depth++;
	sysblock_add_children(stack->sys_root, name, &children);
	for (size_t i = 0; i < children.nr; i++)
		stack_add_disk(stack, children.items[i], &below);
	add_backing(stack, folder, &below);
	stack->depth--;
	stack_add_on(stack, node, &below);
}

/* The folder of the device in sysfs; NULL if path is no block device. Caller frees. */
static char *device_folder(const struct stack *stack, const char *path)
{
	const char *slash = strrchr(path, '/');
	CLEANUP(free) char *link = NULL;
	struct stat st;

	if (!stack->facts->context->root)
		return stat(path, &st) == 0 && S_ISBLK(st.st_mode)
			       ? sysblock_folder(stack->sys_root, st.st_rdev)
			       : NULL;
	/* a planted machine has no device files: the name stands for the device */
	if (strncmp(path, "/dev/", 5) != 0)
		return NULL;
	link = xasprintf("%s/class/block/%s", stack->sys_root, slash + 1);
	return realpath(link, NULL);
}

void stack_add_device(struct stack *stack, const char *path, struct name_list *nodes)
{
	CLEANUP(free) char *folder = device_folder(stack, path);
	CLEANUP(free) char *whole = folder ? sysblock_whole_folder(folder) : NULL;

	if (whole)
		stack_add_disk(stack, sysblock_name(whole), nodes);
}

void stack_add_path(struct stack *stack, const char *path, struct name_list *nodes)
{
	size_t nr = nodes->nr;

	if (stack->depth >= MAX_DEPTH)
		return;
	stack_add_device(stack, path, nodes);
	if (nodes->nr > nr)
		return;
	stack->depth++;
	stack_add_filesystem_of(stack, path, nodes);
	stack->depth--;
}

static void add_all_disks(struct stack *stack, struct name_list *nodes)
{
	CLEANUP(free) char *folder = xasprintf("%s/block", stack->sys_root);
	CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;

	name_list_add_folder(&names, folder);
	for (size_t i = 0; i < names.nr; i++) {
		CLEANUP(free) char *path = xasprintf("%s/%s/size", folder, names.items[i]);
		uint64_t sectors;

		if (file_read_u64(path, &sectors, NULL) == 0 && sectors > 0)
			stack_add_disk(stack, names.items[i], nodes);
	}
}

static void collect(struct facts *facts)
{
	CLEANUP(stack)
	struct stack stack = { .facts = facts, .sys_root = facts_path(facts, "/sys") };
	CLEANUP(name_list) struct name_list nodes = NAME_LIST_INIT;

	for (size_t i = 0; i < facts->context->nr_paths; i++)
		stack_add_path(&stack, facts->context->paths[i], &nodes);
	if (facts->context->all_disks)
		add_all_disks(&stack, &nodes);
}

const struct env_area env_stack = { .name = "stack", .collect = collect };
