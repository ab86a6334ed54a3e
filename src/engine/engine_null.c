/* SPDX-License-Identifier: GPL-2.0-or-later */
/* null: completes every request at once without touching a file. Measures regio itself. */
#include "engine/engine_table.h"

#include "base/arena.h"
#include "engine/done_queue.h"
#include "engine/engine.h"

static int null_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	struct done_queue *queue = xcalloc(1, sizeof(*queue));

	(void)err; /* cannot fail */
	done_queue_init(queue, config->nr_slots);
	*ret_state = queue;
	return 0;
}

static inline void null_complete(struct io_req *req)
{
	req->result = req->dir == IO_SYNC ? 0 : (int64_t)req->len_bytes;
}

static int null_submit(void *state, struct io_req *const *reqs, size_t nr)
{
	struct done_queue *queue = state;

	for (size_t i = 0; i < nr; i++) {
		null_complete(reqs[i]);
		done_queue_push(queue, reqs[i]);
	}
	return (int)nr;
}

static int null_reap(void *state, struct io_req **done, size_t min, size_t max)
{
	(void)min; /* whatever was submitted is done */
	return (int)done_queue_pop(state, done, max);
}

static void null_close(void *state)
{
	done_queue_release(state);
	free(state);
}

static int null_submit_one(void *state, struct io_req *const *reqs, size_t nr)
{
	(void)state;
	(void)nr;
	null_complete(reqs[0]);
	return 1;
}

static const struct engine_ops null_depth_one = {
	.name = "null",
	.summary = "complete every request at once, no I/O",
	.flags = ENGINE_NO_FILES | ENGINE_SYNC,
	.open = null_open,
	.submit = null_submit_one,
	.close = null_close,
};

/* At depth 1 it completes inside submit, as fio's does, so that there is no slat to report. */
static const struct engine_ops *null_variant(const struct engine_options *options, size_t iodepth)
{
	(void)options;
	return iodepth == 1 ? &null_depth_one : &engine_null;
}

const struct engine_ops engine_null = {
	.name = "null",
	.summary = "complete every request at once, no I/O",
	.flags = ENGINE_NO_FILES,
	.variant = null_variant,
	.open = null_open,
	.submit = null_submit,
	.reap = null_reap,
	.close = null_close,
};
