/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loops without an engine: pread(2) alone, and io_uring with one call to submit and wait. */
#include "engine_rate.h"

#include <err.h>
#include <liburing.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void rate_bare_pread(const struct rate_setup *setup, uint64_t nr_ios)
{
	for (uint64_t i = 0; i < nr_ios; i++) {
		off_t offset = (off_t)setup->offsets[i % RATE_NR_OFFSETS];
		ssize_t ret = setup->is_write
				      ? pwrite(setup->fd, setup->buffer, setup->block_bytes, offset)
				      : pread(setup->fd, setup->buffer, setup->block_bytes, offset);

		if (ret != (ssize_t)setup->block_bytes)
			err(1, "bare-pread");
	}
}

static void bare_ring_open(const struct rate_setup *setup, struct io_uring *ring)
{
	struct iovec *vector = calloc(setup->depth, sizeof(*vector));
	int ret;

	if (!vector)
		err(1, "calloc");
	ret = io_uring_queue_init((unsigned)setup->depth, ring,
				  IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN |
					  IORING_SETUP_COOP_TASKRUN);
	for (size_t i = 0; i < setup->depth; i++)
		vector[i] = (struct iovec){ .iov_base = setup->buffer + i * setup->block_bytes,
					    .iov_len = setup->block_bytes };
	if (ret == 0 && setup->is_fixed)
		ret = io_uring_register_buffers(ring, vector, (unsigned)setup->depth);
	if (ret == 0 && setup->is_fixed)
		ret = io_uring_register_files(ring, &setup->fd, 1);
	if (ret < 0)
		errx(1, "bare-uring: %s", strerror(-ret));
	free(vector);
	(void)io_uring_register_ring_fd(ring);
}

static void bare_prepare(const struct rate_setup *setup, struct io_uring_sqe *sqe, size_t slot,
			 uint64_t offset_bytes)
{
	void *buf = setup->buffer + slot * setup->block_bytes;
	int fd = setup->is_fixed ? 0 : setup->fd;

	io_uring_prep_rw(IORING_OP_READ + setup->is_write, sqe, fd, buf, setup->block_bytes,
			 offset_bytes);
	if (setup->is_fixed) {
		sqe->opcode = (uint8_t)(IORING_OP_READ_FIXED + setup->is_write);
		sqe->flags = IOSQE_FIXED_FILE;
		sqe->buf_index = (uint16_t)slot;
	}
	sqe->user_data = slot;
}

/* Puts the slots of all completions there are on idle. */
static size_t bare_reap(const struct rate_setup *setup, struct io_uring *ring, size_t *idle)
{
	struct io_uring_cqe *cqe;
	unsigned head;
	unsigned nr = 0;

	io_uring_for_each_cqe(ring, head, cqe)
	{
		if (cqe->res != (int)setup->block_bytes)
			errx(1, "bare-uring: result %d", cqe->res);
		idle[nr++] = cqe->user_data;
	}
	io_uring_cq_advance(ring, nr);
	return nr;
}

void rate_bare_uring(const struct rate_setup *setup, uint64_t nr_ios)
{
	struct io_uring ring;
	size_t *idle = calloc(setup->depth, sizeof(*idle));
	size_t nr_idle = setup->depth;
	uint64_t nr_submitted = 0;

	if (!idle)
		err(1, "calloc");
	bare_ring_open(setup, &ring);
	for (size_t i = 0; i < setup->depth; i++)
		idle[i] = i;
	while (nr_submitted < nr_ios || nr_idle < setup->depth) {
		unsigned wanted = 0;

		for (size_t i = 0; i < setup->batch && nr_idle > 0 && nr_submitted < nr_ios; i++)
			bare_prepare(setup, io_uring_get_sqe(&ring), idle[--nr_idle],
				     setup->offsets[nr_submitted++ % RATE_NR_OFFSETS]);
		/* The next batch must find slots; at the end all have to come back. */
		if (nr_submitted == nr_ios)
			wanted = (unsigned)(setup->depth - nr_idle);
		else if (nr_idle < setup->batch)
			wanted = (unsigned)(setup->batch - nr_idle);
		if (io_uring_submit_and_wait(&ring, wanted) < 0)
			errx(1, "bare-uring: submit_and_wait");
		if (wanted > 0)
			nr_idle += bare_reap(setup, &ring, idle + nr_idle);
	}
	io_uring_queue_exit(&ring);
	free(idle);
}
