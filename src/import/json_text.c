/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_text: puts a scanner for JSON on the lines of a reader, and looks how a document begins. */
#include "import/json_text.h"

#include <string.h>

/* ---- the text ---- */

static bool next_span(void *context, struct json_piece *ret_piece)
{
	struct json_text *text = context;

	if (text->has_span) {
		if (text->copy) {
			strbuf_add(text->copy, text->span.text, text->span.len);
			if (!text->span.is_partial)
				strbuf_add_char(text->copy, '\n');
		}
		import_pass_span(text->in, &text->span, text->span.len);
	}
	text->has_span = import_peek_span(text->in, &text->span);
	if (!text->has_span)
		return false;
	*ret_piece = (struct json_piece){ .text = text->span.text,
					  .len = text->span.len,
					  .line = text->span.nr,
					  .is_joined = text->span.is_partial };
	return true;
}

void json_text_init(struct json_text *text, struct import_reader *in)
{
	*text = (struct json_text){ .in = in };
	json_scan_init(&text->scan, (struct json_source){ .next = next_span, .context = text });
}

static bool is_blank(const char *text, const char *end)
{
	while (text < end && (unsigned char)*text <= ' ')
		text++;
	return text == end;
}

void json_text_close(struct json_text *text)
{
	const char *at = text->scan.at;

	if (text->has_span) {
		const char *start = text->span.text;
		size_t used = (size_t)(at - start);
		const char *newline = used ? memrchr(start, '\n', used) : NULL;
		const char *line = newline ? newline + 1 : start;

		/* The line at which the scanner stands is not its own if nothing of it was. */
		import_pass_span(text->in, &text->span,
				 is_blank(line, at) ? (size_t)(line - start) : used);
	}
	text->has_span = false;
	json_scan_release(&text->scan);
}

const char *json_text_line(const struct json_text *text, size_t *ret_len)
{
	const struct json_scan *scan = &text->scan;
	const char *newline;

	if (!text->has_span || scan->at == scan->end)
		return NULL;
	newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
	*ret_len = (size_t)((newline ? newline : scan->end) - scan->at);
	return scan->at;
}

/* ---- its beginning ---- */

struct peek {
	struct import_reader *in;
	size_t ahead;
};

static bool peek_next(void *context, struct json_piece *ret_piece)
{
	struct peek *peek = context;
	const struct import_line *line = import_peek(peek->in, peek->ahead);

	if (!line)
		return false;
	peek->ahead++;
	*ret_piece = (struct json_piece){ .text = line->text,
					  .len = line->len,
					  .line = line->nr,
					  .is_joined = line->is_partial };
	return true;
}

static void copy_head(char into[JSON_HEAD_LEN], const char *text, size_t len)
{
	if (len >= JSON_HEAD_LEN)
		len = JSON_HEAD_LEN - 1;
	if (len)
		memcpy(into, text, len);
	into[len] = '\0';
}

bool json_head_read(struct import_reader *in, struct json_head *ret_head)
{
	const struct import_line *line = import_peek(in, 0);
	struct peek peek = { .in = in };
	CLEANUP(json_scan) struct json_scan scan = { .depth = 0 };
	enum json_event event;

	if (*import_body(line) != '{' && *import_body(line) != '[')
		return false;
	json_scan_init(&scan, (struct json_source){ .next = peek_next, .context = &peek });
	do {
		event = json_scan_next(&scan);
	} while (event == JSON_ARRAY && scan.depth == 1);
	if (event != JSON_OBJECT)
		return false;
	event = json_scan_next(&scan);
	*ret_head = (struct json_head){ .key = "" };
	copy_head(ret_head->key, scan.key, scan.key_len);
	if (event == JSON_STRING)
		copy_head(ret_head->value, scan.text, scan.len);
	return true;
}
