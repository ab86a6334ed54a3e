/* SPDX-License-Identifier: GPL-2.0-or-later */
/* csv: the tables of a doc with bare numbers, one block each; prose is left out. */
#include "output/output.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "output/doc_parts.h"
#include "output/output_formats.h"

/* RFC 4180: quoted only where it must be. */
static void print_text(const char *text, FILE *to)
{
	if (!strpbrk(text, ",\"\r\n")) {
		(void)fputs(text, to);
		return;
	}
	(void)fputc('"', to);
	for (; *text; text++) {
		if (*text == '"')
			(void)fputc('"', to);
		(void)fputc(*text, to);
	}
	(void)fputc('"', to);
}

static void print_cell(const struct doc_cell *cell, FILE *to)
{
	if (cell->kind == CELL_TEXT)
		print_text(cell->text, to);
	else if (cell->kind == CELL_NUMBER && isfinite(cell->value))
		(void)fprintf(to, "%.15g", cell->value); /* what is not known is empty */
}

static void print_header(const struct doc_table *table, FILE *to)
{
	const char *separator = "";

	for (size_t i = 0; i < table->nr_columns; i++) {
		if (table->columns[i].flags & DOC_PEOPLE)
			continue;
		(void)fputs(separator, to);
		print_text(table->columns[i].title, to);
		separator = ",";
	}
	(void)fputc('\n', to);
}

static void print_table(const struct doc_table *table, FILE *to)
{
	print_header(table, to);
	for (size_t row = 0; row < table->nr_rows; row++) {
		const char *separator = "";

		for (size_t i = 0; i < table->nr_columns; i++) {
			struct doc_cell cell;

			if (table->columns[i].flags & DOC_PEOPLE)
				continue;
			cell = doc_cell_at(table, row, i);
			(void)fputs(separator, to);
			print_cell(&cell, to);
			separator = ",";
		}
		(void)fputc('\n', to);
	}
}

static void print_notes(const struct note_list *notes, FILE *to)
{
	(void)fputs("note,text,advice\n", to);
	for (size_t i = 0; i < notes->nr; i++) {
		const struct note_kind *kind = note_kind(notes->items[i].id);

		print_text(kind->name, to);
		(void)fputc(',', to);
		print_text(notes->items[i].text, to);
		(void)fputc(',', to);
		print_text(kind->advice, to);
		(void)fputc('\n', to);
	}
}

static int csv_doc(const struct doc *doc, const struct output_style *style, FILE *to,
		   struct err *err)
{
	bool is_first = true;

	(void)style;
	VEC_FOREACH (&doc->parts, part) {
		bool is_table = part->kind == DOC_TABLE && part->table->nr_rows;

		if (!is_table && part->kind != DOC_NOTES)
			continue;
		if (!is_first)
			(void)fputc('\n', to);
		if (is_table)
			print_table(part->table, to);
		else
			print_notes(&part->notes, to);
		is_first = false;
	}
	return output_finish(to, err);
}

const struct output_ops output_csv = {
	.name = "csv",
	.summary = "tables as comma-separated values",
	.doc = csv_doc,
};
