/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_ENGINE_RIG_H
#define REGIO_TESTS_UNIT_ENGINE_RIG_H

/*
 * A rig drives one engine over open files as a worker of load/ does, and checks the contract of
 * engine.h at every step: what submit may take, that reap returns only what was lent, and that no
 * byte outside a request's buffer changes.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "engine/engine.h"

#define RIG_MAX_FILES 4
#define RIG_MAX_SLOTS 64
#define RIG_GUARD_BYTES 4096L /* on both sides of each buffer */

/* A row of the engine table, and the way it is opened. */
struct rig_variant {
	const char *name;
	const struct engine_ops *ops;
	struct engine_options options;
};

struct rig_options {
	size_t nr_slots;
	size_t buf_bytes; /* of one slot, without guards */
	unsigned dirs;
	bool direct;
};

struct rig {
	const struct engine_ops *ops;
	struct engine_file files[RIG_MAX_FILES];
	struct engine_config config;
	struct io_req reqs[RIG_MAX_SLOTS];
	bool is_lent[RIG_MAX_SLOTS];
	size_t nr_lent;
	size_t buf_bytes;
	size_t stride_bytes;
	void *state;
	/* Called for each completed request; it may look at the buffer. */
	void (*on_done)(void *arg, const struct io_req *req);
	void *arg;
};

/* Returns what open returned; with an error there is nothing to close. */
int rig_open(struct rig *rig, const struct rig_variant *variant, const int *fds, size_t nr_fds,
	     const struct rig_options *options, struct err *err);
void rig_close(struct rig *rig);
/* The second half of rig_close, for who called close of the engine. */
void rig_release_buffers(struct rig *rig);

/* A free slot prepared as asked, NULL if all are lent. The buffer is wiped. */
struct io_req *rig_prepare(struct rig *rig, enum io_dir dir, uint64_t offset_bytes,
			   uint32_t len_bytes);

/* One call of submit; the number taken (0 for EAGAIN). */
size_t rig_submit_some(struct rig *rig, struct io_req *const *reqs, size_t nr);
/* Submits all, reaping where submit says so. */
void rig_submit(struct rig *rig, struct io_req *const *reqs, size_t nr);
/* One call of reap. */
size_t rig_reap(struct rig *rig, size_t min, size_t max);
void rig_drain(struct rig *rig);

/* One request alone, from submit to reap: its result. Its buffer stays in *ret_buf if not NULL. */
int64_t rig_one(struct rig *rig, enum io_dir dir, uint64_t offset_bytes, uint32_t len_bytes,
		const void *data, const void **ret_buf);

bool rig_is_sync(const struct rig *rig);

#endif
