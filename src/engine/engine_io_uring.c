/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_uring: liburing sets the rings up; submission entries are written in place, one for each
 * slot, and completions are read from the ring. Trim has no opcode and is done inside submit.
 * Setting up and its errors are in uring_setup.c.
 */
#include "engine/engine_table.h"

#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "base/arena.h"
#include "engine/engine.h"
#include "engine/in_flight.h"
#include "engine/plain_io.h"
#include "engine/rw_flags.h"
#include "engine/spin.h"
#include "engine/uring_setup.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

struct uring_state {
	struct io_uring ring;
	int enter_fd;	      /* index of the registered ring, or the descriptor */
	unsigned enter_flags; /* says which of the two */
	unsigned sq_tail;
	unsigned char opcodes[IO_SYNC + 1];
	bool fixed_buffers;
	unsigned buffer_shift; /* from slot to registered buffer */
	unsigned char sqe_flags;
	int *fds;
	int *sqe_fds; /* the same, or indices of registered files */
	struct spin spin;
	struct in_flight in_flight;

	/* looked at by the record for special options only */
	struct iovec *vectors; /* one for each slot; NULL: READ and WRITE */
	int rw_flags[2];
	unsigned force_async, nr_since_async;
	bool has_thread; /* of the kernel, which submits */
	bool is_polled;	 /* the ring has no fsync */
};

static int uring_register(struct uring_state *state, const struct engine_config *config,
			  struct err *err)
{
	int ret;

	if (config->options.fixedbufs) {
		ret = uring_setup_buffers(&state->ring, config, &state->buffer_shift, err);
		if (ret < 0)
			return ret;
		state->fixed_buffers = true;
		state->opcodes[IO_READ] = IORING_OP_READ_FIXED;
		state->opcodes[IO_WRITE] = IORING_OP_WRITE_FIXED;
	}
	if (config->options.registerfiles) {
		ret = uring_setup_files(&state->ring, state->fds, config->nr_files, err);
		if (ret < 0)
			return ret;
		state->sqe_flags = IOSQE_FIXED_FILE;
		for (size_t i = 0; i < config->nr_files; i++)
			state->sqe_fds[i] = (int)i;
	}
	return 0;
}

static void uring_set_special(struct uring_state *state, const struct engine_config *config)
{
	const struct engine_options *options = &config->options;

	/* registered buffers have no vectored form */
	if (options->nonvectored == ENGINE_VECTORS && !options->fixedbufs) {
		state->vectors = xcalloc(config->nr_slots, sizeof(*state->vectors));
		state->opcodes[IO_READ] = IORING_OP_READV;
		state->opcodes[IO_WRITE] = IORING_OP_WRITEV;
	}
	state->rw_flags[IO_READ] = rw_flags_of(options, IO_READ);
	state->rw_flags[IO_WRITE] = rw_flags_of(options, IO_WRITE);
	state->force_async = options->force_async;
	state->has_thread = options->sqthread_poll;
	state->is_polled = options->hipri;
}

static void uring_free(struct uring_state *state)
{
	io_uring_queue_exit(&state->ring);
	done_queue_release(&state->in_flight.done);
	free(state->vectors);
	free(state->sqe_fds);
	free(state->fds);
	free(state);
}

static int uring_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	struct uring_state *state = xcalloc(1, sizeof(*state));
	int ret;

	ret = uring_setup_ring(&state->ring, config, err);
	if (ret < 0) {
		free(state);
		return ret;
	}
	state->opcodes[IO_READ] = IORING_OP_READ;
	state->opcodes[IO_WRITE] = IORING_OP_WRITE;
	state->opcodes[IO_SYNC] = IORING_OP_FSYNC;
	uring_set_special(state, config);
	state->fds = plain_io_fds(config);
	state->sqe_fds = plain_io_fds(config);
	done_queue_init(&state->in_flight.done, config->nr_slots);
	if (!config->options.hipri) /* then only our calls look for completions */
		spin_init(&state->spin);
	ret = uring_register(state, config, err);
	if (ret < 0) {
		uring_free(state);
		return ret;
	}
	/* Saves looking the descriptor up in every call; since 5.18. */
	if (io_uring_register_ring_fd(&state->ring) == 1)
		state->enter_flags = IORING_ENTER_REGISTERED_RING;
	state->enter_fd = state->ring.enter_ring_fd;
	state->sq_tail = *state->ring.sq.ktail;
	*ret_state = state;
	return 0;
}

static void uring_prepare_sync(struct io_uring_sqe *sqe, const struct io_req *req)
{
	uint64_t len_bytes = req->range_pages * ENGINE_PAGE_BYTES;

	if (!req->range_flags) {
		sqe->fsync_flags = req->datasync ? IORING_FSYNC_DATASYNC : 0;
		return;
	}
	sqe->opcode = IORING_OP_SYNC_FILE_RANGE;
	sqe->off = req->offset_bytes;
	sqe->len = len_bytes > UINT32_MAX ? 0 : (uint32_t)len_bytes; /* 0: all that follow */
	sqe->sync_range_flags = req->range_flags;
}

static ALWAYS_INLINE void uring_prepare(struct uring_state *state, const struct io_req *req)
{
	/* The ring refers to entries by index, so that each slot can keep its own. */
	struct io_uring_sqe *sqe = &state->ring.sq.sqes[req->slot];

	*sqe = (struct io_uring_sqe){
		.opcode = state->opcodes[req->dir],
		.flags = state->sqe_flags,
		.fd = state->sqe_fds[req->file],
		.user_data = (uintptr_t)req,
	};
	if (req->dir == IO_SYNC) {
		uring_prepare_sync(sqe, req);
		return;
	}
	sqe->off = req->offset_bytes;
	sqe->addr = (uintptr_t)req->buf;
	sqe->len = req->len_bytes;
	if (state->fixed_buffers)
		sqe->buf_index = (unsigned short)(req->slot >> state->buffer_shift);
}

/* What the special options change in a prepared entry. */
static void uring_make_special(struct uring_state *state, const struct io_req *req)
{
	struct io_uring_sqe *sqe = &state->ring.sq.sqes[req->slot];

	if (state->force_async && ++state->nr_since_async == state->force_async) {
		sqe->flags |= IOSQE_ASYNC;
		state->nr_since_async = 0;
	}
	if (req->dir == IO_SYNC)
		return;
	sqe->rw_flags = state->rw_flags[req->dir];
	if (state->vectors) {
		struct iovec *vector = &state->vectors[req->slot];

		*vector = (struct iovec){ .iov_base = req->buf, .iov_len = req->len_bytes };
		sqe->addr = (uintptr_t)vector;
		sqe->len = 1;
	}
}

/* Makes nr prepared entries visible to the thread of the kernel, and wakes it if it sleeps. There
 * is room for all slots, so it takes every one. */
static int uring_leave_to_thread(struct uring_state *state, size_t nr)
{
	int ret = 0;

	state->sq_tail += (unsigned)nr;
	__atomic_store_n(state->ring.sq.ktail, state->sq_tail, __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_SEQ_CST); /* the tail before the flag, as it does */
	if (__atomic_load_n(state->ring.sq.kflags, __ATOMIC_RELAXED) & IORING_SQ_NEED_WAKEUP) {
		do {
			ret = io_uring_enter((unsigned)state->enter_fd, (unsigned)nr, 0,
					     state->enter_flags | IORING_ENTER_SQ_WAKEUP, NULL);
		} while (ret == -EINTR || ret == -EAGAIN || ret == -EBUSY);
	}
	return ret < 0 ? ret : (int)nr;
}

/* Makes nr prepared entries visible and enters the kernel. Number it took, or -errno. */
static ALWAYS_INLINE int uring_hand_over(struct uring_state *state, size_t nr)
{
	unsigned *ktail = state->ring.sq.ktail;
	int ret;

	__atomic_store_n(ktail, state->sq_tail + (unsigned)nr, __ATOMIC_RELEASE);
	do {
		/* GETEVENTS without a minimum posts what is complete, so that reap finds it. */
		ret = io_uring_enter((unsigned)state->enter_fd, (unsigned)nr, 0,
				     state->enter_flags | IORING_ENTER_GETEVENTS, NULL);
	} while (ret == -EINTR);
	if (ret > 0)
		state->sq_tail += (unsigned)ret;
	/* The kernel reads the ring only inside the call: entries it left can be taken back. */
	__atomic_store_n(ktail, state->sq_tail, __ATOMIC_RELEASE);
	return ret;
}

/* Done here and now, for want of an opcode. */
static int uring_do_inline(struct uring_state *state, struct io_req *req)
{
	req->result = plain_io_control(state->fds[req->file], req);
	done_queue_push(&state->in_flight.done, req);
	return 1;
}

static ALWAYS_INLINE bool uring_is_inline(const struct uring_state *state, enum io_dir dir,
					  bool is_special)
{
	return dir == IO_TRIM || (is_special && dir == IO_SYNC && state->is_polled);
}

/* Inlined into each record's submit, where is_special is a constant. */
static ALWAYS_INLINE int uring_submit_as(struct uring_state *state, struct io_req *const *reqs,
					 size_t nr, bool is_special)
{
	const struct io_uring_sq *sq = &state->ring.sq;
	size_t nr_batch = 0;
	int ret;

	if (uring_is_inline(state, reqs[0]->dir, is_special))
		return uring_do_inline(state, reqs[0]);
	for (; nr_batch < nr && !uring_is_inline(state, reqs[nr_batch]->dir, is_special);
	     nr_batch++) {
		uring_prepare(state, reqs[nr_batch]);
		if (is_special)
			uring_make_special(state, reqs[nr_batch]);
		sq->array[(state->sq_tail + nr_batch) & sq->ring_mask] = reqs[nr_batch]->slot;
	}
	ret = is_special && state->has_thread ? uring_leave_to_thread(state, nr_batch)
					      : uring_hand_over(state, nr_batch);
	if (ret > 0) {
		state->in_flight.nr_in_kernel += (size_t)ret;
		return ret;
	}
	return ret == 0 || ret == -EBUSY ? -EAGAIN : ret;
}

static int uring_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	return uring_submit_as(state, reqs, nr, false);
}

static int uring_submit_special(void *state, struct io_req *const *reqs, size_t nr)
{
	return uring_submit_as(state, reqs, nr, true);
}

static size_t uring_reap_ring(const struct io_uring_cq *cq, struct io_req **done, size_t max)
{
	unsigned head = *cq->khead; /* moved by us only */
	unsigned nr = __atomic_load_n(cq->ktail, __ATOMIC_ACQUIRE) - head;

	if (nr > max)
		nr = (unsigned)max;
	for (unsigned i = 0; i < nr; i++) {
		const struct io_uring_cqe *cqe = &cq->cqes[(head + i) & cq->ring_mask];
		struct io_req *req = (struct io_req *)(uintptr_t)cqe->user_data;

		req->result = cqe->res;
		done[i] = req;
	}
	__atomic_store_n(cq->khead, head + nr, __ATOMIC_RELEASE);
	return nr;
}

/* True if a completion is in the ring, or waits for our next call to be put there. */
static bool uring_has_news(const struct uring_state *state)
{
	const struct io_uring_cq *cq = &state->ring.cq;

	return (__atomic_load_n(state->ring.sq.kflags, __ATOMIC_RELAXED) & IORING_SQ_TASKRUN) ||
	       __atomic_load_n(cq->ktail, __ATOMIC_RELAXED) != *cq->khead;
}

static void uring_spin(struct uring_state *state)
{
	unsigned left = state->spin.limit;

	if (!spin_allowed(&state->spin))
		return;
	while (left > 0 && !uring_has_news(state)) {
		spin_relax();
		left--;
	}
	spin_learn(&state->spin, left > 0);
}

/* A poll that finds nothing lets the kernel look once, which completes deferred work. */
static int uring_reap_kernel(void *arg, struct io_req **done, size_t min, size_t max)
{
	struct uring_state *state = arg;
	size_t nr = uring_reap_ring(&state->ring.cq, done, max);
	bool look = nr < min || nr == 0;

	if (min - nr == 1) /* the first news end the wait */
		uring_spin(state);
	while (look) {
		size_t wanted = min > nr ? min - nr : 0;
		int ret = io_uring_enter((unsigned)state->enter_fd, 0, (unsigned)wanted,
					 state->enter_flags | IORING_ENTER_GETEVENTS, NULL);

		if (ret < 0 && ret != -EINTR)
			return nr > 0 ? (int)nr : ret;
		nr += uring_reap_ring(&state->ring.cq, done + nr, max - nr);
		look = nr < min;
	}
	return (int)nr;
}

static int uring_reap(void *arg, struct io_req **done, size_t min, size_t max)
{
	struct uring_state *state = arg;

	return in_flight_reap(&state->in_flight, done, min, max, uring_reap_kernel, state);
}

static void uring_close(void *arg)
{
	struct io_uring_sync_cancel_reg everything = {
		.fd = -1,
		.flags = IORING_ASYNC_CANCEL_ANY,
		.timeout = { .tv_sec = -1, .tv_nsec = -1 }, /* none */
	};
	struct uring_state *state = arg;
	struct io_req *done[64];
	int ret = 1;

	/* What waits for data that may never come; disk I/O ends by itself. Since 6.0. */
	if (state->in_flight.nr_in_kernel > 0)
		(void)io_uring_register_sync_cancel(&state->ring, &everything);
	/* Leaving the ring does not wait, and the buffers are unmapped next. */
	while (state->in_flight.nr_in_kernel > 0 && ret > 0)
		ret = uring_reap(state, done, 1, sizeof(done) / sizeof(done[0]));
	uring_free(state);
}

static const struct engine_ops uring_special = {
	.name = "io_uring",
	.summary = "io_uring(7) with options that change how requests are made",
	.open = uring_open,
	.submit = uring_submit_special,
	.reap = uring_reap,
	.close = uring_close,
};

static const struct engine_ops *uring_variant(const struct engine_options *options, size_t iodepth)
{
	(void)iodepth;
	if (options->hipri || options->sqthread_poll || options->uncached || options->nowait ||
	    options->atomic || options->force_async || options->nonvectored == ENGINE_VECTORS)
		return &uring_special;
	return &engine_io_uring;
}

const struct engine_ops engine_io_uring = {
	.name = "io_uring",
	.summary = "io_uring(7), with fixedbufs and registerfiles if asked for",
	.variant = uring_variant,
	.open = uring_open,
	.submit = uring_submit,
	.reap = uring_reap,
	.close = uring_close,
};
