/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libaio: io_submit and io_getevents. Completions are taken straight from the ring that the
 * kernel maps into the process where its header says that the layout is the known one; a system
 * call is only made to wait. What AIO does not have, a trim for one, is done inside submit.
 */
#include "engine/engine_table.h"

#include <errno.h>
#include <libaio.h>
#include <limits.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "engine/engine.h"
#include "engine/in_flight.h"
#include "engine/plain_io.h"
#include "engine/rw_flags.h"

/* What the kernel maps at the address that an io_context_t is. */
struct completion_ring {
	unsigned id;
	unsigned nr_events;
	unsigned head; /* moved by whoever takes events */
	unsigned tail; /* moved by the kernel */
	unsigned magic;
	unsigned compat_features;
	unsigned incompat_features;
	unsigned header_bytes;
	struct io_event events[];
};

#define ALWAYS_INLINE inline __attribute__((always_inline))
#define COMPLETION_RING_MAGIC 0xa10a10a1U

struct libaio_state {
	io_context_t context;
	struct completion_ring *ring; /* NULL: events only by system call */
	int *fds;
	struct iocb *iocbs;	 /* one for each slot */
	struct iocb **batch;	 /* argument of one io_submit */
	struct io_event *events; /* answer of one io_getevents */
	unsigned rw_flags[2];	 /* of every read and write */
	struct in_flight in_flight;
};

static struct completion_ring *libaio_find_ring(io_context_t context)
{
	struct completion_ring *ring = (struct completion_ring *)context;

	if (ring->magic != COMPLETION_RING_MAGIC || ring->incompat_features != 0 ||
	    ring->header_bytes != sizeof(*ring))
		return NULL;
	return ring;
}

static int libaio_setup_error(int code, size_t nr_slots, struct err *err)
{
	if (code == ENOSYS)
		return err_set(err, ERR_UNSUPPORTED, "libaio: this kernel has no AIO (CONFIG_AIO)");
	if (code == EAGAIN)
		return err_set(err, ERR_UNSUPPORTED,
			       "libaio: iodepth %zu is more than fs.aio-max-nr leaves", nr_slots);
	errno = code;
	return err_set_errno(err, "libaio: io_setup for iodepth %zu", nr_slots);
}

static int libaio_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	io_context_t context = NULL;
	struct libaio_state *state;
	size_t nr_slots = config->nr_slots;
	int ret;

	if (nr_slots > INT_MAX)
		return libaio_setup_error(EINVAL, nr_slots, err);
	ret = io_setup((int)nr_slots, &context);
	if (ret < 0)
		return libaio_setup_error(-ret, nr_slots, err);

	state = xcalloc(1, sizeof(*state));
	state->context = context;
	state->ring = libaio_find_ring(context);
	state->rw_flags[IO_READ] = (unsigned)rw_flags_of(&config->options, IO_READ);
	state->rw_flags[IO_WRITE] = (unsigned)rw_flags_of(&config->options, IO_WRITE);
	state->fds = plain_io_fds(config);
	state->iocbs = xcalloc(nr_slots, sizeof(*state->iocbs));
	state->batch = xcalloc(nr_slots, sizeof(struct iocb *));
	state->events = xcalloc(nr_slots, sizeof(*state->events));
	done_queue_init(&state->in_flight.done, nr_slots);
	*ret_state = state;
	return 0;
}

static void libaio_close(void *arg)
{
	struct libaio_state *state = arg;

	(void)io_destroy(state->context); /* waits for what is in flight */
	done_queue_release(&state->in_flight.done);
	free(state->events);
	free(state->batch);
	free(state->iocbs);
	free(state->fds);
	free(state);
}

static ALWAYS_INLINE struct iocb *libaio_prepare(struct libaio_state *state, struct io_req *req)
{
	static const short opcodes[] = { [IO_READ] = IO_CMD_PREAD, [IO_WRITE] = IO_CMD_PWRITE };
	struct iocb *iocb = &state->iocbs[req->slot];

	iocb->data = req;
	iocb->aio_fildes = state->fds[req->file];
	if (req->dir == IO_SYNC) { /* the kernel insists on zeros */
		iocb->aio_lio_opcode = req->datasync ? IO_CMD_FDSYNC : IO_CMD_FSYNC;
		iocb->u.c.buf = NULL;
		iocb->u.c.nbytes = 0;
		iocb->u.c.offset = 0;
		return iocb;
	}
	iocb->aio_lio_opcode = opcodes[req->dir];
	iocb->u.c.buf = req->buf;
	iocb->u.c.nbytes = req->len_bytes;
	iocb->u.c.offset = (long long)req->offset_bytes;
	return iocb;
}

/* AIO has neither discard nor sync_file_range. */
static ALWAYS_INLINE bool libaio_is_inline(const struct io_req *req)
{
	return req->dir >= IO_TRIM && (req->dir == IO_TRIM || req->range_flags);
}

/* The request is done without the kernel's queue. */
static int libaio_finish(struct libaio_state *state, struct io_req *req, int64_t result)
{
	req->result = result;
	done_queue_push(&state->in_flight.done, req);
	return 1;
}

/* Inlined into each record's submit, where has_flags is a constant. */
static ALWAYS_INLINE int libaio_submit_as(struct libaio_state *state, struct io_req *const *reqs,
					  size_t nr, bool has_flags)
{
	size_t nr_batch = 0;
	int ret;

	if (libaio_is_inline(reqs[0]))
		return libaio_finish(state, reqs[0],
				     plain_io_control(state->fds[reqs[0]->file], reqs[0]));
	for (; nr_batch < nr && !libaio_is_inline(reqs[nr_batch]); nr_batch++) {
		struct iocb *iocb = libaio_prepare(state, reqs[nr_batch]);

		if (has_flags) /* which an fsync must not have */
			iocb->aio_rw_flags = reqs[nr_batch]->dir == IO_SYNC
						     ? 0
						     : state->rw_flags[reqs[nr_batch]->dir];
		state->batch[nr_batch] = iocb;
	}

	do {
		ret = io_submit(state->context, (long)nr_batch, state->batch);
	} while (ret == -EINTR);
	if (ret > 0) {
		state->in_flight.nr_in_kernel += (size_t)ret;
		return ret;
	}
	if (ret == 0 || ret == -EAGAIN)
		return -EAGAIN;
	return libaio_finish(state, reqs[0], ret); /* io_submit speaks of the first one */
}

static int libaio_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	return libaio_submit_as(state, reqs, nr, false);
}

static int libaio_submit_with_flags(void *state, struct io_req *const *reqs, size_t nr)
{
	return libaio_submit_as(state, reqs, nr, true);
}

static struct io_req *libaio_event_req(const struct io_event *event)
{
	struct io_req *req = event->data;

	req->result = (int64_t)event->res;
	return req;
}

static size_t libaio_reap_ring(struct completion_ring *ring, struct io_req **done, size_t max)
{
	unsigned head = ring->head;
	unsigned tail = __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
	size_t nr = 0;

	while (nr < max && head != tail) {
		done[nr++] = libaio_event_req(&ring->events[head]);
		head = head + 1 < ring->nr_events ? head + 1 : 0;
	}
	/* The kernel may reuse the events once it sees the new head. */
	__atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
	return nr;
}

/* Number of events, at least min, or -errno. */
static int libaio_reap_call(struct libaio_state *state, struct io_req **done, size_t min,
			    size_t max)
{
	struct timespec at_once = { .tv_sec = 0 };
	int ret;

	do {
		ret = io_getevents(state->context, (long)min, (long)max, state->events,
				   min ? NULL : &at_once);
	} while (ret == -EINTR);
	for (int i = 0; i < ret; i++)
		done[i] = libaio_event_req(&state->events[i]);
	return ret;
}

/* From the ring, and by a call only if that is not enough. */
static int libaio_reap_kernel(void *arg, struct io_req **done, size_t min, size_t max)
{
	struct libaio_state *state = arg;
	size_t nr = state->ring ? libaio_reap_ring(state->ring, done, max) : 0;
	int ret;

	if (state->ring && nr >= min)
		return (int)nr;
	ret = libaio_reap_call(state, done + nr, min > nr ? min - nr : 0, max - nr);
	if (ret < 0)
		return nr > 0 ? (int)nr : ret;
	return (int)nr + ret;
}

static int libaio_reap(void *arg, struct io_req **done, size_t min, size_t max)
{
	struct libaio_state *state = arg;

	return in_flight_reap(&state->in_flight, done, min, max, libaio_reap_kernel, state);
}

static const struct engine_ops libaio_with_flags = {
	.name = "libaio",
	.summary = "io_submit(2) with flags for each request",
	.open = libaio_open,
	.submit = libaio_submit_with_flags,
	.reap = libaio_reap,
	.close = libaio_close,
};

static const struct engine_ops *libaio_variant(const struct engine_options *options, size_t iodepth)
{
	(void)iodepth;
	return options->nowait || options->atomic ? &libaio_with_flags : &engine_libaio;
}

const struct engine_ops engine_libaio = {
	.name = "libaio",
	.summary = "Linux native asynchronous I/O, io_submit(2)",
	.variant = libaio_variant,
	.open = libaio_open,
	.submit = libaio_submit,
	.reap = libaio_reap,
	.close = libaio_close,
};
