/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_scan: JSON text in pieces -> events, one at a time. What they mean is the caller's. */
#include "base/json_scan.h"

#include <string.h>

#include "base/json_string.h"

void json_scan_init(struct json_scan *scan, struct json_source source)
{
	*scan = (struct json_scan){ .source = source, .has_text = true };
}

void json_scan_release(struct json_scan *scan)
{
	strbuf_release(&scan->key_copy);
	strbuf_release(&scan->text_copy);
}

/* No value was completed. */
static enum json_event give_up(struct json_scan *scan, enum json_event event)
{
	scan->text = NULL;
	scan->len = 0;
	scan->text_is_borrowed = false;
	scan->line = scan->at_line;
	return event;
}

static enum json_event fault(struct json_scan *scan, const char *what)
{
	scan->fault = what;
	return give_up(scan, JSON_FAULT);
}

static enum json_event cut(struct json_scan *scan)
{
	return give_up(scan, JSON_CUT);
}

/* ---- pieces ---- */

static void keep(struct strbuf *copy, const char **text, size_t len, bool *is_borrowed)
{
	if (!*is_borrowed)
		return;
	strbuf_reset(copy);
	strbuf_add(copy, *text, len);
	*text = strbuf_str(copy);
	*is_borrowed = false;
}

/* Goes to the next piece that is not empty; what the last event lent is copied first. */
static bool next_piece(struct json_scan *scan)
{
	struct json_piece piece;

	keep(&scan->key_copy, &scan->key, scan->key_len, &scan->key_is_borrowed);
	keep(&scan->text_copy, &scan->text, scan->len, &scan->text_is_borrowed);
	while (scan->has_text) {
		if (!scan->source.next(scan->source.context, &piece)) {
			scan->has_text = false;
			break;
		}
		scan->at = piece.text;
		scan->end = piece.text + piece.len;
		scan->at_line = piece.line;
		scan->is_joined = piece.is_joined;
		if (piece.len)
			return true;
	}
	return false;
}

/* To the next character that is not white space; false at the end of the text. */
static bool skip_space(struct json_scan *scan)
{
	do {
		const char *at = scan->at;

		for (; at < scan->end; at++) {
			if ((unsigned char)*at > ' ') {
				scan->at = at;
				return true;
			}
			scan->at_line += *at == '\n';
		}
		scan->at = at;
	} while (next_piece(scan));
	return false;
}

/* ---- strings ---- */

/*
 * A line end inside a string: one blank, however much white space there is. JSON_STRING: it goes
 * on.
 */
static enum json_event pass_break(struct json_scan *scan, struct strbuf *copy)
{
	while (copy->len && copy->buf[copy->len - 1] == ' ')
		strbuf_truncate(copy, copy->len - 1);
	strbuf_add_char(copy, ' ');
	if (!skip_space(scan))
		return cut(scan);
	if (*scan->at == '{') /* the next document */
		return fault(scan, "a string that does not end");
	return JSON_STRING;
}

/* True if the piece is used up or a line ends. Pieces that join are passed. */
static bool is_at_break(struct json_scan *scan, bool *ret_is_cut)
{
	*ret_is_cut = false;
	while (scan->at == scan->end && scan->is_joined) {
		if (next_piece(scan))
			continue;
		*ret_is_cut = true;
		return true;
	}
	return scan->at == scan->end || *scan->at == '\n';
}

/* The rest of a string that is not plain, after `copy` has its beginning. */
static enum json_event scan_long_string(struct json_scan *scan, struct strbuf *copy)
{
	struct json_escape escape = { .state = JSON_ESCAPE_NONE };
	unsigned nr_breaks = 0;
	enum json_event event = JSON_STRING;
	bool is_cut;

	while (event == JSON_STRING) {
		unsigned char c;

		if (is_at_break(scan, &is_cut)) {
			if (is_cut)
				return cut(scan);
			if (++nr_breaks > JSON_SCAN_MAX_BREAKS)
				return fault(scan, "a string that does not end");
			json_escape_flush(&escape, copy);
			event = pass_break(scan, copy);
			continue;
		}
		c = (unsigned char)*scan->at++;
		if (c == '"' && escape.state != JSON_ESCAPE_BEGUN)
			break;
		if (copy->len >= JSON_SCAN_MAX_STRING)
			return fault(scan, "a string of more than 1 MiB");
		json_escape_add(&escape, c, copy);
	}
	json_escape_flush(&escape, copy);
	return event;
}

/* The string after the quote at scan->at. */
static enum json_event scan_string(struct json_scan *scan, struct strbuf *copy,
				   const char **ret_text, size_t *ret_len, bool *ret_is_borrowed)
{
	const char *start = scan->at + 1;
	const char *at = start;
	enum json_event event;

	while (at < scan->end && *at != '"' && *at != '\\' && *at != '\n')
		at++;
	scan->at = at;
	if (at < scan->end && *at == '"') {
		scan->at = at + 1;
		*ret_text = start;
		*ret_len = (size_t)(at - start);
		*ret_is_borrowed = true;
		return JSON_STRING;
	}
	strbuf_reset(copy);
	strbuf_add(copy, start, (size_t)(at - start));
	event = scan_long_string(scan, copy);
	if (event != JSON_STRING)
		return event;
	*ret_text = strbuf_str(copy);
	*ret_len = copy->len;
	*ret_is_borrowed = false;
	return event;
}

/* ---- numbers and words ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_atom(char c)
{
	return is_digit(c) || is_letter(c) || c == '-' || c == '+' || c == '.';
}

/* A number or word, in two pieces if need be. */
static enum json_event scan_atom(struct json_scan *scan)
{
	const char *start = scan->at;
	const char *at = start;
	enum json_event event;

	while (at < scan->end && is_atom(*at))
		at++;
	scan->at = at;
	scan->text = start;
	scan->len = (size_t)(at - start);
	scan->text_is_borrowed = true;
	while (scan->at == scan->end && scan->is_joined) {
		if (scan->len > JSON_NUMBER_MAX_LEN)
			return fault(scan, "a number of too many digits");
		if (!next_piece(scan)) /* makes a copy */
			return cut(scan);
		for (at = scan->at; at < scan->end && is_atom(*at);)
			at++;
		strbuf_add(&scan->text_copy, scan->at, (size_t)(at - scan->at));
		scan->text = strbuf_str(&scan->text_copy);
		scan->len = scan->text_copy.len;
		scan->at = at;
	}
	if (scan->len > JSON_NUMBER_MAX_LEN)
		return fault(scan, "a number of too many digits");
	event = json_atom_kind(scan->text, scan->len);
	if (event == JSON_FAULT)
		return fault(scan, "neither a value nor the end");
	return event;
}

/* Nothing but a separator shows that a number is whole. */
static enum json_event confirm(struct json_scan *scan, enum json_event event)
{
	if (event == JSON_FAULT || event == JSON_CUT)
		return event;
	if (!skip_space(scan))
		return cut(scan);
	if (*scan->at != ',' && *scan->at != '}' && *scan->at != ']')
		return fault(scan, "a value without an end");
	return event;
}

/* ---- structure ---- */

static enum json_event open_bracket(struct json_scan *scan, bool is_object)
{
	if (scan->depth == JSON_SCAN_MAX_DEPTH)
		return fault(scan, "too many brackets are open");
	scan->at++;
	scan->is_object = scan->is_object << 1 | is_object;
	scan->depth++;
	scan->needs_comma = false;
	return is_object ? JSON_OBJECT : JSON_ARRAY;
}

static enum json_event close_bracket(struct json_scan *scan)
{
	if ((*scan->at == '}') != (scan->is_object & 1))
		return fault(scan, "the wrong closing bracket");
	scan->at++;
	scan->is_object >>= 1;
	scan->depth--;
	scan->needs_comma = true;
	return JSON_CLOSE;
}

static enum json_event scan_value(struct json_scan *scan)
{
	enum json_event event;

	scan->line = scan->at_line;
	switch (*scan->at) {
	case '{':
		return open_bracket(scan, true);
	case '[':
		return open_bracket(scan, false);
	case '"':
		event = scan_string(scan, &scan->text_copy, &scan->text, &scan->len,
				    &scan->text_is_borrowed);
		break;
	default:
		event = confirm(scan, scan_atom(scan));
	}
	scan->needs_comma = true;
	return event;
}

static enum json_event scan_member(struct json_scan *scan)
{
	enum json_event event;

	if (*scan->at != '"')
		return fault(scan, "no key where one belongs");
	event = scan_string(scan, &scan->key_copy, &scan->key, &scan->key_len,
			    &scan->key_is_borrowed);
	if (event != JSON_STRING)
		return event;
	if (!skip_space(scan))
		return cut(scan);
	if (*scan->at != ':')
		return fault(scan, "no ':' after a key");
	scan->at++;
	if (!skip_space(scan))
		return cut(scan);
	return scan_value(scan);
}

static enum json_event begin_document(struct json_scan *scan)
{
	scan->needs_comma = false;
	while (skip_space(scan) && *scan->at == ',')
		scan->at++;
	if (scan->at == scan->end)
		return JSON_NONE;
	if (*scan->at != '{' && *scan->at != '[')
		return fault(scan, "no '{' where a document belongs");
	return scan_value(scan);
}

enum json_event json_scan_next(struct json_scan *scan)
{
	scan->key = scan->text = NULL;
	scan->key_len = scan->len = 0;
	scan->key_is_borrowed = scan->text_is_borrowed = false;
	if (scan->depth == 0)
		return begin_document(scan);
	if (!skip_space(scan))
		return cut(scan);
	if (*scan->at == ',' && scan->needs_comma) {
		scan->at++;
		scan->needs_comma = false;
		if (!skip_space(scan))
			return cut(scan);
	}
	if (*scan->at == '}' || *scan->at == ']') {
		scan->line = scan->at_line;
		return close_bracket(scan);
	}
	if (scan->needs_comma)
		return fault(scan, "no ',' between two values");
	return scan->is_object & 1 ? scan_member(scan) : scan_value(scan);
}

enum json_event json_scan_skip(struct json_scan *scan)
{
	unsigned outside = scan->depth - 1;
	enum json_event event;

	do {
		event = json_scan_next(scan);
	} while (event != JSON_CUT && event != JSON_FAULT && scan->depth > outside);
	return event;
}

void json_scan_restart(struct json_scan *scan)
{
	scan->depth = 1;
	scan->is_object = 1;
}

void json_scan_recover(struct json_scan *scan)
{
	scan->depth = 0;
	scan->is_object = 0;
	scan->fault = NULL;
}

bool json_scan_has_more_here(const struct json_scan *scan)
{
	const char *at = scan->at;

	while (at < scan->end && ((unsigned char)*at <= ' ' || *at == ','))
		at++;
	return at < scan->end && *at == '{';
}

bool json_scan_is_key(const struct json_scan *scan, const char *name)
{
	return scan->key && strlen(name) == scan->key_len &&
	       !memcmp(scan->key, name, scan->key_len);
}
