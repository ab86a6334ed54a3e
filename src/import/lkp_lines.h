/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_LKP_LINES_H
#define REGIO_IMPORT_LKP_LINES_H

/*
 * The lines of LKP's JSON files as they stand in a mail, for the JSON scanner: a whole document,
 * or arrays found by grep, each line behind the name of the file:
 *
 *	e70c301fae/matrix.json:  "stress-ng.aiol.ops_per_sec": [
 *	e70c301fae/matrix.json-    112.31,
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/json_scan.h"
#include "base/strbuf.h"

struct import_reader;

enum lkp_lines_stage { LKP_LINES_OPEN, LKP_LINES_INSIDE, LKP_LINES_END };

struct lkp_lines {
	struct import_reader *in;
	enum lkp_lines_stage stage;
	bool is_document;  /* begins with its own '{' */
	bool is_line_used; /* the current line of the reader was given to the scanner */
	unsigned last_line;
	size_t nr_open;	     /* brackets */
	struct strbuf path;  /* before the arrays; empty = none */
	struct strbuf piece; /* without the path */
};

/* How sure it is that LKP's JSON begins at the current line, 0 to 100. */
int lkp_lines_probe(struct import_reader *in);

/* *lines must not move. */
void lkp_lines_init(struct lkp_lines *lines, struct import_reader *in);
/* Consumes the line that was scanned last. */
void lkp_lines_close(struct lkp_lines *lines);
CLEANUP_DEFINE(lkp_lines, struct lkp_lines, lkp_lines_close)

struct json_source lkp_lines_source(struct lkp_lines *lines);

/* "matrix.json", "avg.json" ..: the last part of the path, or of the file under import. */
const char *lkp_lines_file(const struct lkp_lines *lines);
/* The folder that it is in: a kernel; caller frees. NULL = not known. */
char *lkp_lines_kernel(const struct lkp_lines *lines);

#endif
