/* SPDX-License-Identifier: GPL-2.0-or-later */
/* markdown: a doc for issue trackers and web pages, tables in GitHub's form. */
#include "output/output.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/err.h"
#include "output/doc_parts.h"
#include "output/number_text.h"
#include "output/output_formats.h"

/* Text that means itself: names come from files. A line break would end a cell. */
static void print_text(const char *text, FILE *to)
{
	for (; *text; text++) {
		if (iscntrl((unsigned char)*text)) {
			(void)fputc(' ', to);
			continue;
		}
		if (strchr("\\`*<|", *text))
			(void)fputc('\\', to);
		(void)fputc(*text, to);
	}
}

static void print_cell(const struct doc_cell *cell, FILE *to)
{
	char number[NUMBER_TEXT_LEN];

	if (cell->kind == CELL_EMPTY)
		return;
	print_text(cell->text ? cell->text : number_text(cell->value, cell->unit, number), to);
}

static void print_header(const struct doc_table *table, FILE *to)
{
	(void)fputc('|', to);
	for (size_t i = 0; i < table->nr_columns; i++) {
		if (table->columns[i].flags & DOC_DATA)
			continue;
		(void)fputc(' ', to);
		print_text(table->columns[i].title, to);
		(void)fputs(" |", to);
	}
	(void)fputs("\n|", to);
	for (size_t i = 0; i < table->nr_columns; i++) {
		if (table->columns[i].flags & DOC_DATA)
			continue;
		(void)fputs(table->columns[i].flags & DOC_RIGHT ? "---:|" : "---|", to);
	}
	(void)fputc('\n', to);
}

static void print_table(const struct doc_table *table, FILE *to)
{
	print_header(table, to);
	for (size_t row = 0; row < table->nr_rows; row++) {
		(void)fputc('|', to);
		for (size_t i = 0; i < table->nr_columns; i++) {
			struct doc_cell cell;

			if (table->columns[i].flags & DOC_DATA)
				continue;
			cell = doc_cell_at(table, row, i);
			(void)fputc(' ', to);
			print_cell(&cell, to);
			(void)fputs(" |", to);
		}
		(void)fputc('\n', to);
	}
}

static void print_notes(const struct note_list *notes, FILE *to)
{
	for (size_t i = 0; i < notes->nr; i++) {
		(void)fputs("- **note:** ", to);
		print_text(notes->items[i].text, to);
		(void)fputs(" (", to);
		print_text(note_kind(notes->items[i].id)->advice, to);
		(void)fputs(")\n", to);
	}
}

/* A fence longer than any run of backticks inside. */
static void print_verbatim(const char *text, FILE *to)
{
	size_t longest = 2;
	size_t len = strlen(text);

	for (const char *at = text; *at;) {
		size_t run = strspn(at, "`");

		longest = run > longest ? run : longest;
		at += run ? run : 1;
	}
	for (size_t i = 0; i <= longest; i++)
		(void)fputc('`', to);
	(void)fprintf(to, "\n%s%s", text, len && text[len - 1] == '\n' ? "" : "\n");
	for (size_t i = 0; i <= longest; i++)
		(void)fputc('`', to);
	(void)fputc('\n', to);
}

static void print_part(const struct doc_part *part, FILE *to)
{
	switch (part->kind) {
	case DOC_HEADING:
		(void)fputs("## ", to);
		print_text(part->text, to);
		(void)fputc('\n', to);
		break;
	case DOC_PARAGRAPH:
		print_text(part->text, to);
		(void)fputc('\n', to);
		break;
	case DOC_TABLE:
		print_table(part->table, to);
		break;
	case DOC_NOTES:
		print_notes(&part->notes, to);
		break;
	case DOC_VERBATIM:
	case DOC_LKP:
		print_verbatim(part->text, to);
		break;
	}
}

static int markdown_doc(const struct doc *doc, const struct output_style *style, FILE *to,
			struct err *err)
{
	bool is_first = true;

	(void)style;
	VEC_FOREACH (&doc->parts, part) {
		if (part->kind == DOC_TABLE && part->table->nr_rows == 0)
			continue;
		if (!is_first)
			(void)fputc('\n', to);
		print_part(part, to);
		is_first = false;
	}
	return output_finish(to, err);
}

const struct output_ops output_markdown = {
	.name = "markdown",
	.summary = "tables for issue trackers and web pages",
	.doc = markdown_doc,
};
