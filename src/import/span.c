/* SPDX-License-Identifier: GPL-2.0-or-later */
/* span: many lines at once, for importers that need to be fast. */
#include <stdint.h>
#include <string.h>

#include "import/importer.h"
#include "import/reader.h"

/* Bytes that are looked at together, as vectors of the compiler. */
typedef unsigned char bytes16 __attribute__((vector_size(16)));

#define BLOCK_BYTES 64

static bytes16 load16(const char *text)
{
	bytes16 bytes;

	memcpy(&bytes, text, sizeof(bytes));
	return bytes;
}

/* All bits of the bytes that need cleaning or tell something about the encoding of the text. */
static bytes16 not_plain(bytes16 bytes)
{
	bytes16 is_printable = (bytes16)(bytes - 0x20 < 0x5f) | (bytes16)(bytes == '\n');
	bytes16 is_special = (bytes16)(bytes == '<') | (bytes16)(bytes == '>') |
			     (bytes16)(bytes == '&') | (bytes16)(bytes == '^') |
			     (bytes16)(bytes == '\\') | (bytes16)(bytes == '=');

	return ~is_printable | is_special;
}

static bool is_zero(bytes16 bytes)
{
	uint64_t halves[2];

	memcpy(halves, &bytes, sizeof(halves));
	return !(halves[0] | halves[1]);
}

static bool is_plain_block(const char *text)
{
	bytes16 bad = not_plain(load16(text));

	for (size_t i = sizeof(bad); i < BLOCK_BYTES; i += sizeof(bad))
		bad |= not_plain(load16(text + i));
	return is_zero(bad);
}

static bool is_plain(char byte)
{
	bytes16 bytes = { 0 };

	bytes[0] = (unsigned char)byte;
	return !not_plain(bytes)[0];
}

/* Length of one of fio's keys for "so much and more" at the '>' in it; 0 = none. They stand in every
 * job, and nothing about them needs cleaning. */
static size_t key_len(const char *text, size_t i, size_t len)
{
	static const char *const keys[] = { ">=64\"", ">=2000\"" };

	if (text[i] != '>' || i == 0 || text[i - 1] != '"')
		return 0;
	for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
		size_t key = strlen(keys[k]);

		if (len - i >= key && !memcmp(text + i, keys[k], key))
			return key;
	}
	return 0;
}

/* Bytes before the first that is not plain. */
static size_t plain_len(const char *text, size_t len)
{
	size_t i = 0;

	for (;;) {
		size_t key;

		while (i + BLOCK_BYTES <= len && is_plain_block(text + i))
			i += BLOCK_BYTES;
		while (i < len && is_plain(text[i]))
			i++;
		key = i < len ? key_len(text, i, len) : 0;
		if (!key)
			return i;
		i += key;
	}
}

static unsigned count_newlines(const char *text, size_t len)
{
	unsigned nr = 0;
	size_t i = 0;

	for (; i + sizeof(bytes16) <= len; i += sizeof(bytes16)) {
		bytes16 ones = (bytes16)(load16(text + i) == '\n') & 1;
		uint64_t halves[2];

		memcpy(halves, &ones, sizeof(halves));
		/* Multiplied by 0x01.. the top byte is the sum of all bytes. */
		nr += (unsigned)((halves[0] + halves[1]) * 0x0101010101010101ULL >> 56);
	}
	for (; i < len; i++)
		nr += text[i] == '\n';
	return nr;
}

/* True if the next line has not gone through the window of cleaned lines, and need not. */
static bool is_raw(const struct import_reader *in)
{
	return !in->nr && !in->has_cleaned && !in->is_in_long_line &&
	       !in->mail.is_quoted_printable && !in->mail.is_in_tag;
}

bool import_peek_span(struct import_reader *in, struct import_span *ret_span)
{
	const struct import_line *line;
	const char *text;
	const char *newline = NULL;

	if (is_raw(in)) {
		size_t len = reader_at_hand(in, &text);

		len = plain_len(text, len);

		newline = len ? memrchr(text, '\n', len) : NULL;
	}
	if (newline) {
		*ret_span = (struct import_span){ .text = text,
						  .len = (size_t)(newline + 1 - text),
						  .nr = in->line_nr };
		return true;
	}
	line = import_peek(in, 0);
	if (!line)
		return false;
	*ret_span = (struct import_span){
		.text = line->text, .len = line->len, .nr = line->nr, .is_partial = line->is_partial
	};
	return true;
}

void import_pass_span(struct import_reader *in, const struct import_span *span, size_t len)
{
	const char *newline;
	unsigned nr_lines;

	if (!len && span->len)
		return;
	if (in->nr) {
		import_next(in);
		return;
	}
	newline = memchr(span->text + len - 1, '\n', span->len - (len - 1));
	len = (size_t)(newline + 1 - span->text);
	nr_lines = count_newlines(span->text, len);
	in->pos += len;
	in->line_nr += nr_lines;
	in->nr_consumed += nr_lines;
	in->last_line = in->line_nr - 1;
}
