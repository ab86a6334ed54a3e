/* SPDX-License-Identifier: GPL-2.0-or-later */
/* html: tags and character references in program output that went through a web page. */
#include "import/html.h"

#include <string.h>
#include <strings.h>

#include "import/charset.h"

/* Tags that occur around text, and what they mean when they open and when they close. */
static const struct html_tag {
	const char *name;
	char opens, closes;
} tags[] = {
	{ "a", 0, 0 },	     { "b", 0, 0 },	   { "big", 0, 0 },	 { "blockquote", 0, '\n' },
	{ "body", 0, '\n' }, { "br", '\n', '\n' }, { "code", 0, 0 },	 { "dd", 0, '\n' },
	{ "div", 0, '\n' },  { "dl", 0, '\n' },	   { "dt", 0, '\n' },	 { "em", 0, 0 },
	{ "font", 0, 0 },    { "h1", 0, '\n' },	   { "h2", 0, '\n' },	 { "h3", 0, '\n' },
	{ "h4", 0, '\n' },   { "head", 0, '\n' },  { "hr", '\n', '\n' }, { "html", 0, '\n' },
	{ "i", 0, 0 },	     { "img", 0, 0 },	   { "ins", 0, 0 },	 { "kbd", 0, 0 },
	{ "li", 0, '\n' },   { "link", 0, 0 },	   { "mark", 0, 0 },	 { "meta", 0, 0 },
	{ "o:p", 0, 0 },     { "ol", 0, '\n' },	   { "p", 0, '\n' },	 { "pre", 0, '\n' },
	{ "q", 0, 0 },	     { "s", 0, 0 },	   { "samp", 0, 0 },	 { "small", 0, 0 },
	{ "span", 0, 0 },    { "strong", 0, 0 },   { "style", 0, 0 },	 { "sub", 0, 0 },
	{ "sup", 0, 0 },     { "table", 0, '\n' }, { "tbody", 0, 0 },	 { "td", 0, ' ' },
	{ "th", 0, ' ' },    { "thead", 0, 0 },	   { "title", 0, '\n' }, { "tr", 0, '\n' },
	{ "tt", 0, 0 },	     { "u", 0, 0 },	   { "ul", 0, '\n' },	 { "wbr", 0, 0 },
};

static const struct entity {
	const char *name;
	uint32_t code;
} entities[] = {
	{ "amp", '&' },	      { "apos", '\'' }, { "gt", '>' },	  { "hellip", 0x2026 },
	{ "lt", '<' },	      { "minus", '-' }, { "nbsp", 0xa0 }, { "ndash", 0x2013 },
	{ "plusmn", 0xb1 },   { "quot", '"' },	{ "shy", 0xad },  { "ge", 0x2265 },
	{ "thinsp", 0x2009 },
};

#define MAX_ENTITY_LEN 10 /* "&#1114111;" */

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == ':';
}

static const struct html_tag *tag_find(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++) {
		if (strlen(tags[i].name) == len && !strncasecmp(tags[i].name, name, len))
			return &tags[i];
	}
	return NULL;
}

static size_t comment_len(const char *text, size_t len, bool *ret_is_open)
{
	const char *end = memmem(text, len, "-->", 3);

	*ret_is_open = !end;
	return end ? (size_t)(end + 3 - text) : len;
}

size_t html_tag_len(const char *text, size_t len, bool *ret_is_open, char *ret_becomes)
{
	const struct html_tag *tag;
	const char *end;
	bool is_closing = len > 1 && text[1] == '/';
	size_t start = is_closing ? 2 : 1;
	size_t name_end = start;

	*ret_becomes = '\0';
	if (len >= 4 && !memcmp(text, "<!--", 4))
		return comment_len(text, len, ret_is_open);
	while (name_end < len && is_name_char(text[name_end]))
		name_end++;
	tag = tag_find(text + start, name_end - start);
	if (!tag || (name_end < len && !strchr(" \t\r\n/>", text[name_end])))
		return 0;
	*ret_becomes = tag->opens;
	if (is_closing)
		*ret_becomes = tag->closes;
	end = memchr(text + name_end, '>', len - name_end);
	*ret_is_open = !end;
	return end ? (size_t)(end + 1 - text) : len;
}

/* "#177;" or "#xb1;" after '&': the code point, 0 if it is none. */
static uint32_t numeric_code(const char *text, size_t len)
{
	bool is_hex = len > 1 && (text[1] == 'x' || text[1] == 'X');
	uint32_t code = 0;

	for (size_t i = is_hex ? 2 : 1; i < len; i++) {
		int digit = charset_hex_digit(text[i]);

		if (digit < 0 || (!is_hex && digit > 9) || code > 0x10ffff)
			return 0;
		code = code * (is_hex ? 16 : 10) + (uint32_t)digit;
	}
	return code;
}

size_t html_entity_len(const char *text, size_t len, uint32_t *ret_code)
{
	const char *end = memchr(text, ';', len < MAX_ENTITY_LEN ? len : MAX_ENTITY_LEN);
	size_t name_len = end ? (size_t)(end - text) - 1 : 0;

	if (!name_len)
		return 0;
	if (text[1] == '#') {
		*ret_code = numeric_code(text + 1, name_len);
		return *ret_code ? name_len + 2 : 0;
	}
	for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++) {
		if (strlen(entities[i].name) == name_len &&
		    !strncmp(entities[i].name, text + 1, name_len)) {
			*ret_code = entities[i].code;
			return name_len + 2;
		}
	}
	return 0;
}
