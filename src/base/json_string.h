/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_JSON_STRING_H
#define REGIO_BASE_JSON_STRING_H

/* Parts of json_scan: what stands inside a string, and what a bare number or word is. */

#include <stddef.h>
#include <stdint.h>

#include "base/json_scan.h"

struct strbuf;

#define JSON_NUMBER_MAX_LEN 64

enum json_escape_state {
	JSON_ESCAPE_NONE,
	JSON_ESCAPE_BEGUN, /* after a backslash */
	JSON_ESCAPE_HEX,   /* after "\u" */
};

struct json_escape {
	enum json_escape_state state;
	unsigned nr_digits;
	uint32_t code;	/* of the digits so far */
	uint32_t first; /* high surrogate that waits for its low one; 0 = none */
};

/* Decodes the string byte by byte into out. "\u0000" becomes '?', as do halves of pairs. */
void json_escape_add(struct json_escape *escape, unsigned char c, struct strbuf *out);
/* At the end of the string: what was begun means itself. */
void json_escape_flush(struct json_escape *escape, struct strbuf *out);

/* JSON_NUMBER, JSON_WORD or JSON_FAULT. */
enum json_event json_atom_kind(const char *text, size_t len);

#endif
