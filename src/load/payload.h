/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_PAYLOAD_H
#define REGIO_LOAD_PAYLOAD_H

/*
 * What is written: each slot's buffer is filled with random data once. Before each write every
 * sector of it gets a stamp, so that no device can store two blocks as one; refill_buffers draws
 * all of it anew, zero_buffers leaves zeros, scramble_buffers=0 the data as they are. The data
 * depend on the seed alone.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/rng.h"
#include "engine/engine.h"

#define PAYLOAD_SECTOR_BYTES 512

struct job;
struct pattern;

struct payload {
	bool is_stamped;
	bool is_refilled;
	uint64_t sequence; /* writes prepared so far */
	struct rng rng;
	unsigned dedupe_percent;
	const struct pattern *pattern; /* buffer_pattern, or NULL */
	struct rng last, choices; /* dedupe_percentage: of the last content; whether it repeats */
	uint64_t chunk_bytes;	  /* buffer_compress_percentage; 0 = not asked */
	uint64_t random_bytes;	  /* of each chunk */
};

void payload_init(struct payload *payload, const struct job *job, uint64_t seed);

/* Random bytes; len a multiple of 8 is filled whole, a rest is left as it is. */
void payload_fill(struct rng *rng, void *buf, size_t len_bytes);

/* New content as the job wants it: refill, compressible, repeated. */
void payload_refill(struct payload *payload, const struct io_req *req);

/* Stamps each sector with its offset and a number. */
static inline void payload_stamp(void *buf, size_t len_bytes, uint64_t offset_bytes,
				 uint64_t sequence)
{
	char *sector = buf;

	for (size_t at = 0; at + 2 * sizeof(uint64_t) <= len_bytes; at += PAYLOAD_SECTOR_BYTES) {
		uint64_t stamp[2] = { offset_bytes + at, sequence };

		memcpy(sector + at, stamp, sizeof(stamp));
	}
}

/* Before a write is issued. True if it took long, so that times must be taken again. */
static inline bool payload_prepare(struct payload *payload, const struct io_req *req)
{
	if (payload->is_stamped)
		payload_stamp(req->buf, req->len_bytes, req->offset_bytes, payload->sequence++);
	if (__builtin_expect(!payload->is_refilled, 1))
		return false;
	payload_refill(payload, req);
	return true;
}

#endif
