/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_CLEANUP_H
#define REGIO_BASE_CLEANUP_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/*
 * Scope-bound release. A variable declared with CLEANUP(x) is released on every way out of its
 * scope, so it must be initialised where it is declared:
 *
 *	CLEANUP(fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
 *	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;
 *	CLEANUP(free) char *name = xstrdup("x");
 *
 * x is one of fd, file, free (below) or a name that the header of a type defines with
 * CLEANUP_DEFINE (embedded structs) or CLEANUP_DEFINE_PTR (heap objects). errno is kept.
 */
#define CLEANUP(name) __attribute__((cleanup(cleanup_##name)))

/* CLEANUP(name) on a `type`, released by release(type *). */
#define CLEANUP_DEFINE(name, type, release)                                                        \
	static inline void cleanup_##name(type *variable)                                          \
	{                                                                                          \
		release(variable);                                                                 \
	}

/* CLEANUP(name) on a `type *`, released by release(type *), which accepts NULL. */
#define CLEANUP_DEFINE_PTR(name, type, release)                                                    \
	static inline void cleanup_##name(type **variable)                                         \
	{                                                                                          \
		release(*variable);                                                                \
	}

void cleanup_fd(int *fd);	/* negative = nothing to close */
void cleanup_file(FILE **file); /* NULL = nothing to close; write errors are lost, so fclose a
				   written file yourself and set the variable to NULL */

static inline void cleanup_free(void *variable)
{
	free(*(void **)variable);
}

/* Moves the descriptor out of a CLEANUP(fd) variable: the caller owns the returned value. */
static inline int fd_take(int *fd)
{
	int taken = *fd;

	*fd = -1;
	return taken;
}

/* Moves a pointer out of a CLEANUP(free) (or other pointer) variable. */
#define ptr_take(variable)                                                                         \
	__extension__({                                                                            \
		__typeof__(variable) taken_ = (variable);                                          \
		(variable) = NULL;                                                                 \
		taken_;                                                                            \
	})

#endif
