/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_STRBUF_H
#define REGIO_BASE_STRBUF_H

#include "base/cleanup.h"

#include <stdarg.h>
#include <stddef.h>

/*
 * Growing string that owns its memory. Zero is a valid empty value. When buf is not NULL,
 * buf[len] is always '\0'; the content may contain NUL bytes. Read it with strbuf_str, which is
 * never NULL. Pointers into it are valid until the next call that changes it.
 */
struct strbuf {
	char *buf;
	size_t len;
	size_t capacity; /* bytes allocated, including the terminator */
};

#define STRBUF_INIT ((struct strbuf){ .buf = NULL })

void strbuf_release(struct strbuf *sb); /* frees; empty and usable again */
CLEANUP_DEFINE(strbuf, struct strbuf, strbuf_release)

static inline const char *strbuf_str(const struct strbuf *sb)
{
	return sb->buf ? sb->buf : "";
}

void strbuf_reset(struct strbuf *sb);		      /* len 0, keeps the memory */
void strbuf_truncate(struct strbuf *sb, size_t len);  /* len <= sb->len */
void strbuf_reserve(struct strbuf *sb, size_t extra); /* room for extra bytes + terminator */

void strbuf_add(struct strbuf *sb, const void *data, size_t len);
void strbuf_add_str(struct strbuf *sb, const char *text);
void strbuf_add_char(struct strbuf *sb, char c);
void strbuf_add_repeat(struct strbuf *sb, char c, size_t nr);
void strbuf_printf(struct strbuf *sb, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void strbuf_vprintf(struct strbuf *sb, const char *fmt, va_list args)
	__attribute__((format(printf, 2, 0)));

/* Removes white space at both ends. */
void strbuf_trim(struct strbuf *sb);

/* Moves the string out: the caller frees it. Never NULL. The strbuf is empty again. */
char *strbuf_take(struct strbuf *sb) __attribute__((returns_nonnull));

#endif
