/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_JSON_EMIT_H
#define REGIO_OUTPUT_JSON_EMIT_H

/*
 * Writes JSON in the layout of fio, which scripts grep: `"key" : value`, two blanks a level, "%f"
 * for reals, members in the order they are written. key NULL: an item of an array.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json_emit {
	FILE *to;
	unsigned depth;
	bool has_members; /* of what is open */
	bool is_one_line; /* a document a line, for streams of them */
};

void json_emit_open(struct json_emit *emit, const char *key, char bracket); /* '{' or '[' */
void json_emit_close(struct json_emit *emit, char bracket);		    /* '}' or ']' */
/* Bytes that are no UTF-8 and control characters become '?'. */
void json_emit_text(struct json_emit *emit, const char *key, const char *text);
void json_emit_u64(struct json_emit *emit, const char *key, uint64_t value);
void json_emit_i64(struct json_emit *emit, const char *key, int64_t value);
/* What is no number becomes 0. */
void json_emit_real(struct json_emit *emit, const char *key, double value);

#endif
