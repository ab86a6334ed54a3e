/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_IMPORT_DAMAGE_H
#define REGIO_TESTS_UNIT_IMPORT_DAMAGE_H

/*
 * What mailers, terminals and web pages do to program output. Each returns a new string (caller
 * frees); an importer must read the same numbers from it.
 */

/* "> " before each line, nr times; style: the mark of one level, "> " or ">". */
char *damage_quote(const char *text, unsigned depth, const char *mark);
/* Lines longer than width are broken at blanks, the rest goes to the next line. */
char *damage_wrap(const char *text, unsigned width);
/* As damage_wrap, and a line that would begin with '>' is taken for quoting once more. */
char *damage_wrap_flowed(const char *text, unsigned width);
/* Paragraphs are filled anew: lines are joined and broken at the width. */
char *damage_fill(const char *text, unsigned width);
/* Soft breaks wherever the line is full, also inside numbers; blanks at line ends encoded. */
char *damage_quoted_printable(const char *text, unsigned width);
/* Escaped, lines end with <br>, every number has a tag inside. */
char *damage_html(const char *text);
/* CRLF line ends. */
char *damage_crlf(const char *text);
char *damage_bom(const char *text);
/* Colour around every number. */
char *damage_ansi(const char *text);
/* Runs of blanks at the start of a line become tabs. */
char *damage_tabs(const char *text);
/* Blanks become no-break spaces. */
char *damage_nbsp(const char *text);
/* UTF-16, little endian with mark; *ret_len is its length. */
char *damage_utf16(const char *text, unsigned long *ret_len);
/* The first nr_lines lines. */
char *damage_cut(const char *text, unsigned nr_lines);
/* Without the first nr_lines lines. */
char *damage_behead(const char *text, unsigned nr_lines);
/* `before` and `after` around it. */
char *damage_surround(const char *before, const char *text, const char *after);
/* All of `part` replaced. */
char *damage_replace(const char *text, const char *part, const char *by);

unsigned damage_nr_lines(const char *text);

#endif
