/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reader: bytes of a file or of memory -> raw lines -> a window of cleaned lines. */
#include "import/reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/deliver.h"

#define CHUNK_BYTES (256U << 10)

void reader_init_fd(struct import_reader *in, const char *name, int fd)
{
	*in = (struct import_reader){ .name = name, .fd = fd, .line_nr = 1 };
}

void reader_release(struct import_reader *in)
{
	if (in->fd >= 0)
		(void)close(in->fd);
	strbuf_release(&in->buffer);
	strbuf_release(&in->cleaned);
	for (size_t i = 0; i < IMPORT_LOOKAHEAD; i++) {
		strbuf_release(&in->slots[i].text);
		strbuf_release(&in->slots[i].raw);
	}
	heading_release(&in->heading);
	deliver_release(in);
	VEC_FOREACH (&in->memories, slot) {
		if (slot->kind->release)
			slot->kind->release(slot->memory);
		free(slot->memory);
	}
	vec_release(&in->memories);
}

/* ---- bytes ---- */

static const char *raw_text(const struct import_reader *in)
{
	return in->fd < 0 ? in->memory : strbuf_str(&in->buffer);
}

static size_t raw_len(const struct import_reader *in)
{
	return in->fd < 0 ? in->memory_len : in->buffer.len;
}

/* Half of a surrogate pair becomes '?': no output holds any. */
static void add_utf16(struct strbuf *out, unsigned unit)
{
	if (unit < 0x80) {
		strbuf_add_char(out, (char)unit);
	} else if (unit < 0x800) {
		strbuf_add_char(out, (char)(0xc0 | unit >> 6));
		strbuf_add_char(out, (char)(0x80 | (unit & 0x3f)));
	} else if (unit >= 0xd800 && unit < 0xe000) {
		strbuf_add_char(out, '?');
	} else {
		strbuf_add_char(out, (char)(0xe0 | unit >> 12));
		strbuf_add_char(out, (char)(0x80 | ((unit >> 6) & 0x3f)));
		strbuf_add_char(out, (char)(0x80 | (unit & 0x3f)));
	}
}

static void add_chunk(struct import_reader *in, const unsigned char *chunk, size_t len)
{
	if (!in->is_utf16) {
		strbuf_add(&in->buffer, chunk, len);
		return;
	}
	for (size_t i = 0; i < len; i++) {
		if (in->has_odd_byte)
			add_utf16(&in->buffer, in->odd_byte | (unsigned)chunk[i] << 8);
		in->odd_byte = chunk[i];
		in->has_odd_byte = !in->has_odd_byte;
	}
}

static bool is_utf16(const unsigned char *text, size_t len)
{
	return len >= 2 && text[0] == 0xff && text[1] == 0xfe;
}

void reader_init_memory(struct import_reader *in, const char *name, const char *text, size_t len)
{
	*in = (struct import_reader){ .name = name,
				      .fd = -1,
				      .line_nr = 1,
				      .is_ended = true,
				      .memory = text,
				      .memory_len = len };
	if (!is_utf16((const unsigned char *)text, len))
		return;
	in->is_utf16 = true;
	add_chunk(in, (const unsigned char *)text, len);
	in->memory = strbuf_str(&in->buffer);
	in->memory_len = in->buffer.len;
}

/* Drops what was consumed and reads on. */
static void read_more(struct import_reader *in)
{
	unsigned char chunk[CHUNK_BYTES / 4];
	bool is_first = in->line_nr == 1 && in->pos == 0 && in->buffer.len == 0;
	size_t rest = in->buffer.len - in->pos;
	ssize_t nr;

	if (in->pos) {
		memmove(in->buffer.buf, in->buffer.buf + in->pos, rest);
		strbuf_truncate(&in->buffer, rest);
		in->pos = 0;
	}
	do {
		nr = read(in->fd, chunk, sizeof(chunk));
	} while (nr < 0 && errno == EINTR);
	if (nr <= 0) {
		in->is_ended = true;
		in->read_errno = nr < 0 ? errno : 0;
		return;
	}
	if (is_first)
		in->is_utf16 = is_utf16(chunk, (size_t)nr);
	add_chunk(in, chunk, (size_t)nr);
}

size_t reader_at_hand(struct import_reader *in, const char **ret_text)
{
	while (!in->is_ended && raw_len(in) - in->pos < CHUNK_BYTES / 16)
		read_more(in);
	*ret_text = raw_text(in) + in->pos;
	return raw_len(in) - in->pos;
}

/* ---- raw lines ---- */

struct raw_line {
	const char *text; /* valid until more is read */
	size_t len;	  /* without the newline */
	bool is_partial;
	bool is_cut; /* the text ends without a newline */
};

/* Length of the next line with its newline; 0 = the end. More than the limit: just the limit. */
static size_t next_raw_len(struct import_reader *in)
{
	size_t searched = 0;

	for (;;) {
		const char *text = raw_text(in) + in->pos;
		size_t len = raw_len(in) - in->pos;
		const char *newline =
			len > searched ? memchr(text + searched, '\n', len - searched) : NULL;

		if (newline && newline - text < IMPORT_MAX_LINE_LEN)
			return (size_t)(newline - text) + 1;
		if (len > IMPORT_MAX_LINE_LEN)
			return IMPORT_MAX_LINE_LEN;
		if (in->is_ended)
			return len;
		searched = len;
		read_more(in);
	}
}

static bool next_raw(struct import_reader *in, struct raw_line *ret_line)
{
	size_t len = next_raw_len(in);
	const char *text = raw_text(in) + in->pos;
	bool has_newline = len && text[len - 1] == '\n';

	if (!len)
		return false;
	if (memchr(text, '\0', len)) {
		in->is_binary = true;
		in->binary_line = in->line_nr;
		return false;
	}
	in->pos += len;
	in->line_nr += has_newline;
	*ret_line = (struct raw_line){
		.text = text,
		.len = len - has_newline,
		.is_partial = !has_newline && (in->pos < raw_len(in) || !in->is_ended),
		.is_cut = !has_newline,
	};
	return true;
}

/* ---- cleaned lines ---- */

static void set_slot(struct reader_slot *slot, const struct raw_line *line, unsigned nr)
{
	size_t len = line->len;
	size_t indent = 0;

	while (!line->is_partial && len &&
	       (line->text[len - 1] == ' ' || line->text[len - 1] == '\t'))
		len--;
	strbuf_reset(&slot->text);
	strbuf_add(&slot->text, line->text, len);
	while (indent < len && line->text[indent] == ' ')
		indent++;
	slot->line = (struct import_line){ .text = strbuf_str(&slot->text),
					   .len = len,
					   .indent = indent,
					   .nr = nr,
					   .is_partial = line->is_partial,
					   .is_cut = line->is_cut && !line->is_partial };
	slot->line.raw = slot->line.text;
	slot->line.raw_len = len;
}

/* The next of the lines that one raw line became. */
static bool take_cleaned(struct import_reader *in, struct reader_slot *slot)
{
	struct raw_line line;
	const char *newline;

	if (!in->has_cleaned)
		return false;
	line.text = strbuf_str(&in->cleaned) + in->cleaned_pos;
	line.len = in->cleaned.len - in->cleaned_pos;
	newline = memchr(line.text, '\n', line.len);
	if (newline)
		line.len = (size_t)(newline - line.text);
	line.is_partial = false;
	line.is_cut = !newline && in->cleaned_is_cut;
	set_slot(slot, &line, in->cleaned_nr);
	slot->line.raw_len = 0;
	in->cleaned_pos += line.len + 1;
	in->has_cleaned = newline != NULL;
	return true;
}

/* Joins lines that were broken by the encoding. */
static void join_soft_breaks(struct import_reader *in, struct raw_line *line, struct strbuf *joined)
{
	while (mail_is_soft_break(&in->mail, line->text, line->len) &&
	       joined->len < IMPORT_MAX_LINE_LEN) {
		size_t len = line->len;

		while (len && line->text[len - 1] != '=')
			len--;
		strbuf_add(joined, line->text, len - 1);
		if (!next_raw(in, line)) {
			line->len = 0;
			return;
		}
	}
}

static void clean_raw(struct import_reader *in, struct raw_line line)
{
	CLEANUP(strbuf) struct strbuf joined = STRBUF_INIT;

	join_soft_breaks(in, &line, &joined);
	strbuf_reset(&in->cleaned);
	in->cleaned_pos = 0;
	strbuf_add(&joined, line.text, line.len);
	mail_clean(&in->mail, strbuf_str(&joined), joined.len, &in->cleaned);
	in->has_cleaned = true;
	in->cleaned_is_cut = line.is_cut;
}

/* The encoding may change with every line that has an '='. */
static void detect_encoding(struct import_reader *in, const struct raw_line *line)
{
	size_t after = raw_len(in) - in->pos;

	if (memchr(line->text, '=', line->len))
		mail_detect_encoding(&in->mail, line->text,
				     (size_t)(raw_text(in) + in->pos - line->text) + after);
}

static bool fill_slot(struct import_reader *in, struct reader_slot *slot)
{
	struct raw_line line;
	unsigned nr = in->line_nr;
	bool is_piece;

	if (take_cleaned(in, slot))
		return true;
	if (!next_raw(in, &line))
		return false;
	is_piece = line.is_partial || in->is_in_long_line;
	in->is_in_long_line = line.is_partial;
	while (!is_piece && line.len && line.text[line.len - 1] == '\r')
		line.len--;
	if (!is_piece)
		detect_encoding(in, &line);
	if (is_piece || (!in->mail.is_quoted_printable && !in->mail.is_in_tag &&
			 mail_is_clean(line.text, line.len))) {
		set_slot(slot, &line, nr);
		return true;
	}
	strbuf_reset(&slot->raw);
	strbuf_add(&slot->raw, line.text, line.len);
	clean_raw(in, line);
	in->cleaned_nr = nr;
	(void)take_cleaned(in, slot);
	slot->line.raw = strbuf_str(&slot->raw);
	slot->line.raw_len = slot->raw.len;
	return true;
}

const struct import_line *import_peek(struct import_reader *in, size_t ahead)
{
	while (in->nr <= ahead) {
		if (in->nr == IMPORT_LOOKAHEAD ||
		    !fill_slot(in, &in->slots[(in->first + in->nr) % IMPORT_LOOKAHEAD]))
			return NULL;
		in->nr++;
	}
	return &in->slots[(in->first + ahead) % IMPORT_LOOKAHEAD].line;
}

unsigned import_quote_depth(const struct import_line *line)
{
	return mail_quote_depth(line->raw, line->raw_len);
}

void import_next(struct import_reader *in)
{
	const struct import_line *line = import_peek(in, 0);

	if (!line)
		return;
	in->last_line = line->nr;
	in->nr_consumed++;
	in->first = (in->first + 1) % IMPORT_LOOKAHEAD;
	in->nr--;
}

/* ---- for importers ---- */

const char *import_source(const struct import_reader *in)
{
	return in->name;
}

void *import_memory(struct import_reader *in, const struct import_memory_kind *kind)
{
	void *memory;

	VEC_FOREACH (&in->memories, slot) {
		if (slot->kind == kind)
			return slot->memory;
	}
	memory = xcalloc(1, kind->size_bytes);
	vec_push(&in->memories, (struct reader_memory){ .kind = kind, .memory = memory });
	return memory;
}
