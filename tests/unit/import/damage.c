/* SPDX-License-Identifier: GPL-2.0-or-later */
/* damage: plain text as mailers, terminals and web pages leave it. */
#include "damage.h"

#include "base/strbuf.h"

#include <ctype.h>
#include <string.h>

/* The line at text without its newline; *text moves to the next one. */
static size_t take_line(const char **text)
{
	const char *newline = strchr(*text, '\n');
	size_t len = newline ? (size_t)(newline - *text) : strlen(*text);

	*text += len + (newline ? 1 : 0);
	return len;
}

unsigned damage_nr_lines(const char *text)
{
	unsigned nr = 0;

	while (*text) {
		(void)take_line(&text);
		nr++;
	}
	return nr;
}

char *damage_quote(const char *text, unsigned depth, const char *mark)
{
	struct strbuf out = STRBUF_INIT;

	while (*text) {
		const char *line = text;
		size_t len = take_line(&text);

		for (unsigned i = 0; i < depth; i++)
			strbuf_add_str(&out, mark);
		strbuf_printf(&out, "%.*s\n", (int)len, line);
	}
	return strbuf_take(&out);
}

static void wrap_line(struct strbuf *out, const char *line, size_t len, unsigned width,
		      const char *mark)
{
	while (len > width) {
		size_t at = width;

		while (at > 0 && line[at] != ' ')
			at--;
		/* Not inside the indentation. */
		if (strspn(line, " ") >= at)
			break;
		strbuf_printf(out, "%.*s\n", (int)at, line);
		while (at < len && line[at] == ' ')
			at++;
		line += at;
		len -= at;
		if (len && *line == '>')
			strbuf_add_str(out, mark);
	}
	strbuf_printf(out, "%.*s\n", (int)len, line);
}

static char *wrap(const char *text, unsigned width, const char *mark)
{
	struct strbuf out = STRBUF_INIT;

	while (*text) {
		const char *line = text;
		size_t len = take_line(&text);

		wrap_line(&out, line, len, width, mark);
	}
	return strbuf_take(&out);
}

char *damage_wrap(const char *text, unsigned width)
{
	return wrap(text, width, "");
}

char *damage_wrap_flowed(const char *text, unsigned width)
{
	CLEANUP(free) char *wrapped = wrap(text, width, ">");

	/* ">>=64=0.0%" becomes ">> =64=0.0%". */
	return damage_replace(wrapped, "\n>>=", "\n>> =");
}

char *damage_fill(const char *text, unsigned width)
{
	struct strbuf out = STRBUF_INIT;
	size_t column = 0;

	while (*text) {
		const char *line = text;
		size_t len = take_line(&text);
		size_t i = strspn(line, " ");

		if (len == 0) {
			strbuf_add_str(&out, column ? "\n\n" : "\n");
			column = 0;
			continue;
		}
		while (i < len) {
			size_t word = strcspn(line + i, " \n");

			if (column && column + 1 + word > width) {
				strbuf_add_char(&out, '\n');
				column = 0;
			} else if (column) {
				strbuf_add_char(&out, ' ');
				column++;
			}
			strbuf_add(&out, line + i, word);
			column += word;
			i += word;
			while (i < len && line[i] == ' ')
				i++;
		}
	}
	if (column)
		strbuf_add_char(&out, '\n');
	return strbuf_take(&out);
}

char *damage_quoted_printable(const char *text, unsigned width)
{
	struct strbuf out = STRBUF_INIT;
	size_t column = 0;

	for (; *text; text++) {
		unsigned char byte = (unsigned char)*text;
		int is_plain = (byte >= 33 && byte <= 126 && byte != '=') ||
			       (byte == ' ' && text[1] != '\n' && text[1] != '\0');

		if (byte == '\n') {
			strbuf_add_char(&out, '\n');
			column = 0;
			continue;
		}
		if (column + (is_plain ? 1 : 3) > width - 1) {
			strbuf_add_str(&out, "=\n");
			column = 0;
		}
		if (is_plain)
			strbuf_add_char(&out, *text);
		else
			strbuf_printf(&out, "=%02X", byte);
		column += is_plain ? 1 : 3;
	}
	return strbuf_take(&out);
}

/* Copies digits with `open` and `close` around all but the first of each number. */
static void add_numbers_marked(struct strbuf *out, const char **text, const char *open,
			       const char *close)
{
	strbuf_add_char(out, *(*text)++);
	if (!isdigit((unsigned char)**text))
		return;
	strbuf_add_str(out, open);
	while (isdigit((unsigned char)**text))
		strbuf_add_char(out, *(*text)++);
	strbuf_add_str(out, close);
}

char *damage_html(const char *text)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_add_str(&out, "<html><body><pre class=\"code\n wide\">\n");
	while (*text) {
		if (isdigit((unsigned char)*text)) {
			add_numbers_marked(&out, &text, "<span style=\"color:red\">", "</span>");
			continue;
		}
		if (*text == '<')
			strbuf_add_str(&out, "&lt;");
		else if (*text == '>')
			strbuf_add_str(&out, "&gt;");
		else if (*text == '&')
			strbuf_add_str(&out, "&amp;");
		else if (*text == '\n')
			strbuf_add_str(&out, "<br />\n");
		else if (*text == ' ' && text[1] == ' ')
			strbuf_add_str(&out, "&nbsp;");
		else
			strbuf_add_char(&out, *text);
		text++;
	}
	strbuf_add_str(&out, "</pre></body></html>\n");
	return strbuf_take(&out);
}

char *damage_ansi(const char *text)
{
	struct strbuf out = STRBUF_INIT;

	while (*text) {
		if (isdigit((unsigned char)*text))
			add_numbers_marked(&out, &text, "\x1b[01;31m\x1b[K", "\x1b[m\x1b[K");
		else
			strbuf_add_char(&out, *text++);
	}
	return strbuf_take(&out);
}

char *damage_replace(const char *text, const char *part, const char *by)
{
	struct strbuf out = STRBUF_INIT;
	const char *found;

	while ((found = strstr(text, part))) {
		strbuf_add(&out, text, (size_t)(found - text));
		strbuf_add_str(&out, by);
		text = found + strlen(part);
	}
	strbuf_add_str(&out, text);
	return strbuf_take(&out);
}

char *damage_crlf(const char *text)
{
	return damage_replace(text, "\n", "\r\n");
}

char *damage_bom(const char *text)
{
	return damage_surround("\xef\xbb\xbf", text, "");
}

char *damage_tabs(const char *text)
{
	CLEANUP(free) char *indented = damage_replace(text, "\n    ", "\n\t");

	return damage_replace(indented, ": ", ":\t");
}

char *damage_nbsp(const char *text)
{
	CLEANUP(free) char *inside = damage_replace(text, ", ", ",\xc2\xa0");

	return damage_replace(inside, "  ", "\xc2\xa0 ");
}

char *damage_utf16(const char *text, unsigned long *ret_len)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_add(&out, "\xff\xfe", 2);
	for (; *text; text++) {
		strbuf_add_char(&out, *text);
		strbuf_add_char(&out, '\0');
	}
	*ret_len = out.len;
	return strbuf_take(&out);
}

char *damage_cut(const char *text, unsigned nr_lines)
{
	struct strbuf out = STRBUF_INIT;
	const char *end = text;

	while (nr_lines-- && *end)
		(void)take_line(&end);
	strbuf_add(&out, text, (size_t)(end - text));
	return strbuf_take(&out);
}

char *damage_behead(const char *text, unsigned nr_lines)
{
	struct strbuf out = STRBUF_INIT;

	while (nr_lines-- && *text)
		(void)take_line(&text);
	strbuf_add_str(&out, text);
	return strbuf_take(&out);
}

char *damage_surround(const char *before, const char *text, const char *after)
{
	struct strbuf out = STRBUF_INIT;

	strbuf_printf(&out, "%s%s%s", before, text, after);
	return strbuf_take(&out);
}
