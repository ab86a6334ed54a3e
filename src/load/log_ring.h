/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_LOG_RING_H
#define REGIO_LOAD_LOG_RING_H

/*
 * What a worker hands to the thread that writes logs: one entry for each I/O, in a ring of fixed
 * size that exists before the start. Adding one is a few stores. A full ring makes the worker wait
 * until there is room: no entry is lost, and how often it waited is known. The wait lies between
 * two I/Os and in the latency of none of them.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/io.h"

#define LOG_RING_CACHE_LINE 64

struct log_entry {
	uint64_t done_ticks;
	uint64_t slat_ns, clat_ns;
	uint64_t offset_bytes;
	uint32_t len_bytes;
	enum io_dir dir;
};

struct log_ring {
	/* the worker's */
	_Alignas(LOG_RING_CACHE_LINE) _Atomic uint64_t head; /* entries added */
	uint64_t known_tail;
	uint64_t nr_waits;
	_Atomic uint64_t epoch_ticks, end_ticks; /* of the measurement; 0 = not yet */
	/* the writer's */
	_Alignas(LOG_RING_CACHE_LINE) _Atomic uint64_t tail; /* entries taken */
	/* nobody's */
	_Alignas(LOG_RING_CACHE_LINE) struct log_entry *entries;
	uint64_t mask;
};

/* For at least that many entries; NULL only if there is no memory for them. */
struct log_ring *log_ring_create(uint64_t nr_entries);
void log_ring_free(struct log_ring *ring); /* accepts NULL */

/* Waits for room. */
void log_ring_wait(struct log_ring *ring);

/* By the worker. True if it had to wait, so that stamps taken before are old. */
static inline bool log_ring_add(struct log_ring *ring, const struct log_entry *entry)
{
	uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	bool has_waited = false;

	if (__builtin_expect(head - ring->known_tail > ring->mask, 0)) {
		ring->known_tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
		has_waited = head - ring->known_tail > ring->mask;
		if (has_waited)
			log_ring_wait(ring);
	}
	ring->entries[head & ring->mask] = *entry;
	atomic_store_explicit(&ring->head, head + 1, memory_order_release);
	return has_waited;
}

#endif
