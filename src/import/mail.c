/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mail: a line of output as it was before mailers, terminals and web pages had it. */
#include "import/mail.h"

#include <stdint.h>
#include <string.h>

#include "base/strbuf.h"
#include "import/charset.h"
#include "import/html.h"

#define TAB_STOP 8
#define MAX_TAG_LINES 10		/* a tag that is longer is none */
#define MAX_DETECTION_BYTES (64U << 10) /* how far the sign for an encoding may be */

bool mail_is_clean(const char *raw, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)raw[i];

		if (byte < 0x20 || byte >= 0x7f || byte == '<' || byte == '>' || byte == '&' ||
		    byte == '^' || byte == '\\')
			return false;
	}
	return true;
}

/* ---- quoted-printable ---- */

/* The byte that "=XX" at text stands for, -1 if it is no such thing. */
static int quoted_byte(const char *text, size_t len)
{
	if (len < 3 || charset_hex_digit(text[1]) < 0 || charset_hex_digit(text[2]) < 0)
		return -1;
	return charset_hex_digit(text[1]) << 4 | charset_hex_digit(text[2]);
}

static size_t len_without_blanks(const char *text, size_t len)
{
	while (len && strchr(" \t\r", text[len - 1]) && text[len - 1])
		len--;
	return len;
}

enum sign {
	SIGN_NONE,
	SIGN_QUOTED, /* "=3D", and nothing that a quoted line cannot hold */
	SIGN_PLAIN,
};

/* Bytes that are written as they are in quoted-printable, so "=64" is no code. */
static bool is_never_quoted(int byte)
{
	bool is_alphanumeric = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
			       (byte >= 'a' && byte <= 'z');
	bool is_control = byte < 0x20 && (!byte || !strchr("\t\r\n\x1b", byte));

	return is_control || (is_alphanumeric && byte != 'F'); /* "From " at the start of a line */
}

static enum sign line_sign(const char *line, size_t len)
{
	enum sign sign = SIGN_NONE;
	const char *end = line + len_without_blanks(line, len);

	for (const char *at = line; (at = memchr(at, '=', (size_t)(end - at))); at++) {
		int byte = quoted_byte(at, (size_t)(end - at));

		if (at + 1 == end)
			break;
		if (byte < 0 || is_never_quoted(byte))
			return SIGN_PLAIN;
		if (byte == '=')
			sign = SIGN_QUOTED;
	}
	return sign;
}

void mail_detect_encoding(struct mail *mail, const char *text, size_t len)
{
	const char *end = text + (len < MAX_DETECTION_BYTES ? len : MAX_DETECTION_BYTES);
	const char *equals;

	while (text < end && (equals = memchr(text, '=', (size_t)(end - text)))) {
		const char *before = memrchr(text, '\n', (size_t)(equals - text));
		const char *line = before ? before + 1 : text;
		const char *newline = memchr(equals, '\n', (size_t)(end - equals));
		const char *line_end = newline ? newline : end;
		enum sign sign;

		if (!newline && len > MAX_DETECTION_BYTES)
			return; /* the line goes on */
		sign = line_sign(line, (size_t)(line_end - line));
		if (sign != SIGN_NONE) {
			mail->is_quoted_printable = sign == SIGN_QUOTED;
			return;
		}
		text = newline ? newline + 1 : end;
	}
}

bool mail_is_soft_break(const struct mail *mail, const char *raw, size_t len)
{
	len = len_without_blanks(raw, len);
	return mail->is_quoted_printable && len && raw[len - 1] == '=';
}

static void decode_quoted(const char *raw, size_t len, struct strbuf *out)
{
	for (size_t i = 0; i < len; i++) {
		int byte = raw[i] == '=' ? quoted_byte(raw + i, len - i) : -1;

		if (byte < 0) {
			strbuf_add_char(out, raw[i]);
			continue;
		}
		strbuf_add_char(out, (char)byte);
		i += 2;
	}
}

/* ---- quoting ---- */

/* Start of the text after the marks of quoted mail. ">=64" is a depth in fio's output. */
static const char *skip_quoting(const char *text, const char *end)
{
	const char *after = text;

	for (const char *at = text; at < end; at++) {
		if (*at == ' ' || *at == '\t')
			continue;
		if (*at != '>' || (at + 2 < end && at[1] == '=' && at[2] >= '0' && at[2] <= '9'))
			break;
		after = at + 1;
	}
	return after > text && after < end && *after == ' ' ? after + 1 : after;
}

unsigned mail_quote_depth(const char *raw, size_t len)
{
	const char *end = skip_quoting(raw, raw + len);
	unsigned depth = 0;

	for (; raw < end; raw++)
		depth += *raw == '>';
	return depth;
}

static void add_without_tabs(const char *text, const char *end, struct strbuf *out)
{
	size_t start = out->len;

	for (; text < end; text++) {
		if (*text == '\t')
			strbuf_add_repeat(out, ' ', TAB_STOP - (out->len - start) % TAB_STOP);
		else
			strbuf_add_char(out, *text);
	}
}

static void add_unquoted(const char *text, size_t len, struct strbuf *out)
{
	const char *end = text + len;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *line_end = newline ? newline : end;

		add_without_tabs(skip_quoting(text, line_end), line_end, out);
		if (!newline)
			break;
		strbuf_add_char(out, '\n');
		text = newline + 1;
	}
}

/* ---- the whole ---- */

/* What is left of a tag of an earlier line. */
static size_t rest_of_tag(struct mail *mail, const char *text, size_t len)
{
	const char *end;

	if (!mail->is_in_tag)
		return 0;
	end = memchr(text, '>', len);
	if (!end && ++mail->nr_tag_lines < MAX_TAG_LINES)
		return len;
	mail->is_in_tag = false;
	return end ? (size_t)(end + 1 - text) : 0;
}

/* Takes the tag at text: its length, or 0. */
static size_t take_tag(struct mail *mail, const char *text, size_t len, struct strbuf *out)
{
	bool is_open = false;
	char becomes;
	size_t taken = html_tag_len(text, len, &is_open, &becomes);

	if (!taken)
		return 0;
	if (becomes)
		strbuf_add_char(out, becomes);
	mail->is_in_tag = is_open;
	mail->nr_tag_lines = 0;
	return taken;
}

static size_t take_one(struct mail *mail, const char *text, size_t len, struct strbuf *out)
{
	uint32_t code;
	size_t taken = 0;

	switch (*text) {
	case '<':
		taken = take_tag(mail, text, len, out);
		break;
	case '&':
		taken = html_entity_len(text, len, &code);
		if (taken)
			charset_put(code, out);
		break;
	case '\r':
		strbuf_add_char(out, '\n');
		return 1;
	default:
		taken = charset_escape_len(text, len);
	}
	return taken ? taken : charset_take(text, len, out);
}

void mail_clean(struct mail *mail, const char *raw, size_t len, struct strbuf *out)
{
	CLEANUP(strbuf) struct strbuf decoded = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf plain = STRBUF_INIT;
	size_t i;

	if (mail->is_quoted_printable) {
		decode_quoted(raw, len, &decoded);
		raw = strbuf_str(&decoded);
		len = decoded.len;
	}
	while (len && raw[len - 1] == '\r')
		len--;
	i = rest_of_tag(mail, raw, len);
	while (i < len)
		i += take_one(mail, raw + i, len - i, &plain);
	/* A break at the end of a line is the end of the line. */
	if (plain.len && plain.buf[plain.len - 1] == '\n')
		strbuf_truncate(&plain, plain.len - 1);
	add_unquoted(strbuf_str(&plain), plain.len, out);
}
