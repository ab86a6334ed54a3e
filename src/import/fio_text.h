/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_FIO_TEXT_H
#define REGIO_IMPORT_FIO_TEXT_H

/*
 * Parts of the importer of fio's normal output. Its lines are recognised by how they begin (the
 * openers); mailers wrap them and fill paragraphs anew, so the text is cut into pieces again: a
 * piece is one line as fio printed it, single blanks between its words.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "base/vec.h"

struct import_reader;

enum fio_kind {
	FIO_PROSE, /* not fio's: the line is left unread */
	FIO_END,
	FIO_HEADER, /* "job: (g=0): rw=.." */
	FIO_VERSION,
	FIO_HOST, /* "hostname=.., fio=fio-3.33, .." of a client */
	FIO_STARTING,
	FIO_MESSAGE, /* "fio: .." */
	FIO_SHARED,  /* "Multiple writers may overwrite .." */
	FIO_NOISE,   /* known, without numbers of interest */
	FIO_JOB,     /* "job: (groupid=0, jobs=1): err= 0: .." */
	FIO_DESCRIPTION,
	FIO_DIR, /* "read: IOPS=.." */
	FIO_LATENCY,
	FIO_PRIO_LATENCY,
	FIO_PERCENTILES,
	FIO_PERCENTILE_ROW,
	FIO_BW,
	FIO_IOPS,
	FIO_SYNC,
	FIO_CPU,
	FIO_DEPTHS,
	FIO_SUBMIT,
	FIO_COMPLETE,
	FIO_ISSUED,
	FIO_ERRORS,
	FIO_TARGET,
	FIO_STEADY,
	FIO_GROUP,
	FIO_GROUP_DIR,
	FIO_DISK_HEAD,
	FIO_DISK,
	FIO_SCRIPT, /* "READ:484:3695:0" of a common wrapper */
};

/* ---- fio_opener.c ---- */

/* How a line begins: FIO_PROSE if no opener fits. Blanks at the start are skipped. */
enum fio_kind fio_line_kind(const char *text);

/* Kind of the opener at text, which is the start of a word inside collapsed text; FIO_PROSE if
 * none. Openers that may only begin a line are not looked for. */
enum fio_kind fio_word_kind(const char *text);

/* True if all words could be the middle of one of fio's lines, so a mailer may have wrapped it. */
bool fio_is_fragment(const char *text);

/* What follows "fio-" or "fio ": the version; the end of a text without either. */
const char *fio_skip_tool(const char *text);

/* The text after a client's host ("<host> "), or text itself. */
const char *fio_skip_host(const char *text);

/* The text after progress output that was glued to it; an empty string if nothing follows. NULL:
 * there is no progress output in it. */
const char *fio_skip_progress(const char *text);

/* ---- fio_piece.c ---- */

struct fio_mark {
	size_t offset; /* in the text, where a line of the file began */
	unsigned line;
};

struct fio_pieces {
	struct import_reader *in;
	struct strbuf text; /* consumed and not handed out; begins with an opener */
	struct strbuf piece;
	VEC(struct fio_mark) marks;
	enum fio_kind kind; /* of that opener */
	bool is_cut;	    /* the text of the file ended inside it */
};

struct fio_piece {
	enum fio_kind kind;
	const char *text; /* valid until the next call */
	unsigned line;
};

/* Appends the words of a line with single blanks between them; what was broken off a word or after
 * a bracket goes on without one. */
void fio_add_words(struct strbuf *text, const char *line);
/* True if a piece is begun; else the next one begins with the reader's current line. */
bool fio_pieces_is_begun(const struct fio_pieces *pieces);
/* The next piece, or FIO_PROSE or FIO_END without consuming anything. */
struct fio_piece fio_pieces_next(struct fio_pieces *pieces);
void fio_pieces_release(struct fio_pieces *pieces);

/* ---- fio_value.c ---- */

/* What follows "key=" in a piece, without blanks; NULL if it has no such key. */
const char *fio_key(const char *text, const char *key);

/* A decimal number, without any suffix; *text moves behind it. False: there is none. */
bool fio_number(const char **text, double *ret_value);
/* A number with k, M, G .. of 1000, as for counts and latencies. */
bool fio_count(const char **text, double *ret_value);
/* What the last digit of the number at text is worth, with its suffix. */
double fio_count_step(const char *text);
/* A number of bytes or bytes per second in any of fio's units; old: those of 2.16 and earlier,
 * where KB means 1024. *ret_step is the value of the last digit. */
bool fio_bytes(const char **text, bool is_old, double *ret_bytes, double *ret_step);
/* ns in the unit that a line names in parentheses, "(usec)"; 0 = none. */
double fio_unit_ns(const char *text);

#endif
