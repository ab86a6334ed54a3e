/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_DOC_H
#define REGIO_OUTPUT_DOC_H

/*
 * A doc is what a command has to say: headings, paragraphs, tables, notes. Cells carry value
 * and unit, so that a text writer formats them and a JSON writer keeps the numbers. The
 * command that builds a doc owns it; writers borrow it.
 */

#include <stddef.h>

#include "base/cleanup.h"

struct lkp_table;
struct note_list;

enum doc_kind { DOC_HEADING, DOC_PARAGRAPH, DOC_TABLE, DOC_NOTES, DOC_VERBATIM, DOC_LKP };

enum cell_kind { CELL_TEXT, CELL_NUMBER, CELL_EMPTY };

struct doc_cell {
	enum cell_kind kind;
	char *text;	  /* CELL_TEXT, or the preferred rendering of a number; may be NULL */
	double value;	  /* CELL_NUMBER */
	const char *unit; /* constant string: "1/s", "B/s", "ns", "" */
};

enum doc_flags {
	DOC_LEFT = 0,
	DOC_RIGHT = 1 << 0,  /* aligned to the right */
	DOC_DATA = 1 << 1,   /* only in formats for programs: a bare number beside a phrase */
	DOC_PEOPLE = 1 << 2, /* only in formats for people: the phrase */
};

struct doc_column {
	const char *title; /* constant string */
	unsigned flags;	   /* enum doc_flags */
};

struct doc_table;
struct doc;

struct doc *doc_create(const char *schema); /* "regio.ab" */
void doc_free(struct doc *doc);
CLEANUP_DEFINE_PTR(doc, struct doc, doc_free)

__attribute__((format(printf, 2, 3))) void doc_heading(struct doc *doc, const char *format, ...);
__attribute__((format(printf, 2, 3))) void doc_paragraph(struct doc *doc, const char *format, ...);
/* Printed as it is: a command line, an LKP line. */
__attribute__((format(printf, 2, 3))) void doc_verbatim(struct doc *doc, const char *format, ...);
void doc_notes(struct doc *doc, const struct note_list *notes); /* copied */
/* A table in LKP's layout: the only part of a doc that the format "lkp" prints. Copied. */
void doc_lkp(struct doc *doc, const struct lkp_table *table);

/*
 * What the doc says in the form that programs read, which the format "json" prints as it is: one
 * JSON document with "schema" and "version". Without it that format prints the tables and notes.
 * The doc owns the text, which was allocated.
 */
void doc_json(struct doc *doc, char *text);

/* columns must outlive the doc (a static const array). Owned by the doc. */
struct doc_table *doc_table(struct doc *doc, const char *id, const struct doc_column *columns,
			    size_t nr_columns);
/* Begins a row: its cells follow from left to right; missing ones at the end are empty. */
void doc_row(struct doc_table *table);
__attribute__((format(printf, 2, 3))) void doc_text(struct doc_table *table, const char *format,
						    ...);
/* Rendered by the writer from value and unit (1234567 "1/s" -> "1.235M"). */
void doc_number(struct doc_table *table, double value, const char *unit);
/* The same, with a text of one's own for people: "[-9.1 %, -8.2 %]". */
__attribute__((format(printf, 4, 5))) void doc_number_as(struct doc_table *table, double value,
							 const char *unit, const char *format, ...);
void doc_empty(struct doc_table *table);

#endif
