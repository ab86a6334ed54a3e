/* SPDX-License-Identifier: GPL-2.0-or-later */
/* falloc: each request changes what is allocated to its range of the file, and moves no data. */
#include "engine/engine_table.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/falloc.h>

#include "engine/engine.h"
#include "engine/plain_io.h"

static int falloc_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	(void)err; /* cannot fail */
	*ret_state = plain_io_fds(config);
	return 0;
}

static int64_t falloc_range(int fd, const struct io_req *req)
{
	static const int modes[] = {
		[IO_READ] = FALLOC_FL_KEEP_SIZE,
		[IO_WRITE] = 0,
		[IO_TRIM] = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
	};
	int ret;

	do {
		ret = fallocate(fd, modes[req->dir], (off_t)req->offset_bytes, req->len_bytes);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : (int64_t)req->len_bytes;
}

static int falloc_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	const int *fds = state;
	struct io_req *req = reqs[0];
	int fd = fds[req->file];

	(void)nr;
	req->result = req->dir == IO_SYNC ? plain_io_control(fd, req) : falloc_range(fd, req);
	return 1;
}

const struct engine_ops engine_falloc = {
	.name = "falloc",
	.summary = "fallocate(2): read keeps the size, write extends, trim punches a hole",
	.flags = ENGINE_SYNC | ENGINE_NO_DATA | ENGINE_CHANGES_FILES,
	.open = falloc_open,
	.submit = falloc_submit,
	.close = plain_io_free,
};
