/* SPDX-License-Identifier: GPL-2.0-or-later */
/* log_ring: memory of the rings between workers and the thread that writes logs. */
#include "load/log_ring.h"

#include <stdlib.h>
#include <time.h>

#define WAIT_NS 50000

struct log_ring *log_ring_create(uint64_t nr_entries)
{
	struct log_ring *ring = aligned_alloc(LOG_RING_CACHE_LINE, sizeof(*ring));
	uint64_t nr = 1;

	if (!ring)
		return NULL;
	while (nr < nr_entries)
		nr *= 2;
	*ring = (struct log_ring){ .mask = nr - 1 };
	/* touched here and not by the worker */
	ring->entries = calloc(nr, sizeof(*ring->entries));
	if (!ring->entries) {
		free(ring);
		return NULL;
	}
	for (uint64_t i = 0; i < nr; i++)
		ring->entries[i] = (struct log_entry){ .dir = IO_READ };
	return ring;
}

void log_ring_free(struct log_ring *ring)
{
	if (!ring)
		return;
	free(ring->entries);
	free(ring);
}

void log_ring_wait(struct log_ring *ring)
{
	static const struct timespec pause = { .tv_nsec = WAIT_NS };

	ring->nr_waits++;
	do {
		(void)nanosleep(&pause, NULL);
		ring->known_tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
	} while (atomic_load_explicit(&ring->head, memory_order_relaxed) - ring->known_tail >
		 ring->mask);
}
