/* SPDX-License-Identifier: GPL-2.0-or-later */
/* text: a doc for the terminal; tables by libsmartcols. */
#include "output/output.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <libsmartcols.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "output/doc_parts.h"
#include "output/notes_text.h"
#include "output/number_text.h"
#include "output/output_formats.h"
#include "output/wrap.h"

#define BOLD "\033[1m"
#define NORMAL "\033[0m"
#define COLUMN_GAP "  "

static char *cell_text(const struct doc_cell *cell)
{
	char number[NUMBER_TEXT_LEN];
	char *text;

	if (cell->kind == CELL_EMPTY)
		return xstrdup("");
	if (!cell->text)
		return xstrdup(number_text(cell->value, cell->unit, number));
	text = xstrdup(cell->text);
	for (char *c = text; *c; c++) { /* names come from files */
		if (iscntrl((unsigned char)*c))
			*c = '?';
	}
	return text;
}

static int add_columns(struct libscols_table *out, const struct doc_table *table)
{
	for (size_t i = 0; i < table->nr_columns; i++) {
		const struct doc_column *column = &table->columns[i];
		int flags = column->flags & DOC_RIGHT ? SCOLS_FL_RIGHT : 0;

		if (column->flags & DOC_DATA)
			continue;
		if (!scols_table_new_column(out, column->title, 0, flags))
			return -1;
	}
	return 0;
}

static int fill_line(struct libscols_line *line, const struct doc_table *table, size_t row)
{
	size_t place = 0;

	for (size_t column = 0; column < table->nr_columns; column++) {
		struct doc_cell cell;

		if (table->columns[column].flags & DOC_DATA)
			continue;
		cell = doc_cell_at(table, row, column);
		if (scols_line_refer_data(line, place++, cell_text(&cell)) != 0)
			return -1;
	}
	return 0;
}

static int fill_table(struct libscols_table *out, const struct doc_table *table)
{
	if (add_columns(out, table) < 0)
		return -1;
	for (size_t row = 0; row < table->nr_rows; row++) {
		struct libscols_line *line = scols_table_new_line(out, NULL);

		if (!line || fill_line(line, table, row) < 0)
			return -1;
	}
	return 0;
}

/* Header first, one line a row, never cut to the width of the terminal: numbers must be whole. */
static char *render_table(const struct doc_table *table)
{
	struct libscols_table *out = scols_new_table();
	char *text = NULL;

	if (out && scols_table_set_column_separator(out, COLUMN_GAP) == 0 &&
	    scols_table_set_termforce(out, SCOLS_TERMFORCE_NEVER) == 0 &&
	    fill_table(out, table) == 0)
		(void)scols_print_table_to_string(out, &text);
	scols_unref_table(out);
	return text;
}

/* The last column of a table is padded; nobody needs that. */
static void print_trimmed(const char *text, const char *first_line_start,
			  const char *first_line_end, FILE *to)
{
	const char *start = first_line_start;
	const char *end = first_line_end;

	while (*text) {
		size_t len = strcspn(text, "\n");
		size_t kept = len;

		while (kept && text[kept - 1] == ' ')
			kept--;
		(void)fprintf(to, "%s%.*s%s\n", start, (int)kept, text, end);
		start = end = "";
		text += len + (text[len] == '\n');
	}
}

static int print_table(const struct doc_table *table, int is_bold, FILE *to, struct err *err)
{
	CLEANUP(free) char *text = NULL;

	if (table->nr_rows == 0)
		return 0;
	text = render_table(table);
	if (!text)
		return err_set(err, ERR_SYSTEM, "table '%s': libsmartcols failed", table->id);
	print_trimmed(text, is_bold ? BOLD : "", is_bold ? NORMAL : "", to);
	return 0;
}

static int print_part(const struct doc_part *part, const struct output_style *style, FILE *to,
		      struct err *err)
{
	switch (part->kind) {
	case DOC_HEADING:
		(void)fprintf(to, "%s%s%s\n", style->color ? BOLD : "", part->text,
			      style->color ? NORMAL : "");
		return 0;
	case DOC_PARAGRAPH:
		wrap_print(part->text, style->width, 0, to);
		return 0;
	case DOC_VERBATIM:
		(void)fprintf(to, "%s\n", part->text);
		return 0;
	case DOC_LKP:
		(void)fputs(part->text, to);
		return 0;
	case DOC_TABLE:
		return print_table(part->table, style->color, to, err);
	case DOC_NOTES:
		notes_text(&part->notes, style, to);
		return 0;
	}
	return 0;
}

/* A blank line between parts, but not under a heading and not between lines of one kind. */
static int needs_gap(const struct doc_part *before, const struct doc_part *part)
{
	if (before->kind == DOC_HEADING)
		return 0;
	return !(before->kind == part->kind && part->kind == DOC_VERBATIM);
}

static int text_doc(const struct doc *doc, const struct output_style *style, FILE *to,
		    struct err *err)
{
	const struct doc_part *before = NULL;

	for (size_t i = 0; i < doc->parts.nr; i++) {
		const struct doc_part *part = &doc->parts.items[i];
		int ret;

		if (part->kind == DOC_TABLE && part->table->nr_rows == 0)
			continue;
		if (before && needs_gap(before, part))
			(void)fputc('\n', to);
		ret = print_part(part, style, to, err);
		if (ret < 0)
			return ret;
		before = part;
	}
	return output_finish(to, err);
}

const struct output_ops output_text = {
	.name = "text",
	.summary = "tables for the terminal",
	.doc = text_doc,
};
