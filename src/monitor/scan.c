/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scan: words and numbers of texts that the kernel prints. */
#include "monitor/scan.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool scan_line(struct scan *text, struct scan *ret_line)
{
	const char *newline;

	if (text->pos == text->end)
		return false;
	newline = memchr(text->pos, '\n', (size_t)(text->end - text->pos));
	ret_line->pos = text->pos;
	ret_line->end = newline ? newline : text->end;
	text->pos = newline ? newline + 1 : text->end;
	return true;
}

void scan_blanks(struct scan *scan)
{
	while (scan->pos < scan->end && is_blank(*scan->pos))
		scan->pos++;
}

bool scan_word(struct scan *line, struct scan_word *ret_word)
{
	scan_blanks(line);
	ret_word->text = line->pos;
	while (line->pos < line->end && !is_blank(*line->pos))
		line->pos++;
	ret_word->len = (size_t)(line->pos - ret_word->text);
	return ret_word->len > 0;
}

bool scan_word_u64(const struct scan_word *word, uint64_t *ret_value)
{
	uint64_t value = 0;

	for (size_t i = 0; i < word->len; i++) {
		unsigned digit = (unsigned)(unsigned char)word->text[i] - '0';

		if (digit > 9 || __builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return false;
	}
	if (word->len == 0)
		return false;
	*ret_value = value;
	return true;
}

bool scan_u64(struct scan *line, uint64_t *ret_value)
{
	struct scan ahead = *line;
	struct scan_word word;

	if (!scan_word(&ahead, &word) || !scan_word_u64(&word, ret_value))
		return false;
	*line = ahead;
	return true;
}

size_t scan_u64s(struct scan *line, uint64_t *values, size_t max)
{
	size_t nr = 0;

	while (nr < max && scan_u64(line, &values[nr]))
		nr++;
	return nr;
}

bool scan_skip(struct scan *scan, const char *prefix)
{
	size_t len = strlen(prefix);

	if ((size_t)(scan->end - scan->pos) < len || memcmp(scan->pos, prefix, len) != 0)
		return false;
	scan->pos += len;
	return true;
}

bool scan_until(struct scan *scan, char c, struct scan_word *ret_word)
{
	const char *found = NULL;

	if (scan->pos < scan->end)
		found = memchr(scan->pos, c, (size_t)(scan->end - scan->pos));
	if (!found)
		return false;
	*ret_word = (struct scan_word){ .text = scan->pos, .len = (size_t)(found - scan->pos) };
	scan->pos = found + 1;
	return true;
}

bool scan_word_is(const struct scan_word *word, const char *text)
{
	return strlen(text) == word->len && memcmp(word->text, text, word->len) == 0;
}

bool scan_word_begins(const struct scan_word *word, const char *prefix)
{
	size_t len = strlen(prefix);

	return word->len >= len && memcmp(word->text, prefix, len) == 0;
}
