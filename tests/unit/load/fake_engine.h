/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_LOAD_FAKE_ENGINE_H
#define REGIO_TESTS_UNIT_LOAD_FAKE_ENGINE_H

/*
 * An engine that does what a test tells it and keeps a record of what it was asked. There is one
 * record at a time; a test owns it and points `fake_engine` at it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

#define FAKE_MAX_CALLS 100000

struct fake_call {
	enum io_dir dir;
	bool datasync;
	uint32_t file, len_bytes, slot;
	uint64_t offset_bytes;
	const void *buf;
	size_t in_flight; /* with this one */
};

struct fake {
	/* What request number nr gives; NULL: all of its length. */
	int64_t (*result)(struct fake *fake, const struct io_req *req, size_t nr);
	/* What submit number nr takes of the requests, or -errno; NULL: all. */
	int (*take)(struct fake *fake, size_t nr_reqs, size_t nr);
	size_t nr_submits, nr_reaps;
	size_t max_in_flight, max_batch, min_reaped_at, max_reaped;
	struct fake_call *calls;
	size_t nr_calls;
	struct io_req *queue[4096]; /* in flight, oldest first */
	size_t nr_queued;
	unsigned nr_opened, nr_closed;
};

extern const struct engine_ops fake_sync, fake_async;

/* Starts a new record for the engines. Released by fake_release. */
void fake_init(struct fake *fake);
void fake_release(struct fake *fake);

#endif
