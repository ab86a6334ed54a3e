/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_JSON_TEXT_H
#define REGIO_IMPORT_JSON_TEXT_H

/* JSON in the text under import: the lines of a reader as the pieces of a scanner. */

#include <stdbool.h>
#include <stddef.h>

#include "base/json_scan.h"
#include "import/importer.h"

struct json_text {
	struct json_scan scan;
	struct import_reader *in;
	struct import_span span; /* what the scanner looks at; not consumed yet */
	bool has_span;
	struct strbuf *copy; /* NULL, or gets everything before the current span */
};

/* The scanner points into *text, which must not move. */
void json_text_init(struct json_text *text, struct import_reader *in);
/* Consumes the lines of which something was scanned. */
void json_text_close(struct json_text *text);
CLEANUP_DEFINE(json_text, struct json_text, json_text_close)

/* Where the scanner stands: the rest of the line, not terminated. NULL at the end of the text. */
const char *json_text_line(const struct json_text *text, size_t *ret_len);

#define JSON_HEAD_LEN 64

/* How a document begins: `{ "key" : "value"`. What is longer is cut; no text = empty. */
struct json_head {
	char key[JSON_HEAD_LEN];
	char value[JSON_HEAD_LEN];
};

/* False if no object, or array of objects, begins at the current line. Consumes nothing. */
bool json_head_read(struct import_reader *in, struct json_head *ret_head);

#endif
