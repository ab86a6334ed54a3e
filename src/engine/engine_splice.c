/* SPDX-License-Identifier: GPL-2.0-or-later */
/* splice: data goes between file and memory through a pipe, without read and write of the file. */
#include "engine/engine_table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "engine/engine.h"
#include "engine/plain_io.h"

#define PIPE_BYTES (1 << 20) /* wished for; what an ordinary user may have (fs.pipe-max-size) */

struct splice_state {
	int *fds;
	int pipe_fds[2];
	size_t pipe_bytes;
};

static int splice_open_pipe(struct splice_state *state)
{
	int ret;

	if (pipe2(state->pipe_fds, O_CLOEXEC) < 0)
		return -1;
	/* Less is slower, not wrong. */
	(void)fcntl(state->pipe_fds[1], F_SETPIPE_SZ, PIPE_BYTES);
	ret = fcntl(state->pipe_fds[1], F_GETPIPE_SZ);
	state->pipe_bytes = ret > 0 ? (size_t)ret : 4096;
	return 0;
}

static void splice_close_pipe(struct splice_state *state)
{
	(void)close(state->pipe_fds[0]);
	(void)close(state->pipe_fds[1]);
}

static int splice_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	struct splice_state *state = xcalloc(1, sizeof(*state));

	if (splice_open_pipe(state) < 0) {
		free(state);
		return err_set_errno(err, "splice: make a pipe");
	}
	state->fds = plain_io_fds(config);
	*ret_state = state;
	return 0;
}

static void splice_close(void *arg)
{
	struct splice_state *state = arg;

	splice_close_pipe(state);
	free(state->fds);
	free(state);
}

/* What a failed step left in the pipe must not become part of the next request. */
static int64_t splice_fail(struct splice_state *state, int error)
{
	int old_fds[2] = { state->pipe_fds[0], state->pipe_fds[1] };

	if (splice_open_pipe(state) < 0) {
		state->pipe_fds[0] = old_fds[0];
		state->pipe_fds[1] = old_fds[1];
		return -error;
	}
	(void)close(old_fds[0]);
	(void)close(old_fds[1]);
	return -error;
}

/* len bytes out of the pipe, where they are already. */
static int splice_drain_to(struct splice_state *state, char *buf, size_t len)
{
	while (len > 0) {
		struct iovec vector = { .iov_base = buf, .iov_len = len };
		ssize_t ret = vmsplice(state->pipe_fds[0], &vector, 1, 0);

		if (ret < 0 && errno == EINTR)
			continue;
		if (ret <= 0)
			return ret < 0 ? -errno : -EIO;
		buf += ret;
		len -= (size_t)ret;
	}
	return 0;
}

/* One piece that fits into the pipe: bytes, 0 at the end of the file, -errno. */
static int64_t splice_read_piece(struct splice_state *state, int fd, loff_t offset, char *buf,
				 size_t len)
{
	ssize_t ret;
	int error;

	do {
		ret = splice(fd, &offset, state->pipe_fds[1], NULL, len, SPLICE_F_MOVE);
	} while (ret < 0 && errno == EINTR);
	if (ret < 0)
		return splice_fail(state, errno);
	error = splice_drain_to(state, buf, (size_t)ret);
	return error < 0 ? splice_fail(state, -error) : ret;
}

static int64_t splice_write_piece(struct splice_state *state, int fd, loff_t offset, char *buf,
				  size_t len)
{
	struct iovec vector = { .iov_base = buf, .iov_len = len };
	ssize_t in_pipe, ret;
	size_t written = 0;

	do {
		in_pipe = vmsplice(state->pipe_fds[1], &vector, 1, 0);
	} while (in_pipe < 0 && errno == EINTR);
	if (in_pipe < 0)
		return splice_fail(state, errno);
	while (written < (size_t)in_pipe) {
		ret = splice(state->pipe_fds[0], NULL, fd, &offset, (size_t)in_pipe - written,
			     SPLICE_F_MOVE);
		if (ret < 0 && errno == EINTR)
			continue;
		if (ret <= 0) {
			int64_t failed = splice_fail(state, ret < 0 ? errno : EIO);

			return written > 0 ? (int64_t)written : failed;
		}
		written += (size_t)ret;
	}
	return (int64_t)written;
}

/* Pages that lie across the pipe's buffers need one more of them. */
static size_t splice_piece_bytes(const struct splice_state *state, size_t left)
{
	size_t most = state->pipe_bytes / 2;

	return left < most ? left : most;
}

static int64_t splice_transfer(struct splice_state *state, const struct io_req *req)
{
	int fd = state->fds[req->file];
	size_t done = 0;

	while (done < req->len_bytes) {
		loff_t offset = (loff_t)(req->offset_bytes + done);
		char *buf = (char *)req->buf + done;
		size_t len = splice_piece_bytes(state, req->len_bytes - done);
		int64_t ret = req->dir == IO_READ ? splice_read_piece(state, fd, offset, buf, len)
						  : splice_write_piece(state, fd, offset, buf, len);

		if (ret < 0)
			return done > 0 ? (int64_t)done : ret;
		if (ret == 0)
			break;
		done += (size_t)ret;
	}
	return (int64_t)done;
}

static int splice_submit(void *arg, struct io_req *const *reqs, size_t nr)
{
	struct splice_state *state = arg;
	struct io_req *req = reqs[0];

	(void)nr;
	if (req->dir == IO_READ || req->dir == IO_WRITE)
		req->result = splice_transfer(state, req);
	else
		req->result = plain_io_control(state->fds[req->file], req);
	return 1;
}

const struct engine_ops engine_splice = {
	.name = "splice",
	.summary = "splice(2) and vmsplice(2) through a pipe",
	.flags = ENGINE_SYNC,
	.open = splice_open,
	.submit = splice_submit,
	.close = splice_close,
};
