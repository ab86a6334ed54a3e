/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_VEC_H
#define REGIO_BASE_VEC_H

#include "base/arena.h"

#include <stddef.h>
#include <stdlib.h>

/*
 * Typed growing array. Zero is a valid empty vector; `items` may move with every push and is NULL
 * while nothing was pushed. It owns the array, not what the items point to.
 *
 *	VEC(uint64_t) offsets = VEC_INIT;
 *	vec_push(&offsets, 4096);
 *	VEC_FOREACH(&offsets, offset)
 *		sum += *offset;
 *	vec_release(&offsets);
 *
 * To pass one between functions give it a name: struct job_list VEC_BODY(struct job);
 */
#define VEC_BODY(type)                                                                             \
	{                                                                                          \
		type *items;                                                                       \
		size_t nr;                                                                         \
		size_t capacity;                                                                   \
	}
#define VEC(type) struct VEC_BODY(type)
#define VEC_INIT                                                                                   \
	{                                                                                          \
		.items = NULL                                                                      \
	}

/* Appends one item; variadic so that compound literals may contain commas. */
#define vec_push(vec, ...)                                                                         \
	do {                                                                                       \
		__typeof__(vec) vec_ = (vec);                                                      \
		vec_->items = vec_grow(vec_->items, vec_->nr + 1, &vec_->capacity,                 \
				       sizeof(*vec_->items));                                      \
		vec_->items[vec_->nr++] = (__VA_ARGS__);                                           \
	} while (0)

/* Makes room for nr more items, so that as many pushes do not allocate. */
#define vec_reserve(vec, nr_more)                                                                  \
	do {                                                                                       \
		__typeof__(vec) vec_ = (vec);                                                      \
		vec_->items = vec_grow(vec_->items, vec_->nr + (nr_more), &vec_->capacity,         \
				       sizeof(*vec_->items));                                      \
	} while (0)

/* Pointer to the last item; the vector must not be empty. */
#define vec_last(vec) (&(vec)->items[(vec)->nr - 1])

/* Removes and yields the last item; the vector must not be empty. */
#define vec_pop(vec) ((vec)->items[--(vec)->nr])

/* Forgets the items and keeps the memory. */
#define vec_clear(vec) ((void)((vec)->nr = 0))

#define vec_release(vec)                                                                           \
	do {                                                                                       \
		__typeof__(vec) vec_ = (vec);                                                      \
		free(vec_->items);                                                                 \
		vec_->items = NULL;                                                                \
		vec_->nr = 0;                                                                      \
		vec_->capacity = 0;                                                                \
	} while (0)

/* `item` is a pointer to each element in turn; do not push inside the loop. */
#define VEC_FOREACH(vec, item)                                                                     \
	for (__typeof__(&*(vec)->items) item = (vec)->items;                                       \
	     item && item < (vec)->items + (vec)->nr; item++)

/* Returns the array with room for `wanted` items; doubles. */
static inline void *vec_grow(void *items, size_t wanted, size_t *capacity, size_t item_bytes)
{
	size_t new_capacity = *capacity ? *capacity : 8;

	if (wanted <= *capacity)
		return items;
	while (new_capacity < wanted)
		new_capacity *= 2;
	items = xreallocarray(items, new_capacity, item_bytes);
	*capacity = new_capacity;
	return items;
}

#endif
