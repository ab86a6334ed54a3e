/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_ARENA_H
#define REGIO_BASE_ARENA_H

#include "base/cleanup.h"

#include <stddef.h>

/*
 * Arena: many small allocations that are freed together. Zero is a valid empty arena. What it
 * returns lives until arena_release, is never NULL and never moves. Not thread safe.
 *
 *	CLEANUP(arena) struct arena arena = ARENA_INIT;
 *	char *name = arena_printf(&arena, "%s.%zu", base, nr);
 */
struct arena_block;

struct arena {
	struct arena_block *blocks; /* newest first */
	size_t used_bytes;	    /* handed out so far, for limits on parsed input */
};

#define ARENA_INIT ((struct arena){ .blocks = NULL })

/* Zeroed and aligned for any type. size 0 gives a valid pointer. */
void *arena_alloc(struct arena *arena, size_t size_bytes) __attribute__((returns_nonnull));
void *arena_alloc_array(struct arena *arena, size_t nr, size_t item_bytes)
	__attribute__((returns_nonnull)); /* out of memory when nr * item_bytes overflows */
void *arena_memdup(struct arena *arena, const void *data, size_t len)
	__attribute__((returns_nonnull));
char *arena_strdup(struct arena *arena, const char *text) __attribute__((returns_nonnull));
/* At most len bytes of text, always terminated. */
char *arena_strndup(struct arena *arena, const char *text, size_t len)
	__attribute__((returns_nonnull));
char *arena_printf(struct arena *arena, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), returns_nonnull));

/* Frees everything; the arena is empty and usable again. */
void arena_release(struct arena *arena);
CLEANUP_DEFINE(arena, struct arena, arena_release)

/*
 * malloc and friends for small cold allocations: out of memory is one line on stderr and the
 * exit status of a failed system call, so they never return NULL. Sizes that come from users or
 * files are limited by the caller first. The caller frees with free().
 */
void *xmalloc(size_t size_bytes) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t nr, size_t item_bytes) __attribute__((malloc, returns_nonnull));
void *xrealloc(void *old, size_t size_bytes) __attribute__((returns_nonnull));
void *xreallocarray(void *old, size_t nr, size_t item_bytes) __attribute__((returns_nonnull));
char *xstrdup(const char *text) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *text, size_t len) __attribute__((malloc, returns_nonnull));
/* The same for other allocators; size_bytes 0 = not known. */
void out_of_memory(size_t size_bytes) __attribute__((noreturn));
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2), returns_nonnull));

#endif
