/* SPDX-License-Identifier: GPL-2.0-or-later */
/* guard_use: finds the uses of a device or file. Refusing because of them is the guard's. */
#include "host/guard_use.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "host/mounts.h"
#include "host/name_list.h"
#include "host/sysblock.h"

/* A loop device with something behind it. */
struct loop {
	char *name;	/* "loop3" */
	char *backing;	/* path of the file as the kernel shows it */
	struct stat st; /* of that file; st_mode 0 when it cannot be looked at */
	uint64_t start; /* part of the file that it shows */
	uint64_t size;	/* UINT64_MAX = to the end */
};

#define LOOP_INIT ((struct loop){ .name = NULL })

static void loop_release(struct loop *loop)
{
	free(loop->name);
	free(loop->backing);
}

CLEANUP_DEFINE(loop, struct loop, loop_release)

static struct loop loop_take(struct loop *loop)
{
	struct loop taken = *loop;

	*loop = LOOP_INIT;
	return taken;
}

static uint64_t number_attribute(const char *folder, const char *attribute)
{
	CLEANUP(free) char *text = sysblock_attribute(folder, attribute);
	uint64_t value = 0;

	if (text)
		(void)units_parse_u64(text, &value, NULL); /* else 0: the whole file */
	return value;
}

/* False when the disk is no loop device or nothing is attached to it. */
static bool loop_read(const char *name, struct loop *ret_loop)
{
	CLEANUP(free) char *folder = sysblock_disk_folder(NULL, name);
	CLEANUP(loop) struct loop loop = LOOP_INIT;

	if (!folder || strncmp(name, "loop", 4) != 0)
		return false;
	loop.backing = sysblock_attribute(folder, "loop/backing_file");
	if (!loop.backing)
		return false;
	if (stat(loop.backing, &loop.st) < 0)
		loop.st = (struct stat){ .st_mode = 0 }; /* deleted, or in another namespace */
	loop.name = xstrdup(name);
	loop.start = number_attribute(folder, "loop/offset");
	loop.size = number_attribute(folder, "loop/sizelimit");
	if (loop.size == 0)
		loop.size = UINT64_MAX;
	*ret_loop = loop_take(&loop);
	return true;
}

static bool loops_overlap(const struct loop *a, const struct loop *b)
{
	const struct loop *first = a->start <= b->start ? a : b;
	const struct loop *second = first == a ? b : a;

	return second->start - first->start < first->size;
}

__attribute__((format(printf, 2, 3))) static void add_use(struct strbuf *out, const char *fmt, ...)
{
	va_list args;

	if (out->len)
		strbuf_add_str(out, ", ");
	va_start(args, fmt);
	strbuf_vprintf(out, fmt, args);
	va_end(args);
}

static void add_mounts(dev_t dev, const char *subject, struct strbuf *out)
{
	CLEANUP(name_list) struct name_list targets = NAME_LIST_INIT;

	mounts_add_targets(dev, &targets);
	for (size_t i = 0; i < targets.nr; i++)
		add_use(out, "%sis mounted on %s", subject, targets.items[i]);
}

static void add_swaps(dev_t dev, const char *subject, struct strbuf *out)
{
	CLEANUP(name_list) struct name_list paths = NAME_LIST_INIT;

	mounts_add_swaps(&paths);
	for (size_t i = 0; i < paths.nr; i++) {
		struct stat st;

		if (stat(paths.items[i], &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == dev)
			add_use(out, "%sis in use as swap", subject);
	}
}

static void add_holders(const char *folder, const char *subject, struct strbuf *out)
{
	CLEANUP(free) char *holders = xasprintf("%s/holders", folder);
	CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;

	name_list_add_folder(&names, holders);
	for (size_t i = 0; i < names.nr; i++) {
		CLEANUP(free) char *holder = sysblock_disk_folder(NULL, names.items[i]);
		CLEANUP(free) char *alias = holder ? sysblock_attribute(holder, "dm/name") : NULL;

		add_use(out, "%sis held by %s", subject, names.items[i]);
		if (alias)
			strbuf_printf(out, " (%s)", alias);
	}
}

/* Loop devices whose backing "file" is that block device: the kernel does not call it held. */
static void add_loops_over(dev_t dev, const char *subject, struct strbuf *out)
{
	CLEANUP(name_list) struct name_list disks = NAME_LIST_INIT;

	name_list_add_folder(&disks, "/sys/block");
	for (size_t i = 0; i < disks.nr; i++) {
		CLEANUP(loop) struct loop loop = LOOP_INIT;

		if (loop_read(disks.items[i], &loop) && S_ISBLK(loop.st.st_mode) &&
		    loop.st.st_rdev == dev)
			add_use(out, "%sbacks /dev/%s", subject, loop.name);
	}
}

static void add_uses_of(const char *folder, const char *subject, struct strbuf *out)
{
	dev_t dev = sysblock_dev(folder);

	if (!dev)
		return;
	add_mounts(dev, subject, out);
	add_swaps(dev, subject, out);
	add_holders(folder, subject, out);
	add_loops_over(dev, subject, out);
}

/* The device, and what shares blocks with it: partitions of a disk, the disk of a partition. */
static void add_uses_around(const char *folder, const char *subject, struct strbuf *out)
{
	add_uses_of(folder, subject, out);
	if (sysblock_is_partition(folder)) {
		CLEANUP(free) char *whole = sysblock_whole_folder(folder);
		CLEANUP(free)
		char *name = xasprintf("%sits disk %s ", subject, sysblock_name(whole));

		add_uses_of(whole, name, out);
	} else {
		CLEANUP(name_list) struct name_list partitions = NAME_LIST_INIT;

		sysblock_add_partitions(folder, &partitions);
		for (size_t i = 0; i < partitions.nr; i++) {
			CLEANUP(free)
			char *name = xasprintf("%sits partition %s ", subject,
					       sysblock_name(partitions.items[i]));

			add_uses_of(partitions.items[i], name, out);
		}
	}
}

static void add_other_loops(const struct loop *loop, struct strbuf *out)
{
	CLEANUP(name_list) struct name_list disks = NAME_LIST_INIT;

	name_list_add_folder(&disks, "/sys/block");
	for (size_t i = 0; i < disks.nr; i++) {
		CLEANUP(loop) struct loop other = LOOP_INIT;

		if (strcmp(disks.items[i], loop->name) != 0 && loop_read(disks.items[i], &other) &&
		    S_ISREG(other.st.st_mode) && other.st.st_dev == loop->st.st_dev &&
		    other.st.st_ino == loop->st.st_ino && loops_overlap(loop, &other))
			add_use(out, "its backing file is also attached to /dev/%s", other.name);
	}
}

/* What writes to a loop device reach below it. */
static void add_backing_uses(const struct loop *loop, struct strbuf *out)
{
	CLEANUP(free) char *folder = NULL;
	CLEANUP(free) char *subject = NULL;

	if (S_ISREG(loop->st.st_mode))
		add_other_loops(loop, out);
	if (!S_ISBLK(loop->st.st_mode))
		return;
	folder = sysblock_folder(NULL, loop->st.st_rdev);
	if (!folder)
		return;
	subject = xasprintf("its backing device %s ", loop->backing);
	add_mounts(loop->st.st_rdev, subject, out);
	add_swaps(loop->st.st_rdev, subject, out);
	add_holders(folder, subject, out);
}

void guard_use_describe(dev_t dev, struct strbuf *out)
{
	CLEANUP(free) char *folder = sysblock_folder(NULL, dev);
	CLEANUP(free) char *whole = folder ? sysblock_whole_folder(folder) : NULL;
	CLEANUP(loop) struct loop loop = LOOP_INIT;

	if (!folder) { /* a container shows no sysfs entry: the tables must do */
		add_mounts(dev, "", out);
		add_swaps(dev, "", out);
		return;
	}
	add_uses_around(folder, "", out);
	if (loop_read(sysblock_name(whole), &loop))
		add_backing_uses(&loop, out);
}

void guard_use_describe_elsewhere(dev_t dev, struct strbuf *out)
{
	CLEANUP(name_list) struct name_list targets = NAME_LIST_INIT;

	mounts_add_targets_elsewhere(dev, &targets);
	for (size_t i = 0; i < targets.nr; i++)
		add_use(out, "is mounted on %s", targets.items[i]);
}

bool guard_use_same_disk(dev_t a, dev_t b)
{
	CLEANUP(free) char *folder_a = sysblock_folder(NULL, a);
	CLEANUP(free) char *folder_b = sysblock_folder(NULL, b);
	CLEANUP(free) char *whole_a = folder_a ? sysblock_whole_folder(folder_a) : NULL;
	CLEANUP(free) char *whole_b = folder_b ? sysblock_whole_folder(folder_b) : NULL;

	return whole_a && whole_b && !strcmp(whole_a, whole_b);
}

static void files_add(struct guard_use_files *files, const struct stat *st, char *use)
{
	files->items = xreallocarray(files->items, files->nr + 1, sizeof(*files->items));
	files->items[files->nr++] = (struct guard_use_file){
		.dev = st->st_dev,
		.ino = st->st_ino,
		.use = use,
	};
}

void guard_use_files_collect(struct guard_use_files *files)
{
	CLEANUP(name_list) struct name_list disks = NAME_LIST_INIT;
	CLEANUP(name_list) struct name_list swaps = NAME_LIST_INIT;

	name_list_add_folder(&disks, "/sys/block");
	for (size_t i = 0; i < disks.nr; i++) {
		CLEANUP(loop) struct loop loop = LOOP_INIT;

		if (loop_read(disks.items[i], &loop) && S_ISREG(loop.st.st_mode))
			files_add(files, &loop.st, xasprintf("backs /dev/%s", loop.name));
	}
	mounts_add_swaps(&swaps);
	for (size_t i = 0; i < swaps.nr; i++) {
		struct stat st;

		if (stat(swaps.items[i], &st) == 0 && S_ISREG(st.st_mode))
			files_add(files, &st, xstrdup("is in use as swap"));
	}
}

void guard_use_files_release(struct guard_use_files *files)
{
	for (size_t i = 0; i < files->nr; i++)
		free(files->items[i].use);
	free(files->items);
	*files = (struct guard_use_files){ .items = NULL };
}
