/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fake_engine: scripted engines for the tests of the worker. */
#include "fake_engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static struct fake *current;

void fake_init(struct fake *fake)
{
	*fake = (struct fake){ .min_reaped_at = SIZE_MAX };
	fake->calls = xcalloc(FAKE_MAX_CALLS, sizeof(*fake->calls));
	current = fake;
}

void fake_release(struct fake *fake)
{
	free(fake->calls);
	current = NULL;
}

static int fake_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	(void)config;
	(void)err;
	current->nr_opened++;
	*ret_state = current;
	return 0;
}

static void fake_close(void *state)
{
	struct fake *fake = state;

	fake->nr_closed++;
}

static void fake_record(struct fake *fake, struct io_req *req)
{
	size_t nr = fake->nr_calls;

	if (nr < FAKE_MAX_CALLS)
		fake->calls[fake->nr_calls++] = (struct fake_call){
			.dir = req->dir,
			.datasync = req->datasync,
			.file = req->file,
			.len_bytes = req->len_bytes,
			.slot = req->slot,
			.offset_bytes = req->offset_bytes,
			.buf = req->buf,
			.in_flight = fake->nr_queued + 1,
		};
	req->result = fake->result ? fake->result(fake, req, nr) : req->len_bytes;
}

static int fake_submit_sync(void *state, struct io_req *const *reqs, size_t nr)
{
	struct fake *fake = state;

	(void)nr;
	fake->nr_submits++;
	fake_record(fake, reqs[0]);
	return 1;
}

static int fake_submit_async(void *state, struct io_req *const *reqs, size_t nr)
{
	struct fake *fake = state;
	int taken = fake->take ? fake->take(fake, nr, fake->nr_submits) : (int)nr;

	fake->nr_submits++;
	if (nr > fake->max_batch)
		fake->max_batch = nr;
	for (int i = 0; i < taken; i++) {
		fake_record(fake, reqs[i]);
		fake->queue[fake->nr_queued++] = reqs[i];
	}
	if (fake->nr_queued > fake->max_in_flight)
		fake->max_in_flight = fake->nr_queued;
	return taken;
}

static int fake_reap(void *state, struct io_req **done, size_t min, size_t max)
{
	struct fake *fake = state;
	size_t nr = min < max ? min : max; /* never more than must be: the slowest device */

	fake->nr_reaps++;
	if (nr > fake->nr_queued)
		nr = fake->nr_queued;
	if (fake->nr_queued < fake->min_reaped_at)
		fake->min_reaped_at = fake->nr_queued;
	if (nr > fake->max_reaped)
		fake->max_reaped = nr;
	memcpy(done, fake->queue, nr * sizeof(struct io_req *));
	fake->nr_queued -= nr;
	memmove(fake->queue, fake->queue + nr, fake->nr_queued * sizeof(struct io_req *));
	return (int)nr;
}

const struct engine_ops fake_sync = {
	.name = "fake",
	.summary = "scripted",
	.flags = ENGINE_SYNC,
	.open = fake_open,
	.submit = fake_submit_sync,
	.close = fake_close,
};

const struct engine_ops fake_async = {
	.name = "fake",
	.summary = "scripted",
	.open = fake_open,
	.submit = fake_submit_async,
	.reap = fake_reap,
	.close = fake_close,
};
