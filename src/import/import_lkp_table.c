/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_lkp_table: LKP's comparison table in a mail; each column becomes a result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "import/import_table.h"
#include "import/importer.h"
#include "import/lkp_head.h"
#include "import/lkp_memory.h"
#include "import/lkp_result.h"
#include "import/lkp_rows.h"
#include "model/result.h"
#include "stats/lkp.h"

#define PROBE_CERTAIN 95

static int lkp_table_probe(struct import_reader *in)
{
	char first = *import_body(import_peek(in, 0));

	/* A rule, "%stddev", "fail:runs", "commit:"; titles may begin with anything. */
	return first && lkp_head_len(in) ? PROBE_CERTAIN : 0;
}

/* ---- rows that were read before ---- */

static uint64_t hash_cell(uint64_t hash, const struct lkp_cell *cell)
{
	hash = lkp_hash_add(hash, &cell->mean, sizeof(cell->mean));
	hash = lkp_hash_add(hash, &cell->spread_percent, sizeof(cell->spread_percent));
	hash = lkp_hash_add(hash, &cell->nr_fails, sizeof(cell->nr_fails));
	return lkp_hash_add(hash, &cell->nr_runs, sizeof(cell->nr_runs));
}

/* Mails are quoted without their heads, too: then only the whole row can tell. */
static bool is_new_row(struct lkp_memory *memory, const struct lkp_table *table,
		       const struct lkp_row *row)
{
	uint64_t hash = lkp_hash_text(0, row->name);

	for (size_t i = 0; i < table->nr_columns; i++) {
		hash = hash_cell(hash, &row->cells[i]);
		hash = lkp_hash_add(hash, &row->cells[i].change, sizeof(row->cells[i].change));
	}
	return lkp_memory_tell(memory, hash);
}

static bool is_new_cell(struct lkp_memory *memory, const struct lkp_table *table, size_t column,
			const struct lkp_row *row)
{
	uint64_t hash = lkp_hash_text(0, table->columns[column].name);

	hash = lkp_hash_text(hash, table->axes_values);
	hash = lkp_hash_text(hash, row->name);
	return lkp_memory_tell(memory, hash_cell(hash, &row->cells[column]));
}

/* ---- results ---- */

/* A share of runs that failed is the mean of as many zeros and ones. */
static void add_failure(struct result *result, const struct lkp_row *row,
			const struct lkp_cell *cell)
{
	struct given_metric *metric;

	if (!cell->nr_runs)
		return;
	metric = lkp_add_metric(result, row->name, (double)cell->nr_fails / (double)cell->nr_runs,
				row->line);
	metric->nr_runs =
		cell->nr_runs < GIVEN_RUNS_UNKNOWN ? (unsigned)cell->nr_runs : GIVEN_RUNS_UNKNOWN;
	metric->change = cell->change;
}

static void add_average(struct result *result, size_t column, const struct lkp_row *row)
{
	const struct lkp_cell *base = &row->cells[0], *cell = &row->cells[column];
	struct given_metric *metric = lkp_add_metric(result, row->name, cell->mean, row->line);

	metric->nr_runs = GIVEN_RUNS_UNKNOWN;
	metric->stddev_percent = cell->spread_percent;
	metric->change = cell->change;
	if (!isnan(cell->change) && base->is_present &&
	    !lkp_change_fits(base->mean, cell->mean, lkp_is_absolute(row->name), cell->change)) {
		note_add(&result->notes, NOTE_INPUT_AMBIGUOUS,
			 "line %u: the change of %.60s does not fit the averages beside it",
			 row->line, row->name);
		metric->change = NAN;
	}
}

static void add_column(struct lkp_memory *memory, const struct lkp_table *table, size_t column,
		       bool is_titled, struct result *result)
{
	for (size_t i = 0; i < table->nr_rows; i++) {
		const struct lkp_row *row = &table->rows[i];

		if (!row->cells[column].is_present ||
		    (is_titled && !is_new_cell(memory, table, column, row)))
			continue;
		if (row->is_failure)
			add_failure(result, row, &row->cells[column]);
		else
			add_average(result, column, row);
	}
}

static int deliver_column(struct import_reader *in, const struct lkp_table *table, size_t column,
			  bool is_titled, const struct note_list *notes, struct err *err)
{
	CLEANUP(result) struct result result = { .tool = xstrdup("lkp") };

	add_column(lkp_memory_get(in), table, column, is_titled, &result);
	if (!result.given.nr)
		return 0; /* all of it was read before */
	lkp_finish_metrics(&result, true);
	lkp_describe(table, &table->columns[column], &result);
	note_list_append(&result.notes, notes);
	if (!is_titled)
		note_add(&result.notes, NOTE_INPUT_AMBIGUOUS,
			 "line %u: the table does not say which kernels its columns are",
			 table->rows[0].line);
	return import_deliver(in, &result, err);
}

static bool is_titled(const struct lkp_table *table)
{
	return strncmp(table->columns[0].title, "column ", 7) != 0;
}

/* Of a table quoted without its head the rows that were read before are left out. */
static void hide_old_rows(struct lkp_memory *memory, struct lkp_table *table)
{
	bool is_whole = table->axes && is_titled(table);

	for (size_t i = 0; i < table->nr_rows; i++) {
		bool is_old = !is_new_row(memory, table, &table->rows[i]);

		for (size_t j = 0; j < table->nr_columns && is_old && !is_whole; j++)
			table->rows[i].cells[j].is_present = false;
	}
}

static int lkp_table_read(struct import_reader *in, struct err *err)
{
	CLEANUP(lkp_table) struct lkp_table table = { .axes = NULL };
	CLEANUP(note_list) struct note_list notes = { .nr = 0 };
	struct lkp_head_rest rest = { .line = 0 };
	struct lkp_memory *memory = lkp_memory_get(in);
	int ret = 0;

	if (lkp_head_read(in, &table, &rest))
		lkp_rows_read(in, strbuf_str(&rest.text), rest.line, &table, &notes);
	strbuf_release(&rest.text);
	if (!table.nr_rows)
		return 0;
	if (is_titled(&table))
		lkp_memory_keep_head(memory, &table);
	hide_old_rows(memory, &table);
	for (size_t i = 0; ret == 0 && i < table.nr_columns; i++)
		ret = deliver_column(in, &table, i, is_titled(&table), &notes, err);
	return ret;
}

const struct importer_ops importer_lkp_table = {
	.name = "lkp-table",
	.summary = "comparison tables of LKP, as the 0-day robot mails them",
	.probe = lkp_table_probe,
	.read = lkp_table_read,
};
