/* SPDX-License-Identifier: GPL-2.0-or-later */
/* json: the form that programs read. Of a doc its own, or else its tables and notes; of a result
 * that of fio. */
#include "output/output.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/err.h"
#include "output/doc_parts.h"
#include "output/fio_form_json.h"
#include "output/output_formats.h"

#define GENERIC_VERSION 1

static json_t *cell_json(const struct doc_cell *cell)
{
	if (cell->kind == CELL_TEXT)
		return json_string(cell->text); /* NULL: no UTF-8; the member is left out */
	if (cell->kind == CELL_NUMBER && isfinite(cell->value))
		return json_real(cell->value);
	return json_null();
}

static json_t *table_json(const struct doc_table *table)
{
	json_t *rows = json_array();

	for (size_t row = 0; row < table->nr_rows; row++) {
		json_t *object = json_object();

		for (size_t i = 0; i < table->nr_columns; i++) {
			struct doc_cell cell = doc_cell_at(table, row, i);

			if (!(table->columns[i].flags & DOC_PEOPLE))
				(void)json_object_set_new(object, table->columns[i].title,
							  cell_json(&cell));
		}
		(void)json_array_append_new(rows, object);
	}
	return rows;
}

static void add_notes(json_t *array, const struct note_list *notes)
{
	for (size_t i = 0; i < notes->nr; i++) {
		const struct note_kind *kind = note_kind(notes->items[i].id);
		json_t *note = json_pack("{s:s, s:s*, s:s}", "id", kind->name, "text",
					 notes->items[i].text, "advice", kind->advice);

		(void)json_array_append_new(array, note);
	}
}

static json_t *generic_json(const struct doc *doc)
{
	json_t *tables = json_object();
	json_t *notes = json_array();

	VEC_FOREACH (&doc->parts, part) {
		if (part->kind == DOC_TABLE)
			(void)json_object_set_new(tables, part->table->id, table_json(part->table));
		else if (part->kind == DOC_NOTES)
			add_notes(notes, &part->notes);
	}
	return json_pack("{s:s, s:i, s:o, s:o}", "schema", doc->schema, "version", GENERIC_VERSION,
			 "tables", tables, "notes", notes);
}

static int json_doc(const struct doc *doc, const struct output_style *style, FILE *to,
		    struct err *err)
{
	char *text;
	json_t *root;

	(void)style;
	if (doc->json) {
		(void)fprintf(to, "%s\n", doc->json);
		return output_finish(to, err);
	}
	root = generic_json(doc);
	text = root ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) : NULL;
	json_decref(root);
	if (!text)
		return err_set(err, ERR_SYSTEM, "JSON of '%s' cannot be built", doc->schema);
	(void)fprintf(to, "%s\n", text);
	free(text);
	return output_finish(to, err);
}

static int json_result(const struct result *result, FILE *to, struct err *err)
{
	fio_form_json_write(result, 0, to);
	return output_finish(to, err);
}

static int json_status(const struct result *result, FILE *to, struct err *err)
{
	fio_form_json_write(result, FIO_FORM_JSON_ONE_LINE, to);
	return output_finish(to, err);
}

const struct output_ops output_json = {
	.name = "json",
	.summary = "one JSON document for programs; of a run, in the form of fio's",
	.result = json_result,
	.status = json_status,
	.doc = json_doc,
};
