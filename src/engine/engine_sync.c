/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sync, psync, pvsync: one blocking call for one request, so the worker itself is the queue. */
#include "engine/engine_table.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/arena.h"
#include "engine/engine.h"
#include "engine/plain_io.h"

#define POSITION_UNKNOWN UINT64_MAX

struct sync_state {
	int *fds;
	uint64_t *positions; /* of each descriptor; kept by sync only */
};

/* Bytes, or -1 and errno. */
typedef ssize_t sync_transfer_fn(struct sync_state *state, const struct io_req *req);

static int sync_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	struct sync_state *state = xcalloc(1, sizeof(*state));

	(void)err; /* cannot fail */
	state->fds = plain_io_fds(config);
	state->positions = xcalloc(config->nr_files + 1, sizeof(*state->positions));
	for (size_t i = 0; i < config->nr_files; i++)
		state->positions[i] = POSITION_UNKNOWN;
	*ret_state = state;
	return 0;
}

static void sync_close(void *arg)
{
	struct sync_state *state = arg;

	free(state->positions);
	free(state->fds);
	free(state);
}

/* Inlined into each engine's submit, where transfer is a constant and the call direct. */
static inline __attribute__((always_inline)) int sync_complete(struct sync_state *state,
							       struct io_req *req,
							       sync_transfer_fn *transfer)
{
	ssize_t ret;

	if (req->dir != IO_READ && req->dir != IO_WRITE) {
		req->result = plain_io_control(state->fds[req->file], req);
		return 1;
	}
	do {
		ret = transfer(state, req);
	} while (ret < 0 && errno == EINTR);
	req->result = ret < 0 ? -errno : ret;
	return 1;
}

static ssize_t transfer_at_position(struct sync_state *state, const struct io_req *req)
{
	int fd = state->fds[req->file];
	uint64_t *position = &state->positions[req->file];
	ssize_t ret;

	if (*position != req->offset_bytes && lseek(fd, (off_t)req->offset_bytes, SEEK_SET) < 0)
		return -1;
	ret = req->dir == IO_READ ? read(fd, req->buf, req->len_bytes)
				  : write(fd, req->buf, req->len_bytes);
	*position = ret < 0 ? POSITION_UNKNOWN : req->offset_bytes + (uint64_t)ret;
	return ret;
}

static ssize_t transfer_at_offset(struct sync_state *state, const struct io_req *req)
{
	int fd = state->fds[req->file];
	off_t offset = (off_t)req->offset_bytes;

	return req->dir == IO_READ ? pread(fd, req->buf, req->len_bytes, offset)
				   : pwrite(fd, req->buf, req->len_bytes, offset);
}

static ssize_t transfer_vector(struct sync_state *state, const struct io_req *req)
{
	struct iovec vector = { .iov_base = req->buf, .iov_len = req->len_bytes };
	int fd = state->fds[req->file];
	off_t offset = (off_t)req->offset_bytes;

	return req->dir == IO_READ ? preadv(fd, &vector, 1, offset)
				   : pwritev(fd, &vector, 1, offset);
}

static int sync_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	(void)nr;
	return sync_complete(state, reqs[0], transfer_at_position);
}

static int psync_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	(void)nr;
	return sync_complete(state, reqs[0], transfer_at_offset);
}

static int pvsync_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	(void)nr;
	return sync_complete(state, reqs[0], transfer_vector);
}

const struct engine_ops engine_sync = {
	.name = "sync",
	.summary = "lseek(2) where needed, then read(2) or write(2)",
	.flags = ENGINE_SYNC,
	.open = sync_open,
	.submit = sync_submit,
	.close = sync_close,
};

const struct engine_ops engine_psync = {
	.name = "psync",
	.summary = "pread(2) or pwrite(2)",
	.flags = ENGINE_SYNC,
	.open = sync_open,
	.submit = psync_submit,
	.close = sync_close,
};

const struct engine_ops engine_pvsync = {
	.name = "pvsync",
	.summary = "preadv(2) or pwritev(2) of one buffer",
	.flags = ENGINE_SYNC,
	.open = sync_open,
	.submit = pvsync_submit,
	.close = sync_close,
};
