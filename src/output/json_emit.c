/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_emit: JSON in fio's layout, written as it comes. */
#include "output/json_emit.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#include "base/utf8.h"

static void put_string(const char *text, FILE *to)
{
	(void)fputc('"', to);
	while (*text) {
		size_t len = utf8_len(text);

		if (len == 1 && (*text == '"' || *text == '\\'))
			(void)fputc('\\', to);
		if (len == 0 || (len == 1 && iscntrl((unsigned char)*text)))
			(void)fputc('?', to);
		else
			(void)fwrite(text, 1, len, to);
		text += len ? len : 1;
	}
	(void)fputc('"', to);
}

static void new_line(const struct json_emit *emit)
{
	if (emit->is_one_line)
		return;
	(void)fputc('\n', emit->to);
	for (unsigned i = 0; i < emit->depth; i++)
		(void)fputs("  ", emit->to);
}

static void begin_member(struct json_emit *emit, const char *key)
{
	if (emit->has_members)
		(void)fputs(emit->is_one_line ? ", " : ",", emit->to);
	if (emit->depth > 0)
		new_line(emit);
	emit->has_members = true;
	if (!key)
		return;
	put_string(key, emit->to);
	(void)fputs(" : ", emit->to);
}

void json_emit_open(struct json_emit *emit, const char *key, char bracket)
{
	begin_member(emit, key);
	(void)fputc(bracket, emit->to);
	emit->depth++;
	emit->has_members = false;
}

void json_emit_close(struct json_emit *emit, char bracket)
{
	emit->depth--;
	new_line(emit);
	(void)fputc(bracket, emit->to);
	emit->has_members = true;
}

void json_emit_text(struct json_emit *emit, const char *key, const char *text)
{
	begin_member(emit, key);
	put_string(text, emit->to);
}

void json_emit_u64(struct json_emit *emit, const char *key, uint64_t value)
{
	begin_member(emit, key);
	(void)fprintf(emit->to, "%" PRIu64, value);
}

void json_emit_i64(struct json_emit *emit, const char *key, int64_t value)
{
	begin_member(emit, key);
	(void)fprintf(emit->to, "%" PRId64, value);
}

void json_emit_real(struct json_emit *emit, const char *key, double value)
{
	begin_member(emit, key);
	(void)fprintf(emit->to, "%f", isfinite(value) ? value : 0.0);
}
