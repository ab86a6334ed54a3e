/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mmap: copies from and to a shared mapping of each whole file, msync for fsync. Every file ends
 * where it ended at open. A copy that faults is made again by pread or pwrite, which says why.
 */
#include "engine/engine_table.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "engine/engine.h"
#include "engine/fault_copy.h"
#include "engine/plain_io.h"

struct mapped_file {
	char *start; /* NULL if the file is empty */
	uint64_t size_bytes;
	int fd;
};

struct mmap_state {
	struct mapped_file *files;
	size_t nr_files;
	uint64_t page_mask; /* page size - 1 */
	bool direct;
	sigset_t signal_mask; /* of the thread, before open */
};

static int mmap_map(const struct engine_file *file, const struct engine_config *config,
		    struct mapped_file *ret_mapped, struct err *err)
{
	bool writes = config->dirs & (1U << IO_WRITE);
	int prot = writes ? PROT_READ | PROT_WRITE : PROT_READ;
	void *start;

	*ret_mapped = (struct mapped_file){ .size_bytes = file->size_bytes, .fd = file->fd };
	if (file->size_bytes == 0)
		return 0;
	start = mmap(NULL, file->size_bytes, prot, MAP_SHARED, file->fd, 0);
	if (start == MAP_FAILED)
		return err_set_errno(err, "mmap: map %llu bytes of %s",
				     (unsigned long long)file->size_bytes, file->path);
	/* Advice only: how far the kernel reads ahead. */
	(void)madvise(start, file->size_bytes, config->random ? MADV_RANDOM : MADV_SEQUENTIAL);
	ret_mapped->start = start;
	return 0;
}

static void mmap_close(void *arg)
{
	struct mmap_state *state = arg;

	for (size_t i = 0; i < state->nr_files; i++) {
		if (state->files[i].start)
			(void)munmap(state->files[i].start, state->files[i].size_bytes);
	}
	fault_copy_disable(&state->signal_mask);
	free(state->files);
	free(state);
}

static int mmap_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	struct mmap_state *state;
	sigset_t signal_mask;
	int ret;

	ret = fault_copy_enable(&signal_mask, err);
	if (ret < 0)
		return ret;
	state = xcalloc(1, sizeof(*state));
	state->signal_mask = signal_mask;
	state->page_mask = (uint64_t)sysconf(_SC_PAGESIZE) - 1;
	state->direct = config->direct;
	state->files = xcalloc(config->nr_files + 1, sizeof(*state->files));
	for (size_t i = 0; i < config->nr_files; i++) {
		ret = mmap_map(&config->files[i], config, &state->files[i], err);
		if (ret < 0) {
			mmap_close(state);
			return ret;
		}
		state->nr_files++;
	}
	*ret_state = state;
	return 0;
}

/* What direct I/O would do: nothing of the range stays in memory unwritten or mapped. */
static int mmap_leave(const struct mmap_state *state, const struct mapped_file *file,
		      uint64_t offset_bytes, uint64_t len_bytes)
{
	char *start = file->start + (offset_bytes & ~state->page_mask);
	size_t len = (offset_bytes & state->page_mask) + len_bytes;

	if (msync(start, len, MS_SYNC) < 0 || madvise(start, len, MADV_DONTNEED) < 0)
		return -errno;
	return 0;
}

static int64_t mmap_transfer(const struct mmap_state *state, const struct mapped_file *file,
			     const struct io_req *req)
{
	uint64_t len = req->len_bytes;
	char *mapped;
	int ret;

	if (req->offset_bytes >= file->size_bytes)
		return req->dir == IO_READ ? 0 : -EFAULT;
	if (len > file->size_bytes - req->offset_bytes)
		len = file->size_bytes - req->offset_bytes;
	mapped = file->start + req->offset_bytes;
	if (req->dir == IO_READ ? !fault_copy(req->buf, mapped, len)
				: !fault_copy(mapped, req->buf, len))
		return plain_io_transfer(file->fd, req);
	if (state->direct) {
		ret = mmap_leave(state, file, req->offset_bytes, len);
		if (ret < 0)
			return ret;
	}
	return (int64_t)len;
}

static int64_t mmap_sync(const struct mapped_file *file)
{
	if (!file->start)
		return 0;
	return msync(file->start, file->size_bytes, MS_SYNC) < 0 ? -errno : 0;
}

static int mmap_submit(void *arg, struct io_req *const *reqs, size_t nr)
{
	const struct mmap_state *state = arg;
	struct io_req *req = reqs[0];
	const struct mapped_file *file = &state->files[req->file];

	(void)nr;
	if (req->dir == IO_SYNC)
		req->result = mmap_sync(file);
	else if (req->dir == IO_TRIM)
		req->result = plain_io_control(file->fd, req);
	else
		req->result = mmap_transfer(state, file, req);
	return 1;
}

const struct engine_ops engine_mmap = {
	.name = "mmap",
	.summary = "memcpy from or to a mapping of the file, msync(2) for fsync",
	.flags = ENGINE_SYNC | ENGINE_NEEDS_MMAP,
	.open = mmap_open,
	.submit = mmap_submit,
	.close = mmap_close,
};
