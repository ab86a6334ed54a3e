/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENGINE_DONE_QUEUE_H
#define REGIO_ENGINE_DONE_QUEUE_H

/*
 * Requests that have their result and wait for reap, oldest first. Holds as many as there are
 * slots, so push cannot fail. Zero is an empty queue without room.
 */

#include <stddef.h>
#include <stdlib.h>

#include "base/arena.h"

struct io_req;

struct done_queue {
	struct io_req **items;
	size_t mask; /* capacity - 1, capacity a power of two */
	size_t head; /* next to pop; head and tail run on and wrap with the type */
	size_t tail;
};

static inline void done_queue_init(struct done_queue *queue, size_t nr_slots)
{
	size_t capacity = 1;

	while (capacity < nr_slots)
		capacity *= 2;
	*queue = (struct done_queue){ .items = xcalloc(capacity, sizeof(*queue->items)),
				      .mask = capacity - 1 };
}

static inline void done_queue_release(struct done_queue *queue)
{
	free(queue->items);
	*queue = (struct done_queue){ .items = NULL };
}

static inline size_t done_queue_len(const struct done_queue *queue)
{
	return queue->tail - queue->head;
}

static inline void done_queue_push(struct done_queue *queue, struct io_req *req)
{
	queue->items[queue->tail++ & queue->mask] = req;
}

/* Moves at most max requests to done and returns their number. */
static inline size_t done_queue_pop(struct done_queue *queue, struct io_req **done, size_t max)
{
	size_t nr = done_queue_len(queue);

	if (nr > max)
		nr = max;
	for (size_t i = 0; i < nr; i++)
		done[i] = queue->items[queue->head++ & queue->mask];
	return nr;
}

#endif
