/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json_string: the insides of JSON strings, numbers and words. */
#include "base/json_string.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/strbuf.h"

/* ---- strings ---- */

static void add_utf8(struct strbuf *out, uint32_t code)
{
	if (code == 0 || (code >= 0xd800 && code < 0xe000)) {
		strbuf_add_char(out, '?');
	} else if (code < 0x80) {
		strbuf_add_char(out, (char)code);
	} else if (code < 0x800) {
		strbuf_add_char(out, (char)(0xc0 | code >> 6));
		strbuf_add_char(out, (char)(0x80 | (code & 0x3f)));
	} else if (code < 0x10000) {
		strbuf_add_char(out, (char)(0xe0 | code >> 12));
		strbuf_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
		strbuf_add_char(out, (char)(0x80 | (code & 0x3f)));
	} else {
		strbuf_add_char(out, (char)(0xf0 | code >> 18));
		strbuf_add_char(out, (char)(0x80 | (code >> 12 & 0x3f)));
		strbuf_add_char(out, (char)(0x80 | (code >> 6 & 0x3f)));
		strbuf_add_char(out, (char)(0x80 | (code & 0x3f)));
	}
}

/* A high surrogate without its other half. */
static void flush_first(struct json_escape *escape, struct strbuf *out)
{
	if (escape->first)
		add_utf8(out, escape->first);
	escape->first = 0;
}

static void add_code(struct json_escape *escape, struct strbuf *out)
{
	uint32_t code = escape->code;

	if (escape->first && code >= 0xdc00 && code < 0xe000) {
		add_utf8(out, 0x10000 + ((escape->first - 0xd800) << 10) + (code - 0xdc00));
		escape->first = 0;
		return;
	}
	flush_first(escape, out);
	if (code >= 0xd800 && code < 0xdc00)
		escape->first = code;
	else
		add_utf8(out, code);
}

static int hex_value(unsigned char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
		return (c | 0x20) - 'a' + 10;
	return -1;
}

static void add_hex(struct json_escape *escape, unsigned char c, struct strbuf *out)
{
	int value = hex_value(c);

	if (value < 0) {
		json_escape_flush(escape, out);
		json_escape_add(escape, c, out);
		return;
	}
	escape->code = escape->code << 4 | (uint32_t)value;
	if (++escape->nr_digits < 4)
		return;
	escape->state = JSON_ESCAPE_NONE;
	add_code(escape, out);
}

/* The character after a backslash. */
static void add_escaped(struct json_escape *escape, unsigned char c, struct strbuf *out)
{
	static const char names[] = "bfnrt";
	static const char means[] = "\b\f\n\r\t";
	const char *name = c ? strchr(names, c) : NULL;

	escape->state = JSON_ESCAPE_NONE;
	if (c == 'u') {
		escape->state = JSON_ESCAPE_HEX;
		escape->nr_digits = 0;
		escape->code = 0;
		return;
	}
	flush_first(escape, out);
	if (name)
		c = (unsigned char)means[name - names];
	else if (c != '"' && c != '\\' && c != '/')
		strbuf_add_char(out, '\\'); /* a path that was not escaped */
	strbuf_add_char(out, (char)c);
}

void json_escape_add(struct json_escape *escape, unsigned char c, struct strbuf *out)
{
	if (escape->state == JSON_ESCAPE_BEGUN) {
		add_escaped(escape, c, out);
	} else if (escape->state == JSON_ESCAPE_HEX) {
		add_hex(escape, c, out);
	} else if (c == '\\') {
		escape->state = JSON_ESCAPE_BEGUN;
	} else {
		flush_first(escape, out);
		strbuf_add_char(out, (char)c);
	}
}

void json_escape_flush(struct json_escape *escape, struct strbuf *out)
{
	flush_first(escape, out);
	if (escape->state == JSON_ESCAPE_BEGUN)
		strbuf_add_char(out, '\\');
	if (escape->state == JSON_ESCAPE_HEX)
		strbuf_printf(out, "\\u%.*x", (int)escape->nr_digits, escape->code);
	escape->state = JSON_ESCAPE_NONE;
}

/* ---- numbers and words ---- */

/* sign, digits, fraction, exponent; leading zeros are allowed. */
static bool is_number(const char *text, size_t len)
{
	size_t i = len && (text[0] == '-' || text[0] == '+');
	size_t nr_digits = 0;

	for (; i < len && text[i] >= '0' && text[i] <= '9'; i++)
		nr_digits++;
	if (i < len && text[i] == '.') {
		for (i++; i < len && text[i] >= '0' && text[i] <= '9'; i++)
			nr_digits++;
	}
	if (!nr_digits || i == len)
		return nr_digits > 0;
	if (text[i] != 'e' && text[i] != 'E')
		return false;
	i++;
	i += i < len && (text[i] == '-' || text[i] == '+');
	nr_digits = 0;
	for (; i < len && text[i] >= '0' && text[i] <= '9'; i++)
		nr_digits++;
	return nr_digits && i == len;
}

enum json_event json_atom_kind(const char *text, size_t len)
{
	static const char *const words[] = { "true", "false",	 "null", "nan",
					     "inf",  "infinity", "-nan", "-inf" };

	if (is_number(text, len))
		return JSON_NUMBER;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) == len && !strncasecmp(words[i], text, len))
			return JSON_WORD;
	}
	return JSON_FAULT;
}

bool json_number_u64(const char *text, size_t len, uint64_t *ret_value)
{
	uint64_t value = 0;

	if (!len)
		return false;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9' ||
		    __builtin_mul_overflow(value, (uint64_t)10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value))
			return false;
	}
	*ret_value = value;
	return true;
}

/* The general case. */
static bool number_by_strtod(const char *text, size_t len, double *ret_value)
{
	char copy[JSON_NUMBER_MAX_LEN + 1];
	char *end;
	double value;

	if (!len || len > JSON_NUMBER_MAX_LEN)
		return false;
	memcpy(copy, text, len);
	copy[len] = '\0';
	value = strtod(copy, &end);
	if (end != copy + len || !isfinite(value))
		return false;
	*ret_value = value;
	return true;
}

bool json_number(const char *text, size_t len, double *ret_value)
{
	/* Powers of ten that a double holds exactly, as it does whole numbers up to 2^53: their
	 * quotient is rounded once (Clinger 1990). */
	static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9 };
	bool is_negative = len && text[0] == '-';
	uint64_t digits = 0;
	size_t nr_decimals = 0;
	size_t i = is_negative;
	bool has_point = false;

	for (; i < len && i < 18; i++) {
		if (text[i] == '.' && !has_point) {
			has_point = true;
			continue;
		}
		if (text[i] < '0' || text[i] > '9')
			break;
		digits = digits * 10 + (uint64_t)(text[i] - '0');
		nr_decimals += has_point;
	}
	if (i < len || digits >= 1ULL << 53 || nr_decimals > 9 ||
	    len == (size_t)is_negative + has_point)
		return number_by_strtod(text, len, ret_value);
	*ret_value = (double)digits / powers[nr_decimals];
	if (is_negative)
		*ret_value = -*ret_value;
	return true;
}
