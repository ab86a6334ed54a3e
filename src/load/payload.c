/* SPDX-License-Identifier: GPL-2.0-or-later */
/* payload: random data for write buffers; stamping them is inline in the header. */
#include "load/payload.h"

#include "model/job.h"

void payload_init(struct payload *payload, const struct job *job, uint64_t seed)
{
	*payload = (struct payload){
		.is_stamped = !job->zero_buffers && !job->refill_buffers,
		.is_refilled = job->refill_buffers && !job->zero_buffers,
	};
	rng_init(&payload->rng, seed);
}

void payload_fill(struct rng *rng, void *buf, size_t len_bytes)
{
	char *to = buf;

	for (size_t at = 0; at + sizeof(uint64_t) <= len_bytes; at += sizeof(uint64_t)) {
		uint64_t value = rng_next(rng);

		memcpy(to + at, &value, sizeof(value));
	}
}
