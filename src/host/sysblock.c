/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sysblock: what sysfs says about one block device. Lists of devices are left to device.c. */
#include "host/sysblock.h"

#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "host/name_list.h"

static const char *root_or_sys(const char *sys_root)
{
	return sys_root ? sys_root : "/sys";
}

char *sysblock_folder(const char *sys_root, dev_t dev)
{
	CLEANUP(free)
	char *link = xasprintf("%s/dev/block/%u:%u", root_or_sys(sys_root), major(dev), minor(dev));

	return realpath(link, NULL);
}

char *sysblock_disk_folder(const char *sys_root, const char *name)
{
	CLEANUP(free) char *link = NULL;

	if (!name[0] || name[0] == '.' || strchr(name, '/'))
		return NULL;
	link = xasprintf("%s/block/%s", root_or_sys(sys_root), name);
	return realpath(link, NULL);
}

bool sysblock_is_partition(const char *folder)
{
	CLEANUP(free) char *mark = xasprintf("%s/partition", folder);

	return file_exists(mark);
}

char *sysblock_whole_folder(const char *folder)
{
	const char *slash = strrchr(folder, '/');

	if (!sysblock_is_partition(folder) || !slash)
		return xstrdup(folder);
	return xstrndup(folder, (size_t)(slash - folder));
}

const char *sysblock_name(const char *folder)
{
	const char *slash = strrchr(folder, '/');

	return slash ? slash + 1 : folder;
}

char *sysblock_attribute(const char *folder, const char *attribute)
{
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;
	CLEANUP(free) char *path = xasprintf("%s/%s", folder, attribute);

	if (file_read_line(path, &line, NULL) < 0)
		return NULL;
	return strbuf_take(&line);
}

/* The number after prefix at *text, which is moved behind it. */
static bool take_number(const char **text, const char *prefix, unsigned long *ret_number)
{
	size_t len = strlen(prefix);
	char *end;

	if (strncmp(*text, prefix, len) != 0 || (*text)[len] < '0' || (*text)[len] > '9')
		return false;
	*ret_number = strtoul(*text + len, &end, 10);
	*text = end;
	return true;
}

dev_t sysblock_dev(const char *folder)
{
	CLEANUP(free) char *text = sysblock_attribute(folder, "dev");
	const char *rest = text;
	unsigned long major_nr;
	unsigned long minor_nr;

	if (!text || !take_number(&rest, "", &major_nr) || !take_number(&rest, ":", &minor_nr))
		return 0;
	return makedev((unsigned)major_nr, (unsigned)minor_nr);
}

void sysblock_add_partitions(const char *folder, struct name_list *folders)
{
	CLEANUP(name_list) struct name_list entries = NAME_LIST_INIT;

	name_list_add_folder(&entries, folder);
	for (size_t i = 0; i < entries.nr; i++) {
		CLEANUP(free) char *sub = xasprintf("%s/%s", folder, entries.items[i]);

		if (sysblock_is_partition(sub))
			name_list_add(folders, sub);
	}
}

static void add_slaves(const char *folder, struct name_list *names)
{
	CLEANUP(free) char *slaves = xasprintf("%s/slaves", folder);
	CLEANUP(name_list) struct name_list entries = NAME_LIST_INIT;

	name_list_add_folder(&entries, slaves);
	for (size_t i = 0; i < entries.nr; i++) {
		CLEANUP(free) char *link = xasprintf("%s/%s", slaves, entries.items[i]);
		CLEANUP(free) char *target = realpath(link, NULL);
		CLEANUP(free) char *whole = target ? sysblock_whole_folder(target) : NULL;

		if (whole)
			name_list_add(names, sysblock_name(whole));
	}
}

/* nvmeXnZ is over nvmeXcYnZ of the same subsystem X and namespace Z. */
static bool nvme_is_path_of(const char *path, const char *head)
{
	unsigned long head_subsystem;
	unsigned long head_namespace;
	unsigned long subsystem;
	unsigned long controller;
	unsigned long namespace;

	return take_number(&head, "nvme", &head_subsystem) &&
	       take_number(&head, "n", &head_namespace) && !*head &&
	       take_number(&path, "nvme", &subsystem) && take_number(&path, "c", &controller) &&
	       take_number(&path, "n", &namespace) && !*path && subsystem == head_subsystem &&
	       namespace == head_namespace;
}

static void add_nvme_paths(const char *sys_root, const char *name, struct name_list *names)
{
	CLEANUP(free) char *folder = xasprintf("%s/block", root_or_sys(sys_root));
	CLEANUP(name_list) struct name_list disks = NAME_LIST_INIT;

	if (strncmp(name, "nvme", 4) != 0)
		return;
	name_list_add_folder(&disks, folder);
	for (size_t i = 0; i < disks.nr; i++) {
		if (nvme_is_path_of(disks.items[i], name))
			name_list_add(names, disks.items[i]);
	}
}

void sysblock_add_children(const char *sys_root, const char *name, struct name_list *names)
{
	CLEANUP(free) char *folder = sysblock_disk_folder(sys_root, name);

	if (!folder)
		return;
	add_slaves(folder, names);
	add_nvme_paths(sys_root, name, names);
}

bool sysblock_has_queue(const char *folder)
{
	CLEANUP(free) char *mq = xasprintf("%s/mq", folder);
	CLEANUP(free) char *scheduler = NULL;

	if (file_exists(mq))
		return true;
	/* Before 5.0 also requests without blk-mq. Bio-based disks say "none" or have no such file. */
	scheduler = sysblock_attribute(folder, "queue/scheduler");
	return scheduler && strchr(scheduler, '[');
}
