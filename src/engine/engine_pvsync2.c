/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pvsync2: preadv2 and pwritev2 with flags for the single call: polled, without waiting, without
 * leaving pages in the cache. */
#include "engine/engine_table.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "base/arena.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "engine/plain_io.h"
#include "engine/rw_flags.h"

struct pvsync2_state {
	int *fds;
	int flags[2];	     /* of every read and write */
	unsigned hi_percent; /* share of the calls that are polled */
	struct rng rng;	     /* chooses them */
};

static int pvsync2_open(const struct engine_config *config, void **ret_state, struct err *err)
{
	const struct engine_options *options = &config->options;
	struct pvsync2_state *state = xcalloc(1, sizeof(*state));

	(void)err; /* cannot fail */
	state->fds = plain_io_fds(config);
	state->hi_percent = options->hipri_percent;
	for (enum io_dir dir = IO_READ; dir <= IO_WRITE; dir++) {
		state->flags[dir] = rw_flags_of(options, dir);
		if (options->hipri && state->hi_percent == 100)
			state->flags[dir] |= RWF_HIPRI;
	}
	rng_init(&state->rng, 1); /* which calls are polled is the same in every run */
	*ret_state = state;
	return 0;
}

static void pvsync2_close(void *arg)
{
	struct pvsync2_state *state = arg;

	free(state->fds);
	free(state);
}

static inline __attribute__((always_inline)) int pvsync2_complete(struct pvsync2_state *state,
								  struct io_req *req, int more)
{
	struct iovec vector = { .iov_base = req->buf, .iov_len = req->len_bytes };
	int fd = state->fds[req->file];
	off_t offset = (off_t)req->offset_bytes;
	ssize_t ret;
	int flags;

	if (req->dir != IO_READ && req->dir != IO_WRITE) {
		req->result = plain_io_control(fd, req);
		return 1;
	}
	flags = state->flags[req->dir] | more;
	do {
		ret = req->dir == IO_READ ? preadv2(fd, &vector, 1, offset, flags)
					  : pwritev2(fd, &vector, 1, offset, flags);
	} while (ret < 0 && errno == EINTR);
	req->result = ret < 0 ? -errno : ret;
	return 1;
}

static int pvsync2_submit(void *arg, struct io_req *const *reqs, size_t nr)
{
	struct pvsync2_state *state = arg;

	(void)nr;
	return pvsync2_complete(state, reqs[0], 0);
}

static int pvsync2_submit_drawn(void *arg, struct io_req *const *reqs, size_t nr)
{
	struct pvsync2_state *state = arg;
	bool is_polled = rng_below(&state->rng, 100) < state->hi_percent;

	(void)nr;
	return pvsync2_complete(state, reqs[0], is_polled ? RWF_HIPRI : 0);
}

static const struct engine_ops pvsync2_drawn = {
	.name = "pvsync2",
	.summary = "preadv2(2) or pwritev2(2), some of them polled",
	.flags = ENGINE_SYNC,
	.open = pvsync2_open,
	.submit = pvsync2_submit_drawn,
	.close = pvsync2_close,
};

static const struct engine_ops *pvsync2_variant(const struct engine_options *options,
						size_t iodepth)
{
	(void)iodepth;
	return options->hipri && options->hipri_percent < 100 ? &pvsync2_drawn : &engine_pvsync2;
}

const struct engine_ops engine_pvsync2 = {
	.name = "pvsync2",
	.summary = "preadv2(2) or pwritev2(2), with hipri, nowait or uncached if asked for",
	.flags = ENGINE_SYNC,
	.variant = pvsync2_variant,
	.open = pvsync2_open,
	.submit = pvsync2_submit,
	.close = pvsync2_close,
};
