/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_IMPORTER_H
#define REGIO_IMPORT_IMPORTER_H

/*
 * What an importer provides, and what it reads from. An importer is one file with one const
 * record, and one row in import.c.
 *
 * The text arrives as cleaned lines: without quoting ("> > "), CRLF, byte order marks, ANSI
 * colours, HTML, quoted-printable and mojibake, tabs as blanks; each has the number of the line it
 * began on in the file. Lines wrapped by a mailer are still wrapped: only the importer knows what
 * may start a line of its format.
 */

#include <stdbool.h>
#include <stddef.h>

struct err;
struct import_reader;
struct result;

/* Lines an importer may look ahead: enough to tell a format by its head. */
#define IMPORT_LOOKAHEAD 64
/* Longer lines arrive in pieces, as they are and not cleaned. */
#define IMPORT_MAX_LINE_LEN (256U << 10)

struct import_line {
	const char *text; /* terminated, without trailing blanks; valid until it is consumed */
	size_t len;
	size_t indent;	 /* leading blanks of text */
	const char *raw; /* as it stands in the file; not terminated */
	size_t raw_len;	 /* 0 for the second and later lines that one line of the file became */
	unsigned nr;	 /* in the file, from 1 */
	bool is_partial; /* a piece; the next line continues it */
	bool is_cut;	 /* the text ends with it, without a newline: it may not be whole */
};

struct importer_ops {
	const char *name;    /* "fio-text" */
	const char *summary; /* "fio's normal output, 2.0 and later" */
	/*
	 * How sure it is, 0 to 100, that a block of its format begins at the current line: 0 for
	 * most lines, decided by the first characters where possible, as it is asked for each line
	 * of prose. It may peek and not consume.
	 */
	int (*probe)(struct import_reader *in);
	/*
	 * Consumes one block: one run of the program, so that headings between runs are seen.
	 * Delivers any number of results, and leaves the first line that is not its own. A message
	 * is about the content; FILE:LINE: is put before it.
	 */
	int (*read)(struct import_reader *in, struct err *err);
};

/* The current line (ahead = 0) or one after it; NULL at the end. ahead < IMPORT_LOOKAHEAD. */
const struct import_line *import_peek(struct import_reader *in, size_t ahead);
/* First visible character of a line. */
static inline const char *import_body(const struct import_line *line)
{
	return line->text + line->indent;
}

/* How often a mailer has quoted it. */
unsigned import_quote_depth(const struct import_line *line);

/* Consumes the current line. */
void import_next(struct import_reader *in);

/*
 * The current line together with all lines after it that are at hand and need no cleaning: for
 * formats in which line ends are white space. Newlines stand between the lines. Valid until
 * something is consumed; false at the end.
 */
struct import_span {
	const char *text; /* not terminated */
	size_t len;
	unsigned nr;	 /* of its first line */
	bool is_partial; /* a piece of a line; the next span continues it */
};
bool import_peek_span(struct import_reader *in, struct import_span *ret_span);
/* Consumes the lines of that span that begin in its first len bytes. */
void import_pass_span(struct import_reader *in, const struct import_span *span, size_t len);

/* Name of the file as it was given. */
const char *import_source(const struct import_reader *in);

/*
 * Memory that outlives a block, one of each kind for a text: zeroed when it is first asked for,
 * released when the text ends.
 */
struct import_memory_kind {
	size_t size_bytes;
	void (*release)(void *memory); /* of what it holds; NULL = nothing */
};
void *import_memory(struct import_reader *in, const struct import_memory_kind *kind);

/*
 * Hands a result over, which is empty afterwards. The importer has set tool and tool_version,
 * jobs and given metrics. Filled in where missing: label, source_file, source_line (first line of
 * the block) and sums over the jobs (result_sum_given). Values that are not finite are dropped.
 * Returns the code of the sink, which the importer passes on.
 */
int import_deliver(struct import_reader *in, struct result *result, struct err *err);

/* As err_set(ERR_INPUT), for a fault in a certain line instead of the first one of the block. */
int import_refuse(struct import_reader *in, unsigned line, struct err *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

#endif
