/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plain_io: one blocking system call for one request. Which engine uses it when is theirs. */
#include "engine/plain_io.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/arena.h"
#include "engine/engine.h"

int *plain_io_fds(const struct engine_config *config)
{
	int *fds = xcalloc(config->nr_files + 1, sizeof(*fds));

	for (size_t i = 0; i < config->nr_files; i++)
		fds[i] = config->files[i].fd;
	return fds;
}

void plain_io_free(void *fds)
{
	free(fds);
}

int64_t plain_io_transfer(int fd, const struct io_req *req)
{
	off_t offset = (off_t)req->offset_bytes;
	ssize_t ret;

	do {
		ret = req->dir == IO_READ ? pread(fd, req->buf, req->len_bytes, offset)
					  : pwrite(fd, req->buf, req->len_bytes, offset);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

static int sync_as_asked(int fd, const struct io_req *req)
{
	if (req->range_flags)
		return sync_file_range(fd, (off_t)req->offset_bytes,
				       (off_t)(req->range_pages * ENGINE_PAGE_BYTES),
				       req->range_flags);
	return req->datasync ? fdatasync(fd) : fsync(fd);
}

static int64_t plain_io_sync(int fd, const struct io_req *req)
{
	int ret;

	do {
		ret = sync_as_asked(fd, req);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : 0;
}

static int64_t plain_io_trim(int fd, uint64_t offset_bytes, uint32_t len_bytes)
{
	uint64_t range[2] = { offset_bytes, len_bytes };
	int ret;

	do {
		ret = ioctl(fd, BLKDISCARD, range);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : (int64_t)len_bytes;
}

int64_t plain_io_control(int fd, const struct io_req *req)
{
	return req->dir == IO_TRIM ? plain_io_trim(fd, req->offset_bytes, req->len_bytes)
				   : plain_io_sync(fd, req);
}
