/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * vsync: joins requests that follow each other in one file and direction into one vectored call.
 * A request that does not follow forces the waiting ones out first; so does a reap that finds
 * nothing done. Everything is blocking: a request is either waiting here or done.
 */
#include "engine/engine_table.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "base/arena.h"
#include "engine/done_queue.h"
#include "engine/engine.h"
#include "engine/plain_io.h"

struct vsync_state {
	int *fds;
	struct io_req **waiting; /* adjacent, in the order of their offsets */
	struct iovec *vector;	 /* one element for each of them */
	size_t nr_waiting;
	size_t max_waiting;
	uint64_t end_bytes; /* where the last of them ends */
	struct done_queue done;
};

static int vsync_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	struct vsync_state *state = xcalloc(1, sizeof(*state));

	(void)err; /* cannot fail */
	state->fds = plain_io_fds(config);
	state->max_waiting = config->nr_slots < IOV_MAX ? config->nr_slots : IOV_MAX;
	state->waiting = xcalloc(state->max_waiting, sizeof(struct io_req *));
	state->vector = xcalloc(state->max_waiting, sizeof(*state->vector));
	done_queue_init(&state->done, config->nr_slots);
	*ret_state = state;
	return 0;
}

static void vsync_close(void *arg)
{
	struct vsync_state *state = arg;

	done_queue_release(&state->done);
	free(state->vector);
	free(state->waiting);
	free(state->fds);
	free(state);
}

/* Bytes or -errno of the waiting requests from index first on, as one transfer. */
static int64_t vsync_transfer(const struct vsync_state *state, size_t first)
{
	const struct io_req *req = state->waiting[first];
	const struct iovec *vector = state->vector + first;
	int nr = (int)(state->nr_waiting - first);
	int fd = state->fds[req->file];
	off_t offset = (off_t)req->offset_bytes;
	ssize_t ret;

	do {
		ret = req->dir == IO_READ ? preadv(fd, vector, nr, offset)
					  : pwritev(fd, vector, nr, offset);
	} while (ret < 0 && errno == EINTR);
	return ret < 0 ? -errno : ret;
}

/*
 * Gives every waiting request its result. What a short or failed transfer did not reach is tried
 * again from there, so that each result is what the kernel said about that very request.
 */
static void vsync_flush(struct vsync_state *state)
{
	size_t i = 0;

	while (i < state->nr_waiting) {
		int64_t left = vsync_transfer(state, i);

		do {
			struct io_req *req = state->waiting[i++];

			req->result = left < req->len_bytes ? left : req->len_bytes;
			left -= req->result;
			done_queue_push(&state->done, req);
		} while (left > 0 && i < state->nr_waiting);
	}
	state->nr_waiting = 0;
}

static bool vsync_follows(const struct vsync_state *state, const struct io_req *req)
{
	const struct io_req *first = state->waiting[0];

	return state->nr_waiting < state->max_waiting && req->dir == first->dir &&
	       req->file == first->file && req->offset_bytes == state->end_bytes;
}

static void vsync_take(struct vsync_state *state, struct io_req *req)
{
	if (state->nr_waiting > 0 && !vsync_follows(state, req))
		vsync_flush(state);
	if (req->dir != IO_READ && req->dir != IO_WRITE) {
		req->result = plain_io_control(state->fds[req->file], req);
		done_queue_push(&state->done, req);
		return;
	}
	state->vector[state->nr_waiting] =
		(struct iovec){ .iov_base = req->buf, .iov_len = req->len_bytes };
	state->waiting[state->nr_waiting++] = req;
	state->end_bytes = req->offset_bytes + req->len_bytes;
}

static int vsync_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		vsync_take(state, reqs[i]);
	return (int)nr;
}

static int vsync_reap(void *arg, struct io_req **done, size_t min, size_t max)
{
	struct vsync_state *state = arg;
	size_t nr = done_queue_pop(&state->done, done, max);

	if (nr < min || nr == 0) {
		vsync_flush(state);
		nr += done_queue_pop(&state->done, done + nr, max - nr);
	}
	return (int)nr;
}

const struct engine_ops engine_vsync = {
	.name = "vsync",
	.summary = "preadv(2) or pwritev(2) of up to iodepth adjacent requests",
	.flags = ENGINE_NO_SLAT,
	.open = vsync_open,
	.submit = vsync_submit,
	.reap = vsync_reap,
	.close = vsync_close,
};
