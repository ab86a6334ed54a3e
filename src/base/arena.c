/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arena: blocks of memory that are freed together, and the x*alloc family. */
#include "base/arena.h"

#include <assert.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"

#define ARENA_BLOCK_BYTES 4096 /* one page: a few hundred names; larger requests get their own */

struct arena_block {
	struct arena_block *next;
	size_t used;
	size_t capacity;
	alignas(max_align_t) char data[];
};

static struct arena_block *arena_add_block(struct arena *arena, size_t size_bytes)
{
	size_t capacity = size_bytes > ARENA_BLOCK_BYTES / 4 ? size_bytes : ARENA_BLOCK_BYTES;
	struct arena_block *block;

	if (capacity > SIZE_MAX - sizeof(*block))
		capacity = SIZE_MAX - sizeof(*block); /* xcalloc reports it */
	block = xcalloc(1, sizeof(*block) + capacity);
	block->capacity = capacity;

	/* A block made for one large item is full; keep the half-filled one in front. */
	if (capacity != ARENA_BLOCK_BYTES && arena->blocks) {
		block->next = arena->blocks->next;
		arena->blocks->next = block;
		return block;
	}
	block->next = arena->blocks;
	arena->blocks = block;
	return block;
}

void *arena_alloc(struct arena *arena, size_t size_bytes)
{
	const size_t align = alignof(max_align_t);
	struct arena_block *block = arena->blocks;
	size_t rounded = size_bytes ? (size_bytes + align - 1) / align * align : align;
	void *data;

	if (rounded < size_bytes)
		rounded = SIZE_MAX / align * align; /* xcalloc reports it */
	if (!block || block->capacity - block->used < rounded)
		block = arena_add_block(arena, rounded);
	data = block->data + block->used;
	block->used += rounded;
	arena->used_bytes += rounded;
	return data;
}

void *arena_alloc_array(struct arena *arena, size_t nr, size_t item_bytes)
{
	size_t size_bytes;

	if (__builtin_mul_overflow(nr, item_bytes, &size_bytes))
		size_bytes = SIZE_MAX; /* reported as out of memory */
	return arena_alloc(arena, size_bytes);
}

void *arena_memdup(struct arena *arena, const void *data, size_t len)
{
	void *copy = arena_alloc(arena, len);

	if (len > 0)
		memcpy(copy, data, len);
	return copy;
}

char *arena_strdup(struct arena *arena, const char *text)
{
	return arena_memdup(arena, text, strlen(text) + 1);
}

char *arena_strndup(struct arena *arena, const char *text, size_t len)
{
	size_t copied = len ? strnlen(text, len) : 0; /* nothing may be NULL */
	char *copy = arena_alloc(arena, copied + 1);  /* zeroed, hence terminated */

	if (copied)
		memcpy(copy, text, copied);
	return copy;
}

char *arena_printf(struct arena *arena, const char *fmt, ...)
{
	va_list args;
	va_list again;
	char *text;
	int len;

	va_start(args, fmt);
	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, args);
	assert(len >= 0);
	text = arena_alloc(arena, (size_t)len + 1);
	(void)vsnprintf(text, (size_t)len + 1, fmt, again);
	va_end(again);
	va_end(args);
	return text;
}

void arena_release(struct arena *arena)
{
	struct arena_block *block = arena->blocks;

	while (block) {
		struct arena_block *next = block->next;

		free(block);
		block = next;
	}
	*arena = ARENA_INIT;
}

/* At once: whatever ran on might need memory. What was changed on the machine is in the journal,
 * and what was measured in the store. */
void out_of_memory(size_t size_bytes)
{
	static const char text[] = "regio: error: out of memory";
	char line[128];
	int len = size_bytes ? snprintf(line, sizeof(line), "%s: no %zu bytes more\n", text,
					size_bytes)
			     : snprintf(line, sizeof(line), "%s\n", text);

	if (write(STDERR_FILENO, line, (size_t)len) < 0)
		_exit(ERR_SYSTEM); /* nowhere left to complain */
	_exit(ERR_SYSTEM);
}

static void *alloc_check(void *memory, size_t size_bytes)
{
	if (!memory)
		out_of_memory(size_bytes);
	return memory;
}

void *xmalloc(size_t size_bytes)
{
	return alloc_check(malloc(size_bytes ? size_bytes : 1), size_bytes);
}

void *xcalloc(size_t nr, size_t item_bytes)
{
	if (nr == 0 || item_bytes == 0)
		return alloc_check(calloc(1, 1), 1);
	return alloc_check(calloc(nr, item_bytes), nr * item_bytes);
}

void *xrealloc(void *old, size_t size_bytes)
{
	return alloc_check(realloc(old, size_bytes ? size_bytes : 1), size_bytes);
}

void *xreallocarray(void *old, size_t nr, size_t item_bytes)
{
	size_t size_bytes;

	if (__builtin_mul_overflow(nr, item_bytes, &size_bytes))
		size_bytes = SIZE_MAX; /* realloc refuses it */
	return xrealloc(old, size_bytes);
}

char *xstrdup(const char *text)
{
	return alloc_check(strdup(text), strlen(text) + 1);
}

char *xstrndup(const char *text, size_t len)
{
	/* text need not be terminated, which strndup may expect; nothing may be NULL */
	size_t nr = len ? strnlen(text, len) : 0;
	char *copy = xmalloc(nr + 1);

	if (nr)
		memcpy(copy, text, nr);
	copy[nr] = '\0';
	return copy;
}

char *xasprintf(const char *fmt, ...)
{
	va_list args;
	char *text = NULL;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	return alloc_check(text, 0);
}
