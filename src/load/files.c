/* SPDX-License-Identifier: GPL-2.0-or-later */
/* files: the table of data files and what stat says about them. Changes nothing on disk. */
#include "load/files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"

#define FILE_TABLE_MIN_BUCKETS 64 /* power of two */

void file_table_release(struct file_table *table)
{
	free(table->items);
	free(table->buckets);
	*table = (struct file_table){ .items = NULL };
}

const char *file_kind_name(enum file_kind kind)
{
	static const char *const names[] = {
		[FILE_ABSENT] = "new file",
		[FILE_REGULAR] = "file",
		[FILE_BLOCK] = "block device",
		[FILE_CHAR] = "character device",
		[FILE_VIRTUAL] = "engine without files",
	};

	return names[kind];
}

char *file_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return xstrdup(".");
	return slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
}

/* FNV-1a. */
static uint64_t hash_path(const char *path)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
	return hash;
}

/* The bucket that holds the path, or the free one where it belongs. */
static uint32_t *find_bucket(const struct file_table *table, const char *path)
{
	size_t at = (size_t)hash_path(path) & (table->nr_buckets - 1);

	while (table->buckets[at] && strcmp(table->items[table->buckets[at] - 1].path, path) != 0)
		at = (at + 1) & (table->nr_buckets - 1);
	return &table->buckets[at];
}

static void grow(struct file_table *table)
{
	table->capacity = table->capacity ? 2 * table->capacity : FILE_TABLE_MIN_BUCKETS / 2;
	table->items = xreallocarray(table->items, table->capacity, sizeof(*table->items));
	free(table->buckets);
	table->nr_buckets = 2 * table->capacity;
	table->buckets = xcalloc(table->nr_buckets, sizeof(*table->buckets));
	for (size_t i = 0; i < table->nr; i++)
		*find_bucket(table, table->items[i].path) = (uint32_t)(i + 1);
}

/* Smallest unit of direct I/O on the filesystem or device that st_dev or st_rdev names; 0: unknown.
 * A partition has the queue of its disk. */
static uint32_t queue_block_bytes(dev_t dev)
{
	static const char *const folders[] = { "", "/.." };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		char path[96];
		uint64_t bytes;

		(void)snprintf(path, sizeof(path),
			       "/sys/dev/block/%u:%u%s/queue/logical_block_size", major(dev),
			       minor(dev), folders[i]);
		if (file_read_u64(path, &bytes, NULL) == 0)
			return (uint32_t)bytes;
	}
	return 0;
}

/* What the filesystem itself says about direct I/O to the file (Linux 6.1); 0: nothing. */
static uint32_t statx_block_bytes(const char *path)
{
#ifdef STATX_DIOALIGN
	struct statx info;

	if (statx(AT_FDCWD, path, 0, STATX_DIOALIGN, &info) == 0 &&
	    (info.stx_mask & STATX_DIOALIGN))
		return info.stx_dio_offset_align;
#else
	(void)path;
#endif
	return 0;
}

static int look_up_block(struct file_entry *entry, struct err *err)
{
	CLEANUP(fd) int fd = open(entry->path, O_RDONLY | O_CLOEXEC);
	unsigned block_bytes = 0;

	if (fd < 0)
		return err_set_errno(err, "open '%s'", entry->path);
	if (ioctl(fd, BLKGETSIZE64, &entry->size_bytes) < 0 ||
	    ioctl(fd, BLKSSZGET, &block_bytes) < 0)
		return err_set_errno(err, "read the size of '%s'", entry->path);
	entry->kind = FILE_BLOCK;
	entry->direct_block_bytes = block_bytes;
	return 0;
}

static void look_up_absent(struct file_entry *entry)
{
	CLEANUP(free) char *folder = file_folder(entry->path);
	struct stat info;

	entry->kind = FILE_ABSENT;
	if (stat(folder, &info) == 0)
		entry->direct_block_bytes = queue_block_bytes(info.st_dev);
}

static int look_up(struct file_entry *entry, struct err *err)
{
	struct stat info;

	if (stat(entry->path, &info) < 0) {
		if (errno != ENOENT)
			return err_set_errno(err, "look up '%s'", entry->path);
		look_up_absent(entry);
		return 0;
	}
	if (S_ISBLK(info.st_mode))
		return look_up_block(entry, err);
	if (S_ISREG(info.st_mode)) {
		entry->kind = FILE_REGULAR;
		entry->size_bytes = (uint64_t)info.st_size;
		entry->direct_block_bytes = statx_block_bytes(entry->path);
		if (entry->direct_block_bytes == 0)
			entry->direct_block_bytes = queue_block_bytes(info.st_dev);
		return 0;
	}
	if (S_ISCHR(info.st_mode)) {
		entry->kind = FILE_CHAR;
		return 0;
	}
	return err_set(err, ERR_INPUT, "'%s' is %s, not a file or block device", entry->path,
		       S_ISDIR(info.st_mode) ? "a directory" : "a pipe or socket");
}

int file_table_add(struct file_table *table, const char *path, bool is_virtual, size_t *ret_index,
		   struct err *err)
{
	struct file_entry entry = { .path = path, .kind = FILE_VIRTUAL };
	uint32_t *bucket;

	if (table->nr == table->capacity)
		grow(table);
	bucket = find_bucket(table, path);
	if (*bucket == 0) {
		int ret = is_virtual ? 0 : look_up(&entry, err);

		if (ret < 0)
			return ret;
		table->items[table->nr++] = entry;
		*bucket = (uint32_t)table->nr;
	}
	*ret_index = *bucket - 1;
	return 0;
}
