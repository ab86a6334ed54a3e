/* SPDX-License-Identifier: GPL-2.0-or-later */
/* worker_files: opens the files of a clone, prepares the cache for its I/O, closes them. */
#include "load/worker_hot.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "load/folders.h"
#include "load/load.h"
#include "load/verify.h"
#include "model/job.h"

#define DATA_FILE_MODE 0644
#define PRE_READ_CHUNK_BYTES (1U << 20)

static const struct file_entry *entry_of(const struct worker *worker, size_t index)
{
	return &worker->config.files->items[worker->config.plan->files[index]];
}

static int open_flags(const struct worker *worker)
{
	const struct job *job = worker->job;
	unsigned dirs = worker->config.plan->dirs;
	int flags = O_CLOEXEC;

	if (worker->engine->flags & ENGINE_CHANGES_FILES)
		flags |= O_RDWR;
	else if (!(dirs & (RW_WRITE | RW_TRIM)))
		flags |= O_RDONLY;
	else if ((dirs & RW_READ) || verify_reads_back(job) ||
		 (worker->engine->flags & ENGINE_NEEDS_MMAP))
		flags |= O_RDWR;
	else
		flags |= O_WRONLY;
	if (job->direct)
		flags |= O_DIRECT;
	if (job->sync == SYNC_SYNC)
		flags |= O_SYNC;
	if (job->sync == SYNC_DSYNC)
		flags |= O_DSYNC;
	if (job->create_on_open)
		flags |= O_CREAT;
	return flags;
}

/* A name may have come to mean another device since it was looked at. */
static int check_opened(const struct worker *worker, const struct file_entry *entry,
			const struct stat *info, struct err *err)
{
	const struct load_config *load = worker->config.load;

	if (!S_ISBLK(info->st_mode) || !load->may_write ||
	    !(worker->job->rw & (RW_WRITE | RW_TRIM)) || load->may_write(load->arg, info->st_rdev))
		return 0;
	errno = EPERM;
	return err_set_errno(err, "'%s' is not the device it was before the run", entry->path);
}

static int open_file(struct worker *worker, size_t index, struct err *err)
{
	const struct file_entry *entry = entry_of(worker, index);
	struct engine_file *file = &worker->engine_files[index];
	struct stat info;

	*file = (struct engine_file){ .path = entry->path, .fd = -1 };
	if (entry->kind == FILE_VIRTUAL) {
		file->size_bytes = UINT64_MAX;
		return 0;
	}
	if (worker->job->create_on_open && folders_make(entry->path, err) < 0)
		return -ERR_SYSTEM;
	file->fd = open(entry->path, open_flags(worker), DATA_FILE_MODE);
	if (file->fd < 0)
		return err_set_errno(
			err, "open '%s'%s", entry->path,
			errno == EINVAL && worker->job->direct
				? " (its filesystem may not do direct I/O: try direct=0)"
				: "");
	if (fstat(file->fd, &info) < 0)
		return err_set_errno(err, "look at '%s'", entry->path);
	file->size_bytes = S_ISREG(info.st_mode) ? (uint64_t)info.st_size : entry->size_bytes;
	return check_opened(worker, entry, &info, err);
}

static bool drop_cache(const struct file_entry *entry, int fd)
{
	if (entry->kind == FILE_BLOCK)
		return ioctl(fd, BLKFLSBUF) == 0;
	errno = posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return errno == 0;
}

void worker_invalidate(void *arg)
{
	struct worker *worker = arg;

	for (size_t i = 0; i < worker->config.plan->nr_files; i++) {
		const struct file_entry *entry = entry_of(worker, i);

		if (entry->kind == FILE_VIRTUAL || entry->kind == FILE_CHAR)
			continue;
		if (!drop_cache(entry, worker->engine_files[i].fd) && !worker->invalidate_error) {
			worker->invalidate_error = errno;
			worker->invalidate_file = (uint32_t)i;
		}
	}
}

static void advise(const struct worker *worker)
{
	static const int advices[] = {
		[FADVISE_RANDOM] = POSIX_FADV_RANDOM,
		[FADVISE_SEQUENTIAL] = POSIX_FADV_SEQUENTIAL,
		[FADVISE_NOREUSE] = POSIX_FADV_NOREUSE,
	};
	enum fadvise_hint hint = worker->job->fadvise_hint;

	if (hint == FADVISE_NONE)
		return;
	if (hint == FADVISE_BY_RW)
		hint = worker->job->rw & RW_RANDOM ? FADVISE_RANDOM : FADVISE_SEQUENTIAL;
	for (size_t i = 0; i < worker->config.plan->nr_files; i++) {
		const struct region *region = &worker->config.plan->regions[i];

		if (worker->engine_files[i].fd >= 0)
			(void)posix_fadvise(worker->engine_files[i].fd, (off_t)region->start_bytes,
					    (off_t)region->len_bytes,
					    advices[hint]); /* only advice */
	}
}

/* Brings one region into the cache, by a descriptor that is not O_DIRECT. */
static int read_region(const char *path, const struct region *region, char *chunk, struct err *err)
{
	CLEANUP(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t at_bytes = region->start_bytes;
	uint64_t end_bytes = region->start_bytes + region->len_bytes;

	if (fd < 0)
		return err_set_errno(err, "pre_read: open '%s'", path);
	while (at_bytes < end_bytes) {
		ssize_t nr = pread(fd, chunk, PRE_READ_CHUNK_BYTES, (off_t)at_bytes);

		if (nr < 0)
			return err_set_errno(err, "pre_read: read '%s'", path);
		if (nr == 0)
			break;
		at_bytes += (uint64_t)nr;
	}
	return 0;
}

static int pre_read(const struct worker *worker, struct err *err)
{
	CLEANUP(free) char *chunk = xmalloc(PRE_READ_CHUNK_BYTES);
	int ret = 0;

	for (size_t i = 0; i < worker->config.plan->nr_files && ret == 0; i++) {
		if (worker->engine_files[i].fd >= 0)
			ret = read_region(entry_of(worker, i)->path,
					  &worker->config.plan->regions[i], chunk, err);
	}
	return ret;
}

int worker_open_files(struct worker *worker, struct err *err)
{
	size_t nr_files = worker->config.plan->nr_files;

	worker->engine_files = xcalloc(nr_files, sizeof(*worker->engine_files));
	for (size_t i = 0; i < nr_files; i++)
		worker->engine_files[i].fd = -1;
	for (size_t i = 0; i < nr_files; i++) {
		int ret = open_file(worker, i, err);

		if (ret < 0)
			return ret;
	}
	if (worker->job->invalidate && !worker->job->pre_read)
		worker_invalidate(worker);
	advise(worker);
	return worker->job->pre_read ? pre_read(worker, err) : 0;
}

void worker_close_files(struct worker *worker)
{
	for (size_t i = 0; worker->engine_files && i < worker->config.plan->nr_files; i++) {
		int fd = worker->engine_files[i].fd;

		if (fd < 0)
			continue;
		if (worker->job->fsync_on_close && fsync(fd) < 0 && errno != EINVAL)
			worker_fail(worker, errno, NULL, "fsync a file before it is closed");
		(void)close(fd);
	}
	free(worker->engine_files);
	worker->engine_files = NULL;
}

/* As empty as the job leaves it between two loops; only a mapping needs its full size at once. */
static int remake_file(const struct worker *worker, const struct file_entry *entry, struct err *err)
{
	bool needs_size = worker->engine->flags & ENGINE_NEEDS_MMAP;
	CLEANUP(fd) int fd = -1;

	(void)unlink(entry->path); /* gone already is as good */
	if (!(worker->config.plan->dirs & RW_WRITE))
		return 0; /* what only reads finds nothing any more */
	fd = open(entry->path, O_WRONLY | O_CREAT | O_CLOEXEC, DATA_FILE_MODE);
	if (fd < 0 || (needs_size && ftruncate(fd, (off_t)entry->needed_bytes) < 0))
		return err_set_errno(err, "create '%s'", entry->path);
	return 0;
}

int worker_remake_files(struct worker *worker, struct err *err)
{
	int ret = 0;

	worker_close_files(worker);
	for (size_t i = 0; ret == 0 && i < worker->config.plan->nr_files; i++) {
		enum file_kind kind = entry_of(worker, i)->kind;

		if (kind == FILE_REGULAR || kind == FILE_ABSENT) /* then the job has made it */
			ret = remake_file(worker, entry_of(worker, i), err);
	}
	return ret < 0 ? ret : worker_open_files(worker, err);
}
