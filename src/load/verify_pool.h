/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_VERIFY_POOL_H
#define REGIO_LOAD_VERIFY_POOL_H

/*
 * verify_async: threads that check blocks while their worker reads on. What was read is copied,
 * so that the worker has its buffer back at once; when all places are taken, it waits.
 */

#include <stdbool.h>
#include <stdint.h>

struct err;
struct verify;
struct verify_io;
struct verify_pool;

/* NULL with *err. verify->job says how many threads, and on which CPUs. */
struct verify_pool *verify_pool_create(struct verify *verify, uint32_t max_bytes, struct err *err);
/* Waits for what is under way. Accepts NULL. */
void verify_pool_free(struct verify_pool *pool);

void verify_pool_put(struct verify_pool *pool, const struct verify_io *io, const void *buf,
		     uint32_t got_bytes);
/* Until all is checked that was put in. */
void verify_pool_wait(struct verify_pool *pool);

#endif
