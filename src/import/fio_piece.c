/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_piece: the lines of fio's normal output as fio printed them, whoever wrapped them since. */
#include "import/fio_text.h"

#include <string.h>

#include "import/importer.h"

#define MAX_PIECE_LEN 8192	/* far above what fio prints */
#define MAX_LINE_LEN (64 << 10) /* of a line that holds many pieces */

bool fio_pieces_is_begun(const struct fio_pieces *pieces)
{
	return pieces->text.len > 0;
}

void fio_pieces_release(struct fio_pieces *pieces)
{
	strbuf_release(&pieces->text);
	strbuf_release(&pieces->piece);
	vec_release(&pieces->marks);
}

/* Breaks of a line that had no blank there: after "=", "/", inside brackets, and after the mark
 * that is put back below. */
static bool is_glued(const struct strbuf *text)
{
	char last;

	if (!text->len)
		return false;
	last = text->buf[text->len - 1];
	return last == '=' || last == '/' || last == '[' || last == '>';
}

void fio_add_words(struct strbuf *text, const char *line)
{
	bool needs_blank = text->len > 0 && !is_glued(text);

	for (line += strspn(line, " "); *line; line += strspn(line, " ")) {
		size_t len = strcspn(line, " ");

		if (needs_blank)
			strbuf_add_char(text, ' ');
		strbuf_add(text, line, len);
		line += len;
		needs_blank = true;
	}
}

/* A mark of depth that a mailer took for quoting: ">= 64" lost its first character. */
static bool has_lost_mark(const char *line)
{
	return !strncmp(line, "=64=", 4) || !strncmp(line, "=2000=", 6);
}

static void add_line(struct fio_pieces *pieces, const struct import_line *line)
{
	const char *body = fio_skip_host(import_body(line));
	const char *after_progress = fio_skip_progress(body);
	size_t offset;

	body += strspn(body, " ");
	if (after_progress)
		body = after_progress;
	offset = pieces->text.len + (pieces->text.len > 0 && !is_glued(&pieces->text));
	vec_push(&pieces->marks, (struct fio_mark){ .offset = offset, .line = line->nr });
	if (has_lost_mark(body)) {
		if (pieces->text.len)
			strbuf_add_char(&pieces->text, ' ');
		strbuf_add_char(&pieces->text, '>');
	}
	fio_add_words(&pieces->text, body);
}

/* The error of a job has the words of the C library in parentheses, its description any words in
 * brackets. */
static bool is_in_brackets(const struct fio_pieces *pieces)
{
	int depth = 0;

	if (pieces->kind != FIO_JOB && pieces->kind != FIO_DESCRIPTION)
		return false;
	for (size_t i = 0; i < pieces->text.len; i++) {
		char c = pieces->text.buf[i];

		depth += (c == '(' || c == '[') - (c == ')' || c == ']');
	}
	return depth > 0;
}

static bool goes_on(const struct fio_pieces *pieces, const struct import_line *line)
{
	const char *body = import_body(line);

	if (line->is_partial || !*body || pieces->text.len > MAX_PIECE_LEN)
		return false;
	if (fio_line_kind(body) != FIO_PROSE)
		return false;
	return has_lost_mark(body) || fio_is_fragment(body) || is_in_brackets(pieces);
}

/* Length of the name that the text begins with: its last word looks like an opener too. */
static size_t own_name_len(const struct fio_pieces *pieces)
{
	const char *mark = pieces->kind == FIO_JOB	? ": (groupid="
			   : pieces->kind == FIO_HEADER ? ": (g="
			   : pieces->kind == FIO_DISK	? ": ios="
							: NULL;
	const char *end = mark ? strstr(strbuf_str(&pieces->text), mark) : NULL;

	return end ? (size_t)(end - pieces->text.buf) : 0;
}

/* Offset of the next opener inside the text; its length if there is none. */
static size_t next_opener(const struct fio_pieces *pieces)
{
	for (size_t i = own_name_len(pieces) + 1; i < pieces->text.len; i++) {
		if (pieces->text.buf[i - 1] != ' ')
			continue;
		if (fio_word_kind(pieces->text.buf + i) != FIO_PROSE)
			return i;
	}
	return pieces->text.len;
}

/* Takes what follows the first opener until all of the piece is there. */
static void gather(struct fio_pieces *pieces)
{
	const struct import_line *line;

	while (next_opener(pieces) == pieces->text.len) {
		line = import_peek(pieces->in, 0);
		if (!line || !goes_on(pieces, line))
			return;
		pieces->is_cut = line->is_cut;
		add_line(pieces, line);
		import_next(pieces->in);
	}
}

/*
 * A number at the end of a text that was cut may have lost digits. What follows its last complete
 * value is dropped.
 */
static void drop_cut_value(struct strbuf *piece)
{
	size_t len = piece->len;

	if (!len || strchr("%)]:", piece->buf[len - 1]))
		return;
	if (len > 4 && !strcmp(piece->buf + len - 4, "msec"))
		return;
	while (len && piece->buf[len - 1] != ' ' && piece->buf[len - 1] != ',')
		len--;
	strbuf_truncate(piece, len);
}

/* Cuts the first len bytes off the text. */
static void take(struct fio_pieces *pieces, size_t len, struct fio_piece *ret_piece)
{
	size_t kept = 0;
	struct fio_mark at_cut = pieces->marks.items[0];

	strbuf_reset(&pieces->piece);
	strbuf_add(&pieces->piece, pieces->text.buf, len);
	strbuf_trim(&pieces->piece);
	if (len == pieces->text.len && pieces->is_cut)
		drop_cut_value(&pieces->piece);
	*ret_piece = (struct fio_piece){ .kind = pieces->kind,
					 .text = strbuf_str(&pieces->piece),
					 .line = at_cut.line };

	for (size_t i = 0; i < pieces->marks.nr; i++) {
		struct fio_mark mark = pieces->marks.items[i];

		if (mark.offset <= len)
			at_cut = (struct fio_mark){ .offset = 0, .line = mark.line };
		else
			pieces->marks.items[kept++] =
				(struct fio_mark){ .offset = mark.offset - len, .line = mark.line };
	}
	pieces->marks.nr = kept;
	vec_push(&pieces->marks, at_cut);
	/* The first mark comes first. */
	memmove(pieces->marks.items + 1, pieces->marks.items, kept * sizeof(at_cut));
	pieces->marks.items[0] = at_cut;

	memmove(pieces->text.buf, pieces->text.buf + len, pieces->text.len - len);
	strbuf_truncate(&pieces->text, pieces->text.len - len);
	if (pieces->text.len)
		pieces->kind = fio_word_kind(pieces->text.buf);
}

static enum fio_kind begin(struct fio_pieces *pieces)
{
	const struct import_line *line;
	enum fio_kind kind;

	for (;;) {
		line = import_peek(pieces->in, 0);
		if (!line)
			return FIO_END;
		/* Hours of progress output without a newline come in pieces. */
		if (line->is_partial && !fio_skip_progress(line->text))
			return FIO_PROSE;
		if (!line->is_partial && *import_body(line))
			break;
		import_next(pieces->in);
	}
	kind = fio_line_kind(import_body(line));
	if (kind == FIO_PROSE || (line->len > MAX_LINE_LEN && !fio_skip_progress(line->text)))
		return FIO_PROSE;
	vec_clear(&pieces->marks);
	pieces->is_cut = line->is_cut;
	add_line(pieces, line);
	/* Progress output may have hidden the opener. */
	if (pieces->text.len)
		kind = fio_line_kind(pieces->text.buf);
	pieces->kind = kind == FIO_PROSE ? FIO_NOISE : kind;
	import_next(pieces->in);
	return pieces->kind;
}

struct fio_piece fio_pieces_next(struct fio_pieces *pieces)
{
	struct fio_piece piece = { .text = "" };

	if (!fio_pieces_is_begun(pieces)) {
		piece.kind = begin(pieces);
		if (!fio_pieces_is_begun(pieces))
			return piece; /* the end, prose, or progress output alone */
	}
	gather(pieces);
	take(pieces, next_opener(pieces), &piece);
	return piece;
}
