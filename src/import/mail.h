/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_MAIL_H
#define REGIO_IMPORT_MAIL_H

/*
 * Undoes what mailers, terminals and web pages do to a line of program output. One state per
 * text, zero to begin with. The knowledge of what a line may look like stays with the importers.
 */

#include <stdbool.h>
#include <stddef.h>

struct strbuf;

struct mail {
	bool is_quoted_printable; /* "=3D" was seen and nothing contradicted it */
	bool is_in_tag;		  /* an HTML tag is not closed yet */
	unsigned nr_tag_lines;	  /* lines that went into it */
};

/* True if the line is pure ASCII without anything that mail_clean() looks at: most lines. */
bool mail_is_clean(const char *raw, size_t len);

/*
 * Quoted-printable or not: decided by the first line, from this one on, with a sign of either.
 * text begins at the current line and may be all that is buffered.
 */
void mail_detect_encoding(struct mail *mail, const char *text, size_t len);

/* How often a line was quoted. */
unsigned mail_quote_depth(const char *raw, size_t len);

/* True if a quoted-printable line goes on in the next one. */
bool mail_is_soft_break(const struct mail *mail, const char *raw, size_t len);

/*
 * Appends the cleaned line to out. A carriage return or <br> inside it becomes a newline. Trailing
 * blanks are not removed, quoting marks are.
 */
void mail_clean(struct mail *mail, const char *raw, size_t len, struct strbuf *out);

#endif
