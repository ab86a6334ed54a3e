/* SPDX-License-Identifier: GPL-2.0-or-later */
/* layout: creates, preallocates and extends regular data files before the run. */
#include "load/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/rng.h"
#include "load/files.h"
#include "load/folders.h"
#include "load/payload.h"

#define LAYOUT_CHUNK_BYTES (1U << 20)
#define LAYOUT_FILE_MODE 0644

struct layout {
	const struct layout_config *config;
	char *chunk; /* LAYOUT_CHUNK_BYTES of random data, filled at the first use */
	uint64_t next_report_ns;
};

static bool layout_is_stopped(const struct layout *layout)
{
	return layout->config->stop &&
	       atomic_load_explicit(layout->config->stop, memory_order_relaxed);
}

static void layout_need_chunk(struct layout *layout)
{
	struct rng rng;

	if (layout->chunk)
		return;
	layout->chunk = xmalloc(LAYOUT_CHUNK_BYTES);
	rng_init(&rng, layout->config->seed);
	payload_fill(&rng, layout->chunk, LAYOUT_CHUNK_BYTES);
}

static void layout_report(struct layout *layout)
{
	uint64_t now_ns = clock_now_ns();

	if (!layout->config->report || now_ns < layout->next_report_ns)
		return;
	layout->config->report(layout->config->arg);
	layout->next_report_ns = now_ns + LAYOUT_REPORT_NS;
}

/* Writes len bytes of the chunk at offset; 0 or -errno. */
static int write_chunk(int fd, const char *chunk, size_t len_bytes, uint64_t offset_bytes)
{
	size_t done = 0;

	while (done < len_bytes) {
		ssize_t ret =
			pwrite(fd, chunk + done, len_bytes - done, (off_t)(offset_bytes + done));

		if (ret < 0 && errno == EINTR)
			continue;
		if (ret <= 0)
			return ret < 0 ? -errno : -EIO;
		done += (size_t)ret;
	}
	return 0;
}

static int layout_write(struct layout *layout, const struct file_entry *file, int fd,
			struct err *err)
{
	uint64_t offset_bytes = file->size_bytes;
	int ret;

	layout_need_chunk(layout);
	while (offset_bytes < file->needed_bytes) {
		uint64_t left_bytes = file->needed_bytes - offset_bytes;
		size_t len_bytes =
			left_bytes < LAYOUT_CHUNK_BYTES ? (size_t)left_bytes : LAYOUT_CHUNK_BYTES;

		if (layout_is_stopped(layout))
			return err_set(err, ERR_INTERRUPTED, "stopped while laying out '%s'",
				       file->path);
		payload_stamp(layout->chunk, len_bytes, offset_bytes, 0);
		ret = write_chunk(fd, layout->chunk, len_bytes, offset_bytes);
		if (ret < 0) {
			errno = -ret;
			return err_set_errno(err,
					     "lay out '%s': write at offset %" PRIu64 " of %" PRIu64
					     " bytes",
					     file->path, offset_bytes, file->needed_bytes);
		}
		offset_bytes += len_bytes;
		layout_report(layout);
	}
	return 0;
}

/* Reserves the space up to needed_bytes. native and keep are silent where it cannot be done: the
 * writes will tell, and they say more. */
static int layout_allocate(const struct file_entry *file, int fd, struct err *err)
{
	off_t from = (off_t)file->size_bytes;
	off_t len = (off_t)(file->needed_bytes - file->size_bytes);

	switch (file->fallocate) {
	case FALLOCATE_NONE:
		break;
	case FALLOCATE_NATIVE:
		(void)fallocate(fd, 0, from, len);
		break;
	case FALLOCATE_KEEP:
		(void)fallocate(fd, FALLOC_FL_KEEP_SIZE, from, len);
		break;
	case FALLOCATE_POSIX:
		errno = posix_fallocate(fd, from, len);
		if (errno)
			return err_set_errno(err, "allocate %" PRIu64 " bytes for '%s'",
					     file->needed_bytes, file->path);
		break;
	case FALLOCATE_TRUNCATE:
		if (ftruncate(fd, (off_t)file->needed_bytes) < 0)
			return err_set_errno(err, "extend '%s' to %" PRIu64 " bytes", file->path,
					     file->needed_bytes);
		break;
	}
	return 0;
}

/* Before the disk is filled for minutes, to the harm of everybody else on it, only to fail. */
static int layout_check_space(const struct file_entry *file, int fd, struct err *err)
{
	uint64_t missing_bytes = file->needed_bytes - file->size_bytes;
	struct statvfs fs;
	uint64_t nr_free;

	if (fstatvfs(fd, &fs) < 0 || fs.f_blocks == 0) /* 0: the filesystem does not say */
		return 0;
	nr_free = geteuid() == 0 ? fs.f_bfree : fs.f_bavail;
	if (missing_bytes / fs.f_frsize <= nr_free)
		return 0;
	errno = ENOSPC;
	return err_set_errno(err,
			     "lay out '%s': %" PRIu64 " bytes are missing, %" PRIu64 " are free",
			     file->path, missing_bytes, (uint64_t)(nr_free * fs.f_frsize));
}

static int layout_fill(struct layout *layout, const struct file_entry *file, int fd,
		       struct err *err)
{
	int ret = file->needs_content ? layout_check_space(file, fd, err) : 0;

	if (ret == 0)
		ret = layout_allocate(file, fd, err);
	if (ret == 0 && file->needs_content)
		ret = layout_write(layout, file, fd, err);
	return ret;
}

static int layout_open(struct file_entry *file, int *ret_fd, struct err *err)
{
	int flags = O_WRONLY | O_CLOEXEC;
	int fd, ret;

	if (file->kind == FILE_ABSENT) {
		ret = folders_make(file->path, err);
		if (ret < 0)
			return ret;
		flags |= O_CREAT | O_EXCL;
	}
	if (file->is_rewritten) {
		flags |= O_TRUNC;
		file->size_bytes = 0;
	}
	fd = open(file->path, flags, LAYOUT_FILE_MODE);
	if (fd < 0)
		return err_set_errno(err, "%s '%s'",
				     file->kind == FILE_ABSENT ? "create" : "open for writing",
				     file->path);
	if (file->kind == FILE_ABSENT) {
		file->kind = FILE_REGULAR;
		file->is_created = true;
	}
	*ret_fd = fd;
	return 0;
}

static int layout_one(struct layout *layout, struct file_entry *file, struct err *err)
{
	CLEANUP(fd) int fd = -1;
	struct stat info;
	int ret;

	if (!file->needs_file || (file->kind != FILE_ABSENT && file->kind != FILE_REGULAR))
		return 0;
	if (file->kind == FILE_REGULAR && file->size_bytes >= file->needed_bytes)
		return 0;
	ret = layout_open(file, &fd, err);
	if (ret < 0)
		return ret;
	ret = layout_fill(layout, file, fd, err);
	if (ret < 0) {
		if (!file->is_created)
			(void)ftruncate(fd, (off_t)file->size_bytes); /* the error says enough */
		return ret;
	}
	if (fstat(fd, &info) < 0)
		return err_set_errno(err, "stat '%s'", file->path);
	file->size_bytes = (uint64_t)info.st_size;
	file->is_unsynced = file->needs_content && !file->is_never_synced;
	return 0;
}

/* After all writes: one commit of the filesystem's journal serves many files. */
static int layout_sync(struct file_entry *file, struct err *err)
{
	CLEANUP(fd) int fd = -1;

	if (!file->is_unsynced)
		return 0;
	fd = open(file->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fsync(fd) < 0)
		return err_set_errno(err, "lay out '%s': fsync", file->path);
	file->is_unsynced = false;
	return 0;
}

int layout_make(struct file_table *files, const struct layout_config *config, struct err *err)
{
	struct layout layout = { .config = config, .next_report_ns = clock_now_ns() };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < files->nr; i++)
		ret = layout_one(&layout, &files->items[i], err);
	for (size_t i = 0; ret == 0 && i < files->nr; i++)
		ret = layout_sync(&files->items[i], err);
	for (size_t i = 0; ret < 0 && i < files->nr; i++) {
		if (files->items[i].is_created)
			(void)unlink(files->items[i].path);
	}
	free(layout.chunk);
	return ret;
}

void layout_unlink(const struct file_table *files)
{
	for (size_t i = 0; i < files->nr; i++) {
		const struct file_entry *file = &files->items[i];

		if (file->is_unlinked && file->kind != FILE_BLOCK && file->kind != FILE_CHAR)
			(void)unlink(file->path); /* gone already is as good */
	}
}
