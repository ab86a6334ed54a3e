/* SPDX-License-Identifier: GPL-2.0-or-later */
/* doc: collects what a command has to say. How it looks is left to the writers. */
#include "output/doc.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "output/doc_parts.h"
#include "output/lkp_text.h"

struct doc *doc_create(const char *schema)
{
	struct doc *doc = xcalloc(1, sizeof(*doc));

	doc->schema = xstrdup(schema);
	return doc;
}

static void doc_table_free(struct doc_table *table)
{
	if (!table)
		return;
	VEC_FOREACH (&table->cells, cell)
		free(cell->text);
	vec_release(&table->cells);
	free(table);
}

void doc_free(struct doc *doc)
{
	if (!doc)
		return;
	VEC_FOREACH (&doc->parts, part) {
		free(part->text);
		doc_table_free(part->table);
		note_list_release(&part->notes);
	}
	vec_release(&doc->parts);
	free(doc->schema);
	free(doc->json);
	free(doc);
}

__attribute__((format(printf, 1, 0))) static char *format_text(const char *format, va_list args)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_vprintf(&text, format, args);
	return strbuf_take(&text);
}

/* What is quoted may hold control characters, which are a terminal's. */
static void keep_printable(char *text)
{
	for (; text && *text; text++) {
		if (((unsigned char)*text < ' ' && *text != '\n') || *text == 0x7f)
			*text = '?';
	}
}

__attribute__((format(printf, 3, 0))) static void add_text(struct doc *doc, enum doc_kind kind,
							   const char *format, va_list args)
{
	char *text = format_text(format, args);

	if (kind != DOC_VERBATIM)
		keep_printable(text);
	vec_push(&doc->parts, (struct doc_part){ .kind = kind, .text = text });
}

void doc_heading(struct doc *doc, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_text(doc, DOC_HEADING, format, args);
	va_end(args);
}

void doc_paragraph(struct doc *doc, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_text(doc, DOC_PARAGRAPH, format, args);
	va_end(args);
}

void doc_verbatim(struct doc *doc, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_text(doc, DOC_VERBATIM, format, args);
	va_end(args);
}

void doc_notes(struct doc *doc, const struct note_list *notes)
{
	if (notes->nr == 0)
		return;
	vec_push(&doc->parts, (struct doc_part){ .kind = DOC_NOTES });
	note_list_append(&vec_last(&doc->parts)->notes, notes);
}

void doc_json(struct doc *doc, char *text)
{
	free(doc->json);
	doc->json = text;
}

void doc_lkp(struct doc *doc, const struct lkp_table *table)
{
	struct strbuf text = STRBUF_INIT;

	lkp_text_table(table, &text);
	vec_push(&doc->parts, (struct doc_part){ .kind = DOC_LKP, .text = strbuf_take(&text) });
}

struct doc_table *doc_table(struct doc *doc, const char *id, const struct doc_column *columns,
			    size_t nr_columns)
{
	struct doc_table *table = xcalloc(1, sizeof(*table));

	assert(nr_columns > 0);
	table->id = id;
	table->columns = columns;
	table->nr_columns = nr_columns;
	vec_push(&doc->parts, (struct doc_part){ .kind = DOC_TABLE, .table = table });
	return table;
}

static void add_cell(struct doc_table *table, struct doc_cell cell)
{
	assert(table->cells.nr < table->nr_rows * table->nr_columns); /* doc_row() first */
	vec_push(&table->cells, cell);
}

void doc_empty(struct doc_table *table)
{
	add_cell(table, (struct doc_cell){ .kind = CELL_EMPTY });
}

void doc_row(struct doc_table *table)
{
	while (table->cells.nr < table->nr_rows * table->nr_columns)
		doc_empty(table);
	table->nr_rows++;
}

void doc_text(struct doc_table *table, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_cell(table, (struct doc_cell){ .kind = CELL_TEXT, .text = format_text(format, args) });
	va_end(args);
}

void doc_number(struct doc_table *table, double value, const char *unit)
{
	add_cell(table, (struct doc_cell){ .kind = CELL_NUMBER, .value = value, .unit = unit });
}

void doc_number_as(struct doc_table *table, double value, const char *unit, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_cell(table, (struct doc_cell){ .kind = CELL_NUMBER,
					   .value = value,
					   .unit = unit,
					   .text = format_text(format, args) });
	va_end(args);
}

struct doc_cell doc_cell_at(const struct doc_table *table, size_t row, size_t column)
{
	size_t index = row * table->nr_columns + column;

	if (index < table->cells.nr)
		return table->cells.items[index];
	return (struct doc_cell){ .kind = CELL_EMPTY };
}
