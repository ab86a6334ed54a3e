/* SPDX-License-Identifier: GPL-2.0-or-later */
/* payload: random data for write buffers; stamping them is inline in the header. */
#include "load/payload.h"

#include "model/job.h"
#include "model/pattern.h"

void payload_init(struct payload *payload, const struct job *job, uint64_t seed)
{
	bool is_refilled = job->refill_buffers || job->buffer_compress_percent ||
			   job->dedupe_percent || job->buffer_pattern;

	*payload = (struct payload){
		.is_stamped = !job->zero_buffers && !is_refilled && job->scramble_buffers,
		.is_refilled = is_refilled && !job->zero_buffers,
		.dedupe_percent = job->dedupe_percent,
		.pattern = job->buffer_pattern,
	};
	rng_init(&payload->rng, seed);
	payload->choices = rng_split(&payload->rng, 0);
	payload->last = payload->rng;
	if (job->buffer_compress_percent) {
		payload->chunk_bytes = job->buffer_compress_chunk_bytes;
		payload->random_bytes =
			payload->chunk_bytes * (100 - job->buffer_compress_percent) / 100;
	}
}

void payload_fill(struct rng *rng, void *buf, size_t len_bytes)
{
	char *to = buf;

	for (size_t at = 0; at + sizeof(uint64_t) <= len_bytes; at += sizeof(uint64_t)) {
		uint64_t value = rng_next(rng);

		memcpy(to + at, &value, sizeof(value));
	}
}

/* In each chunk random bytes first, then zeros or the pattern that is there. */
static void fill_compressible(const struct payload *payload, struct rng *rng, char *buf,
			      size_t len_bytes)
{
	if (!payload->pattern)
		memset(buf, 0, len_bytes);
	for (size_t at = 0; at < len_bytes; at += payload->chunk_bytes) {
		size_t left = len_bytes - at;
		size_t chunk = left < payload->chunk_bytes ? left : payload->chunk_bytes;
		size_t nr_random =
			chunk < payload->random_bytes ? chunk : (size_t)payload->random_bytes;
		uint64_t rest;

		payload_fill(rng, buf + at, nr_random);
		rest = rng_next(rng);
		memcpy(buf + at + nr_random / 8 * 8, &rest, nr_random % 8);
	}
}

void payload_refill(struct payload *payload, const struct io_req *req)
{
	struct rng rng = payload->rng;
	void *buf = req->buf;
	size_t len_bytes = req->len_bytes;

	if (payload->pattern) {
		pattern_fill(payload->pattern, buf, len_bytes, req->offset_bytes);
		if (!payload->chunk_bytes)
			return;
	}
	/* the same again: what began the content of the last one begins this one, too */
	if (payload->dedupe_percent && rng_below(&payload->choices, 100) < payload->dedupe_percent)
		rng = payload->last;
	else
		payload->rng = rng_split(&payload->rng, ++payload->sequence);
	payload->last = rng;
	if (payload->chunk_bytes)
		fill_compressible(payload, &rng, buf, len_bytes);
	else
		payload_fill(&rng, buf, len_bytes);
}
