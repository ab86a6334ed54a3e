/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * posixaio: aio_read and aio_write of the C library, which has threads of its own for them. What
 * is in flight is a list of control blocks; a reap looks at each.
 */
#include "engine/engine_table.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "base/arena.h"
#include "engine/engine.h"
#include "engine/in_flight.h"
#include "engine/plain_io.h"

struct posixaio_state {
	int *fds;
	struct io_req *reqs;
	struct aiocb *blocks;		 /* one for each slot */
	const struct aiocb **in_library; /* blocks not reaped, without gaps */
	struct in_flight in_flight;	 /* nr_in_kernel: length of that list */
};

static int posixaio_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	struct posixaio_state *state = xcalloc(1, sizeof(*state));

	(void)err; /* cannot fail */
	state->fds = plain_io_fds(config);
	state->reqs = config->reqs;
	state->blocks = xcalloc(config->nr_slots, sizeof(*state->blocks));
	state->in_library = xcalloc(config->nr_slots, sizeof(struct aiocb *));
	done_queue_init(&state->in_flight.done, config->nr_slots);
	*ret_state = state;
	return 0;
}

static int posixaio_start(struct posixaio_state *state, const struct io_req *req)
{
	struct aiocb *block = &state->blocks[req->slot];
	int ret;

	*block = (struct aiocb){
		.aio_fildes = state->fds[req->file],
		.aio_buf = req->buf,
		.aio_nbytes = req->len_bytes,
		.aio_offset = (off_t)req->offset_bytes,
		.aio_sigevent.sigev_notify = SIGEV_NONE,
	};
	if (req->dir == IO_READ)
		ret = aio_read(block);
	else if (req->dir == IO_WRITE)
		ret = aio_write(block);
	else
		ret = aio_fsync(req->datasync ? O_DSYNC : O_SYNC, block);
	if (ret < 0)
		return -errno;
	state->in_library[state->in_flight.nr_in_kernel++] = block;
	return 0;
}

/* Takes one request; -EAGAIN where the library has no room. */
static int posixaio_take(struct posixaio_state *state, struct io_req *req)
{
	int ret;

	if (req->dir == IO_TRIM || (req->dir == IO_SYNC && req->range_flags)) {
		req->result = plain_io_control(state->fds[req->file], req);
	} else {
		ret = posixaio_start(state, req);
		if (ret == 0 || ret == -EAGAIN)
			return ret;
		req->result = ret;
	}
	done_queue_push(&state->in_flight.done, req);
	return 0;
}

static int posixaio_submit(void *arg, struct io_req *const *reqs, size_t nr)
{
	struct posixaio_state *state = arg;

	for (size_t i = 0; i < nr; i++) {
		int ret = posixaio_take(state, reqs[i]);

		if (ret < 0)
			return i > 0 ? (int)i : ret;
	}
	return (int)nr;
}

/* Moves what is done from the first nr of the list to done; the list has no gap afterwards. */
static size_t posixaio_collect(struct posixaio_state *state, size_t nr_listed, struct io_req **done,
			       size_t max)
{
	size_t nr = 0;
	size_t nr_kept = 0;

	for (size_t i = 0; i < nr_listed; i++) {
		struct aiocb *block = &state->blocks[state->in_library[i] - state->blocks];
		int error = nr < max ? aio_error(block) : EINPROGRESS;
		struct io_req *req;

		if (error == EINPROGRESS) {
			state->in_library[nr_kept++] = block;
			continue;
		}
		req = &state->reqs[block - state->blocks];
		req->result = aio_return(block);
		if (error)
			req->result = -error;
		done[nr++] = req;
	}
	return nr;
}

static int posixaio_reap_library(void *arg, struct io_req **done, size_t min, size_t max)
{
	struct posixaio_state *state = arg;
	size_t nr_listed =
		state->in_flight.nr_in_kernel; /* in_flight_reap takes off what we give */
	size_t nr = posixaio_collect(state, nr_listed, done, max);

	while (nr < min) {
		nr_listed = state->in_flight.nr_in_kernel - nr;
		(void)aio_suspend(state->in_library, (int)nr_listed, NULL); /* or a signal */
		nr += posixaio_collect(state, nr_listed, done + nr, max - nr);
	}
	return (int)nr;
}

static int posixaio_reap(void *arg, struct io_req **done, size_t min, size_t max)
{
	struct posixaio_state *state = arg;

	return in_flight_reap(&state->in_flight, done, min, max, posixaio_reap_library, state);
}

static void posixaio_close(void *arg)
{
	struct posixaio_state *state = arg;
	struct io_req *done[64];

	while (state->in_flight.nr_in_kernel > 0)
		(void)posixaio_reap(state, done, 1, sizeof(done) / sizeof(done[0]));
	done_queue_release(&state->in_flight.done);
	free(state->in_library);
	free(state->blocks);
	free(state->fds);
	free(state);
}

const struct engine_ops engine_posixaio = {
	.name = "posixaio",
	.summary = "aio_read(3) and aio_write(3), threads of the C library",
	.open = posixaio_open,
	.submit = posixaio_submit,
	.reap = posixaio_reap,
	.close = posixaio_close,
};
