/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_csv: plain numbers: one in a line, a column a sample, or a line for each metric. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/vec.h"
#include "import/csv.h"
#include "import/import_table.h"
#include "import/importer.h"
#include "import/lkp_matrix.h"
#include "model/result.h"

#define PROBE_NUMBERS 40 /* any other format that is sure of the line knows better */
#define SOURCES "stats_source,"
#define METRIC "value"

enum layout {
	LAYOUT_NONE,
	LAYOUT_COLUMNS, /* a sample each */
	LAYOUT_METRICS, /* LKP's matrix.csv: the name of a metric, then its runs */
};

static bool is_comment(const char *body)
{
	return !*body || *body == '#';
}

/* The nth line, from 0, that has something in it. */
static const struct import_line *content_line(struct import_reader *in, size_t n)
{
	for (size_t i = 0; i < IMPORT_LOOKAHEAD; i++) {
		const struct import_line *line = import_peek(in, i);

		if (!line || line->is_partial)
			return NULL;
		if (!is_comment(import_body(line)) && n-- == 0)
			return line;
	}
	return NULL;
}

/* Where the runs of LKP's matrix came from. */
static bool is_source_line(const char *body)
{
	return !strncmp(body, SOURCES, strlen(SOURCES));
}

static bool is_metric_line(const char *body, char separator)
{
	struct csv_count count = csv_count(body, separator);
	struct csv_field field;

	if (is_source_line(body))
		return true;
	return count.nr > 1 && count.nr_texts == 1 && count.nr_numbers == count.nr - 1 &&
	       csv_next(&body, separator, &field) && memchr(field.text, '.', field.len);
}

/* Numbers and gaps alone. */
static bool is_numbers(const char *body, char separator)
{
	struct csv_count count = csv_count(body, separator);

	return count.nr_numbers > 0 && count.nr_texts == 0 && count.nr <= CSV_MAX_FIELDS;
}

static enum layout find_layout(struct import_reader *in)
{
	const struct import_line *first = content_line(in, 0);
	const struct import_line *second = content_line(in, 1);
	char separator;

	if (!first)
		return LAYOUT_NONE;
	separator = csv_separator(import_body(first));
	if (is_metric_line(import_body(first), separator) && separator != ' ' &&
	    (!second || is_metric_line(import_body(second), separator)))
		return LAYOUT_METRICS;
	if (is_numbers(import_body(first), separator))
		return LAYOUT_COLUMNS;
	/* A head: as many names as there are numbers below. */
	if (!second || !is_numbers(import_body(second), separator) ||
	    csv_count(import_body(first), separator).nr !=
		    csv_count(import_body(second), separator).nr)
		return LAYOUT_NONE;
	return LAYOUT_COLUMNS;
}

/* Whether all lines at hand are of that form: no numbers are picked out of prose. */
static bool is_throughout(struct import_reader *in, enum layout layout)
{
	char separator = csv_separator(import_body(content_line(in, 0)));
	const struct import_line *line;

	for (size_t i = 1; (line = content_line(in, i)); i++) {
		const char *body = import_body(line);

		if (layout == LAYOUT_METRICS ? !is_metric_line(body, separator)
					     : !is_numbers(body, separator))
			return false;
	}
	return true;
}

/* Only the beginning of a text is looked at: its first line that is no comment. */
struct csv_memory {
	bool is_decided;
};

static const struct import_memory_kind memory_kind = { .size_bytes = sizeof(struct csv_memory) };

static int csv_probe(struct import_reader *in)
{
	struct csv_memory *memory = import_memory(in, &memory_kind);
	const struct import_line *line = import_peek(in, 0);
	enum layout layout;

	if (memory->is_decided || line->is_partial || is_comment(import_body(line)))
		return 0;
	memory->is_decided = true;
	layout = find_layout(in);
	return layout != LAYOUT_NONE && is_throughout(in, layout) ? PROBE_NUMBERS : 0;
}

/* ---- columns ---- */

struct column {
	char *label;	/* NULL = the frame's */
	bool is_number; /* of the row: no sample */
};

struct columns {
	struct import_reader *in;
	char separator;
	VEC(struct column) items;
};

static bool is_row_number(const struct csv_field *field)
{
	static const char *const words[] = { "#", "run", "nr", "no", "index", "iteration", "i" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) == field->len &&
		    !strncasecmp(words[i], field->text, field->len))
			return true;
	}
	return false;
}

static void name_columns(struct columns *columns, const char *head)
{
	struct csv_field field;

	while (csv_next(&head, columns->separator, &field))
		vec_push(&columns->items,
			 (struct column){ .label = field.len ? xstrndup(field.text, field.len)
							     : NULL,
					  .is_number = is_row_number(&field) });
}

static void number_columns(struct columns *columns, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		vec_push(
			&columns->items,
			(struct column){ .label = nr > 1 ? xasprintf("column %zu", i + 1) : NULL });
}

static int deliver_value(struct columns *columns, const struct column *column, double value,
			 unsigned line, struct err *err)
{
	CLEANUP(result) struct result result = { .tool = xstrdup("csv"), .source_line = line };

	if (column->label)
		result.label = xstrdup(column->label);
	(void)given_append(&result.given, METRIC, value, line);
	return import_deliver(columns->in, &result, err);
}

static int take_field(struct columns *columns, size_t place, const struct csv_field *field,
		      unsigned line, struct err *err)
{
	double value;

	if (place >= columns->items.nr)
		return import_refuse(columns->in, line, err, "more fields than the %zu columns",
				     columns->items.nr);
	if (columns->items.items[place].is_number)
		return 0;
	switch (csv_kind(field, &value)) {
	case CSV_EMPTY:
		return 0;
	case CSV_NUMBER:
		return deliver_value(columns, &columns->items.items[place], value, line, err);
	case CSV_OUT_OF_RANGE:
		return import_refuse(columns->in, line, err, "number '%.*s' is out of range",
				     (int)field->len, field->text);
	default:
		return import_refuse(columns->in, line, err, "'%.*s' is not a number",
				     (int)(field->len < 60 ? field->len : 60), field->text);
	}
}

static int take_row(struct columns *columns, const struct import_line *line, struct err *err)
{
	CLEANUP(free) char *text = xstrdup(import_body(line)); /* delivering may move the line */
	const char *at = text;
	struct csv_field field;
	unsigned nr = line->nr;
	int ret = 0;

	for (size_t i = 0; ret == 0 && csv_next(&at, columns->separator, &field); i++)
		ret = take_field(columns, i, &field, nr, err);
	return ret;
}

static int read_columns(struct import_reader *in, char separator, struct err *err)
{
	struct columns columns = { .in = in, .separator = separator };
	const char *head = import_body(content_line(in, 0));
	const struct import_line *line;
	bool is_head = csv_count(head, separator).nr_texts > 0;
	int ret = 0;

	if (is_head)
		name_columns(&columns, head);
	else
		number_columns(&columns, csv_count(head, separator).nr);
	while (ret == 0 && (line = import_peek(in, 0))) {
		if (!is_comment(import_body(line)) && !is_head)
			ret = take_row(&columns, line, err);
		is_head &= is_comment(import_body(line));
		import_next(in);
	}
	VEC_FOREACH (&columns.items, column)
		free(column->label);
	vec_release(&columns.items);
	return ret;
}

/* ---- a line for each metric ---- */

static int take_metric(struct import_reader *in, struct lkp_matrix *matrix,
		       const struct import_line *line, char separator, struct err *err)
{
	const char *at = import_body(line);
	struct lkp_matrix_series *series;
	struct csv_field field;

	if (!csv_next(&at, separator, &field))
		return 0;
	series = lkp_matrix_begin(matrix, field.text, field.len, line->nr);
	while (csv_next(&at, separator, &field)) {
		double value = (double)NAN;
		enum csv_kind kind = csv_kind(&field, &value);

		if (kind == CSV_TEXT || kind == CSV_OUT_OF_RANGE)
			return import_refuse(in, line->nr, err, "'%.*s' is not a number",
					     (int)(field.len < 60 ? field.len : 60), field.text);
		if (matrix->nr_values >= LKP_MATRIX_MAX_VALUES)
			return import_refuse(in, line->nr, err, "too many values");
		lkp_matrix_add(matrix, series, value, field.text, field.len);
	}
	lkp_matrix_end(matrix, series);
	return 0;
}

static int read_metrics(struct import_reader *in, char separator, struct err *err)
{
	CLEANUP(lkp_matrix) struct lkp_matrix matrix = { .nr_values = 0 };
	const struct import_line *line;
	int ret = 0;

	while (ret == 0 && (line = import_peek(in, 0))) {
		const char *body = import_body(line);

		if (!is_comment(body) && !is_source_line(body))
			ret = take_metric(in, &matrix, line, separator, err);
		import_next(in);
	}
	return ret == 0 ? lkp_matrix_deliver(in, &matrix, err) : ret;
}

static int csv_read(struct import_reader *in, struct err *err)
{
	char separator = csv_separator(import_body(content_line(in, 0)));

	if (find_layout(in) == LAYOUT_METRICS)
		return read_metrics(in, separator, err);
	return read_columns(in, separator, err);
}

const struct importer_ops importer_csv = {
	.name = "csv",
	.summary = "one number in a line, a column for each sample, or LKP's matrix.csv",
	.probe = csv_probe,
	.read = csv_read,
};
