/* SPDX-License-Identifier: GPL-2.0-or-later */
/* charset: one plain form for characters that mailers and terminals have re-encoded or adorned. */
#include "import/charset.h"

#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"

#define ESC 0x1b
#define BEL 0x07

/* Sequences that stand for something else than they say. The first match counts. */
static const struct mangled {
	const char *bytes;
	const char *plain;
} mangled[] = {
	/* UTF-8 that was taken for Latin-1 or Windows-1252 and encoded once more */
	{ "\xc3\x82\xc2\xb1", "\xc2\xb1" },
	{ "\xc3\x82\xc2\xa0", " " },
	{ "\xc3\xa2\xe2\x82\xac\xc2\xa6", "..." },
	{ "\xc3\xa2\xe2\x82\xac\xe2\x80\x9c", "-" },
	{ "\xc3\xaf\xc2\xbb\xc2\xbf", "" },
	/* the plus-minus sign of Latin-1 taken for Latin-2 */
	{ "\xc4\x85", "\xc2\xb1" },
	/* octal escapes */
	{ "\\302\\261", "\xc2\xb1" },
	{ "\\261", "\xc2\xb1" },
};

/* Length of a well-formed sequence of UTF-8 and its code point; 0 = none. */
static size_t decode_utf8(const unsigned char *text, size_t len, uint32_t *ret_code)
{
	static const uint32_t smallest[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t nr = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
	uint32_t code;

	if (text[0] < 0xc2 || text[0] > 0xf4 || len < nr)
		return 0;
	code = text[0] & (0x7fU >> nr);
	for (size_t i = 1; i < nr; i++) {
		if ((text[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (text[i] & 0x3fU);
	}
	if (code < smallest[nr] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	*ret_code = code;
	return nr;
}

static void encode_utf8(uint32_t code, struct strbuf *out)
{
	size_t nr = code >= 0x10000 ? 4 : code >= 0x800 ? 3 : code >= 0x80 ? 2 : 1;
	static const unsigned char lead[5] = { 0, 0, 0xc0, 0xe0, 0xf0 };

	strbuf_add_char(out, (char)(lead[nr] | (code >> (6 * (nr - 1)))));
	for (size_t i = nr - 1; i > 0; i--)
		strbuf_add_char(out, (char)(0x80 | ((code >> (6 * (i - 1))) & 0x3f)));
}

static bool is_blank_code(uint32_t code)
{
	return code == 0xa0 || (code >= 0x2000 && code <= 0x200a) || code == 0x202f ||
	       code == 0x205f || code == 0x3000;
}

static bool is_invisible_code(uint32_t code)
{
	if (code == '\t' || code == '\n' || code == '\r')
		return false;
	return code < 0x20 || code == 0x7f || code == 0xad || (code >= 0x200b && code <= 0x200f) ||
	       code == 0x2060 || code == 0xfeff;
}

void charset_put(uint32_t code, struct strbuf *out)
{
	if (is_invisible_code(code))
		return;
	if (code < 0x80)
		strbuf_add_char(out, (char)code);
	else if (is_blank_code(code))
		strbuf_add_char(out, ' ');
	else if (code == 0x2026 || code == 0x85)
		strbuf_add_str(out, "...");
	else if ((code >= 0x2010 && code <= 0x2015) || code == 0x2212)
		strbuf_add_char(out, '-');
	else if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || code < 0xa0)
		strbuf_add_char(out, '?');
	else
		encode_utf8(code, out);
}

size_t charset_take(const char *text, size_t len, struct strbuf *out)
{
	unsigned char byte = (unsigned char)text[0];
	uint32_t code;
	size_t taken;

	for (size_t i = 0; i < sizeof(mangled) / sizeof(mangled[0]); i++) {
		size_t bytes = strlen(mangled[i].bytes);

		if (text[0] != mangled[i].bytes[0] || len < bytes ||
		    memcmp(text, mangled[i].bytes, bytes) != 0)
			continue;
		strbuf_add_str(out, mangled[i].plain);
		return bytes;
	}
	if (byte < 0x80) {
		charset_put(byte, out);
		return 1;
	}
	taken = decode_utf8((const unsigned char *)text, len, &code);
	charset_put(taken ? code : byte, out);
	return taken ? taken : 1;
}

int charset_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* After "ESC [": parameters, intermediates, one final byte. */
static size_t control_len(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && text[i] >= 0x20 && text[i] <= 0x3f)
		i++;
	return i < len && text[i] >= 0x40 && text[i] <= 0x7e ? i + 1 : i;
}

/* After "ESC ]": up to BEL or "ESC \". */
static size_t command_len(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == BEL)
			return i + 1;
		if (text[i] == ESC)
			return i + 1 < len && text[i + 1] == '\\' ? i + 2 : i;
	}
	return len;
}

size_t charset_escape_len(const char *text, size_t len)
{
	size_t lead = text[0] == ESC ? 1 : 0;

	if (!lead && len >= 3 && text[0] == '^' && text[1] == '[' && text[2] == '[')
		lead = 2;
	if (!lead)
		return 0;
	if (lead < len && text[lead] == '[')
		return lead + 1 + control_len(text + lead + 1, len - lead - 1);
	if (lead < len && text[lead] == ']')
		return lead + 1 + command_len(text + lead + 1, len - lead - 1);
	/* Two bytes such as ESC M, or ESC ( B. */
	if (lead + 1 < len && (text[lead] == '(' || text[lead] == ')'))
		return lead + 2;
	return lead < len ? lead + 1 : lead;
}
