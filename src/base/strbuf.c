/* SPDX-License-Identifier: GPL-2.0-or-later */
/* strbuf: growing string. Limits are left to the caller. */
#include "base/strbuf.h"

#include "base/arena.h"

#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void strbuf_release(struct strbuf *sb)
{
	free(sb->buf);
	*sb = STRBUF_INIT;
}

void strbuf_reset(struct strbuf *sb)
{
	if (sb->buf)
		strbuf_truncate(sb, 0);
}

void strbuf_truncate(struct strbuf *sb, size_t len)
{
	assert(len <= sb->len);
	sb->len = len;
	if (sb->buf)
		sb->buf[len] = '\0';
}

void strbuf_reserve(struct strbuf *sb, size_t extra)
{
	size_t wanted;
	size_t capacity = sb->capacity ? sb->capacity : 64;

	if (__builtin_add_overflow(sb->len, extra, &wanted) || wanted > SIZE_MAX / 4)
		wanted = SIZE_MAX - 1; /* xrealloc reports it */
	wanted++;
	if (wanted <= sb->capacity)
		return;
	while (capacity < wanted && capacity <= SIZE_MAX / 4)
		capacity *= 2;
	if (capacity < wanted)
		capacity = wanted;
	sb->buf = xrealloc(sb->buf, capacity);
	sb->capacity = capacity;
	sb->buf[sb->len] = '\0';
}

void strbuf_add(struct strbuf *sb, const void *data, size_t len)
{
	strbuf_reserve(sb, len);
	if (len > 0)
		memcpy(sb->buf + sb->len, data, len);
	sb->len += len;
	sb->buf[sb->len] = '\0';
}

void strbuf_add_str(struct strbuf *sb, const char *text)
{
	strbuf_add(sb, text, strlen(text));
}

void strbuf_add_char(struct strbuf *sb, char c)
{
	strbuf_add(sb, &c, 1);
}

void strbuf_add_repeat(struct strbuf *sb, char c, size_t nr)
{
	strbuf_reserve(sb, nr);
	memset(sb->buf + sb->len, c, nr);
	sb->len += nr;
	sb->buf[sb->len] = '\0';
}

void strbuf_printf(struct strbuf *sb, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	strbuf_vprintf(sb, fmt, args);
	va_end(args);
}

void strbuf_vprintf(struct strbuf *sb, const char *fmt, va_list args)
{
	va_list again;
	int len;

	strbuf_reserve(sb, 64); /* most messages fit, so they are formatted once */
	va_copy(again, args);
	len = vsnprintf(sb->buf + sb->len, sb->capacity - sb->len, fmt, args);
	assert(len >= 0); /* only an invalid wide character or 2 GiB of text */
	if ((size_t)len >= sb->capacity - sb->len) {
		strbuf_reserve(sb, (size_t)len);
		(void)vsnprintf(sb->buf + sb->len, sb->capacity - sb->len, fmt, again);
	}
	va_end(again);
	sb->len += (size_t)len;
}

void strbuf_trim(struct strbuf *sb)
{
	size_t start = 0;

	while (sb->len > 0 && isspace((unsigned char)sb->buf[sb->len - 1]))
		sb->len--;
	while (start < sb->len && isspace((unsigned char)sb->buf[start]))
		start++;
	sb->len -= start;
	if (!sb->buf)
		return;
	memmove(sb->buf, sb->buf + start, sb->len);
	sb->buf[sb->len] = '\0';
}

char *strbuf_take(struct strbuf *sb)
{
	char *text;

	strbuf_reserve(sb, 0);
	text = sb->buf;
	*sb = STRBUF_INIT;
	return text;
}
