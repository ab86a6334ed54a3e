/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_lkp_matrix: LKP's matrix.json, stats.json and avg.json, whole or as arrays in a mail. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "import/import_table.h"
#include "import/importer.h"
#include "import/lkp_lines.h"
#include "import/lkp_matrix.h"
#include "import/lkp_memory.h"
#include "model/lkp_table.h"

#define SOURCES "stats_source"
#define MAX_KEY_LEN 1024

static int lkp_matrix_probe(struct import_reader *in)
{
	return lkp_lines_probe(in);
}

struct reading {
	struct lkp_lines lines;
	struct json_scan scan;
	struct lkp_matrix matrix;
	struct import_reader *in;
	const char *refusal; /* why none of it may be used */
	unsigned refusal_line;
	bool is_cut;
};

static int refuse(struct reading *reading, const char *why)
{
	reading->refusal = why;
	reading->refusal_line = reading->scan.line;
	return -1;
}

/* A value of the array at hand. */
static int take_value(struct reading *reading, struct lkp_matrix_series *series,
		      enum json_event event)
{
	const struct json_scan *scan = &reading->scan;
	double value = (double)NAN;

	if (event == JSON_NUMBER && !json_number(scan->text, scan->len, &value))
		return refuse(reading, "a number is out of range");
	if (reading->matrix.nr_values >= LKP_MATRIX_MAX_VALUES || series->nr >= LKP_MATRIX_MAX_RUNS)
		return refuse(reading, "the matrix has too many values");
	lkp_matrix_add(&reading->matrix, series, value, scan->text, scan->len);
	return 0;
}

/* The end of an array, or what ended it early: -1 if nothing more is to be read. */
static int end_array(struct reading *reading, struct lkp_matrix_series *series,
		     enum json_event event)
{
	if (event == JSON_CLOSE) {
		lkp_matrix_end(&reading->matrix, series);
		return 0;
	}
	/* Its values were read one by one; only those behind the cut are missing. */
	lkp_matrix_end(&reading->matrix, series);
	reading->is_cut = true;
	return -1;
}

static int read_numbers(struct reading *reading)
{
	struct json_scan *scan = &reading->scan;
	struct lkp_matrix_series *series =
		lkp_matrix_begin(&reading->matrix, scan->key, scan->key_len, scan->line);

	for (;;) {
		enum json_event event = json_scan_next(scan);

		if (event == JSON_NUMBER || event == JSON_WORD) {
			if (take_value(reading, series, event) < 0)
				return -1;
		} else if (event == JSON_STRING) {
			continue; /* no measurement */
		} else if (event == JSON_OBJECT || event == JSON_ARRAY) {
			return refuse(reading, "an array of a matrix holds more than numbers");
		} else {
			return end_array(reading, series, event);
		}
	}
}

static int read_sources(struct reading *reading)
{
	enum json_event event;

	while ((event = json_scan_next(&reading->scan)) == JSON_STRING)
		reading->matrix.nr_sources++;
	if (event == JSON_CLOSE)
		return 0;
	reading->is_cut = true;
	return -1;
}

/* stats.json and avg.json have one number where a matrix has an array. */
static int read_number(struct reading *reading)
{
	struct json_scan *scan = &reading->scan;
	struct lkp_matrix_series *series =
		lkp_matrix_begin(&reading->matrix, scan->key, scan->key_len, scan->line);

	return take_value(reading, series, JSON_NUMBER);
}

/* A member of the document: 0 to go on. */
static int read_member(struct reading *reading, enum json_event event)
{
	if (reading->scan.key_len > MAX_KEY_LEN)
		return refuse(reading, "the name of a metric is too long");
	switch (event) {
	case JSON_ARRAY:
		return json_scan_is_key(&reading->scan, SOURCES) ? read_sources(reading)
								 : read_numbers(reading);
	case JSON_NUMBER:
		return read_number(reading);
	case JSON_OBJECT:
		return refuse(reading, "there is an object where a matrix has numbers");
	case JSON_STRING:
	case JSON_WORD:
		return 0;
	case JSON_CLOSE:
		return 1;
	default:
		reading->is_cut = true;
		return -1;
	}
}

static void read_document(struct reading *reading)
{
	if (json_scan_next(&reading->scan) != JSON_OBJECT) {
		reading->is_cut = true;
		return;
	}
	while (read_member(reading, json_scan_next(&reading->scan)) == 0)
		;
}

/* ---- what it was ---- */

/* The matrix of one run's monitors has an array of samples where the matrix of runs has runs. */
static bool is_of_samples(const struct lkp_matrix *matrix)
{
	bool has_one = false, has_many = false;

	if (matrix->nr_sources)
		return false;
	for (size_t i = 0; i < matrix->series.nr; i++) {
		has_one |= matrix->series.items[i].nr == 1;
		has_many |= matrix->series.items[i].nr > 1;
	}
	return has_one && has_many;
}

static int check(struct reading *reading)
{
	struct lkp_matrix *matrix = &reading->matrix;

	if (reading->refusal)
		return -1;
	if (!strcmp(lkp_lines_file(&reading->lines), "stddev.json")) {
		reading->refusal = "stddev.json holds deviations, no measurements";
		return -1;
	}
	if (is_of_samples(matrix)) {
		reading->refusal = "these are the samples of one run, not one value for each run: "
				   "its stats.json has the values";
		return -1;
	}
	matrix->is_average = !strcmp(lkp_lines_file(&reading->lines), "avg.json");
	return 0;
}

static void add_notes(struct reading *reading)
{
	struct lkp_matrix *matrix = &reading->matrix;

	if (reading->is_cut)
		note_add(&matrix->notes, NOTE_INPUT_INCOMPLETE,
			 "line %u: the JSON ends before its end: what came before is used",
			 reading->lines.last_line);
	if (matrix->nr_filled)
		note_add(&matrix->notes, NOTE_INPUT_AMBIGUOUS,
			 "%zu zeros stand among fractions, where LKP fills in 0 for what a run "
			 "lacks: they were left out",
			 matrix->nr_filled);
	if (matrix->is_average)
		note_add(&matrix->notes, NOTE_INPUT_AMBIGUOUS,
			 "avg.json does not say of how many runs its values are the means");
}

/* The same arrays again, in a quotation. */
static bool is_repeated(struct lkp_memory *memory, const struct lkp_matrix *matrix)
{
	uint64_t hash = lkp_hash_text(0, matrix->kernel);

	hash = lkp_hash_text(hash, matrix->table ? matrix->table->axes_values : NULL);
	VEC_FOREACH (&matrix->series, series) {
		hash = lkp_hash_text(hash, series->name);
		hash = lkp_hash_add(hash, series->values, series->nr * sizeof(*series->values));
	}
	return !lkp_memory_tell(memory, hash);
}

/* Arrays that are posted below a table belong to one of its columns. */
static int deliver_arrays(struct reading *reading, struct err *err)
{
	struct lkp_memory *memory = lkp_memory_get(reading->in);
	struct lkp_matrix *matrix = &reading->matrix;
	CLEANUP(free) char *kernel = lkp_lines_kernel(&reading->lines);
	CLEANUP(lkp_table) struct lkp_table own = { .axes = NULL };

	if (kernel) {
		matrix->column = lkp_memory_find(memory, kernel);
		matrix->table = &memory->last;
		if (!matrix->column) {
			lkp_table_add_column(&own, kernel, NULL, NULL);
			matrix->table = &own;
			matrix->column = &own.columns[0];
		}
		matrix->kernel = kernel;
	}
	if (is_repeated(memory, matrix))
		return 0;
	return lkp_matrix_deliver(reading->in, matrix, err);
}

static int finish(struct reading *reading, struct err *err)
{
	if (check(reading) < 0)
		return import_refuse(reading->in, reading->refusal_line, err, "%s",
				     reading->refusal);
	add_notes(reading);
	if (reading->lines.is_document)
		return lkp_matrix_deliver(reading->in, &reading->matrix, err);
	return deliver_arrays(reading, err);
}

static int lkp_matrix_read(struct import_reader *in, struct err *err)
{
	CLEANUP(free) struct reading *reading = xcalloc(1, sizeof(*reading));
	int ret;

	reading->in = in;
	lkp_lines_init(&reading->lines, in);
	json_scan_init(&reading->scan, lkp_lines_source(&reading->lines));
	read_document(reading);
	ret = finish(reading, err);
	lkp_matrix_release(&reading->matrix);
	json_scan_release(&reading->scan);
	lkp_lines_close(&reading->lines);
	return ret;
}

const struct importer_ops importer_lkp_matrix = {
	.name = "lkp-matrix",
	.summary = "LKP's matrix.json, stats.json, avg.json, and arrays of them in a mail",
	.probe = lkp_matrix_probe,
	.read = lkp_matrix_read,
};
