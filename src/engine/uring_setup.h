/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENGINE_URING_SETUP_H
#define REGIO_ENGINE_URING_SETUP_H

/* Makes what an io_uring needs before its first request, and says in words why it cannot. */

#include <stddef.h>

struct engine_config;
struct err;
struct io_uring;

/* A ring for nr_slots requests with the cheapest way of completing that this kernel knows and the
 * options allow. */
int uring_setup_ring(struct io_uring *ring, const struct engine_config *config, struct err *err);

/* Registers the buffers of all slots, as few as possible: slot i lies in number i >> *ret_shift. */
int uring_setup_buffers(struct io_uring *ring, const struct engine_config *config,
			unsigned *ret_shift, struct err *err);

/* Registers fds[i] under index i. */
int uring_setup_files(struct io_uring *ring, const int *fds, size_t nr, struct err *err);

#endif
