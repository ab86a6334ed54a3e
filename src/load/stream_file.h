/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_STREAM_FILE_H
#define REGIO_LOAD_STREAM_FILE_H

/* Where in one file the next I/O of a mixed stream goes. Part of stream.c. */

#include <stdbool.h>

#include "load/stream.h"

/* True if all directions of the job have the same smallest block. */
bool stream_has_shared_order(const struct job *job);

/* What random offsets of that direction are multiples of. */
uint64_t stream_unit_bytes(const struct job *job, enum io_dir dir);
/* True if offsets in that direction follow more than order and step of rw=. */
bool stream_is_uneven(const struct job *job, enum io_dir dir);

void stream_file_init(struct stream *stream, struct stream_file *file, const struct region *region);
void stream_file_release(struct stream_file *file);
void stream_file_begin_pass(struct stream *stream, struct stream_file *file, struct rng *keys);

/* Fills offset and length; false when the file has no room for such an I/O in this pass. */
bool stream_file_take(struct stream *stream, struct stream_file *file, enum io_dir dir,
		      struct io_req *req);

#endif
