/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_DOC_PARTS_H
#define REGIO_OUTPUT_DOC_PARTS_H

/* What a doc is made of: for its writers. Commands build it with output/doc.h alone. */

#include <stddef.h>

#include "base/vec.h"
#include "model/note.h"
#include "output/doc.h"

struct doc_table {
	const char *id;
	const struct doc_column *columns;
	size_t nr_columns;
	size_t nr_rows;
	VEC(struct doc_cell) cells; /* row by row; the last row may be short */
};

struct doc_part {
	enum doc_kind kind;
	char *text;		 /* heading, paragraph, verbatim, LKP table (lines) */
	struct doc_table *table; /* or NULL */
	struct note_list notes;
};

struct doc {
	char *schema;
	char *json; /* or NULL */
	VEC(struct doc_part) parts;
};

/* CELL_EMPTY where a row is short. */
struct doc_cell doc_cell_at(const struct doc_table *table, size_t row, size_t column);

#endif
