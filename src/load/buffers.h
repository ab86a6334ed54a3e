/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_BUFFERS_H
#define REGIO_LOAD_BUFFERS_H

/*
 * The memory of the I/O buffers of a worker: mem=, iomem_align. One mapping, touched when it is
 * made, so that the loop meets no page fault and no other node's memory.
 */

#include <stddef.h>

struct err;
struct job;

struct buffers {
	void *start;  /* aligned as the job wants it */
	size_t bytes; /* from there on */
	void *mapping;
	size_t mapping_bytes;
	int is_shm; /* detached instead of unmapped */
};

/* number tells clones apart that name one file. */
int buffers_map(const struct job *job, size_t bytes, unsigned number, struct buffers *ret_buffers,
		struct err *err);
void buffers_release(struct buffers *buffers);

#endif
