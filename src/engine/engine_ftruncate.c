/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ftruncate: each write makes its offset the end of the file, and moves no data. */
#include "engine/engine_table.h"

#include <errno.h>
#include <unistd.h>

#include "engine/engine.h"
#include "engine/plain_io.h"

static int ftruncate_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	(void)err; /* cannot fail */
	*ret_state = plain_io_fds(config);
	return 0;
}

static int64_t ftruncate_at(int fd, const struct io_req *req)
{
	int ret;

	if (req->dir != IO_WRITE)
		return -EINVAL;
	do {
		ret = ftruncate(fd, (off_t)req->offset_bytes);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : (int64_t)req->len_bytes;
}

static int ftruncate_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	const int *fds = state;
	struct io_req *req = reqs[0];
	int fd = fds[req->file];

	(void)nr;
	req->result = req->dir == IO_SYNC ? plain_io_control(fd, req) : ftruncate_at(fd, req);
	return 1;
}

const struct engine_ops engine_ftruncate = {
	.name = "ftruncate",
	.summary = "ftruncate(2) to the offset of each write",
	.flags = ENGINE_SYNC | ENGINE_NO_DATA | ENGINE_CHANGES_FILES,
	.open = ftruncate_open,
	.submit = ftruncate_submit,
	.close = plain_io_free,
};
