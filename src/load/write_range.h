/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_WRITE_RANGE_H
#define REGIO_LOAD_WRITE_RANGE_H

/*
 * sync_file_range=: which bytes of a file were written since its last such call. Workers keep one
 * of these for each file.
 */

#include <stdint.h>

struct io_req;

struct write_range {
	uint64_t first_bytes;
	uint64_t end_bytes; /* 0 = nothing was written */
};

/* Makes it larger by a write that is about to be issued. */
void write_range_add(struct write_range *range, const struct io_req *req);
/* Makes of *req, an IO_SYNC, the call over the range, and empties that. */
void write_range_take(struct write_range *range, unsigned flags, struct io_req *req);

#endif
