/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_text: a comparison table as LKP lays it out. What is in it was decided elsewhere. */
#include "output/lkp_text.h"

#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/lkp_table.h"
#include "stats/lkp.h"
#include "stats/lkp_round.h"

#define RULE_LEN 89
#define VALUE_LEN 10
#define SPREAD_LEN 6 /* " ± 27%" */
#define CHANGE_LEN 10
#define FAILS_LEN 11
#define ABSENT "-"

static void add_titles(const struct lkp_table *table, struct strbuf *out)
{
	for (size_t i = 0; i < table->nr_columns; i++) {
		int len = i ? LKP_TITLE_LEN : LKP_TITLE_LEN_BASE;

		strbuf_printf(out, "%s%*.*s", i ? " " : "", len, len, table->columns[i].title);
	}
	strbuf_add_char(out, '\n');
	for (size_t i = 0; i < table->nr_columns; i++) {
		if (i)
			strbuf_add_char(out, ' ');
		strbuf_add_repeat(out, '-', i ? LKP_TITLE_LEN : LKP_TITLE_LEN_BASE);
	}
	strbuf_add_char(out, '\n');
}

void lkp_text_head(const struct lkp_table *table, struct strbuf *out)
{
	strbuf_add_repeat(out, '=', RULE_LEN);
	strbuf_add_char(out, '\n');
	if (table->axes)
		strbuf_printf(out, "%s:\n  %s\n\n", table->axes,
			      table->axes_values ? table->axes_values : "");
	strbuf_printf(out, "%s:\n", table->compared ? table->compared : "commit");
	for (size_t i = 0; i < table->nr_columns; i++) {
		const struct lkp_column *column = &table->columns[i];

		strbuf_printf(out, "  %s", column->name);
		if (column->subject)
			strbuf_printf(out, " (\"%s\")", column->subject);
		strbuf_add_char(out, '\n');
	}
	strbuf_add_char(out, '\n');
	add_titles(table, out);
}

static void add_for_each_other(const struct lkp_table *table, const char *text, struct strbuf *out)
{
	for (size_t i = 1; i < table->nr_columns; i++)
		strbuf_add_str(out, text);
}

void lkp_text_metrics_head(const struct lkp_table *table, struct strbuf *out)
{
	strbuf_add_str(out, "         %stddev");
	add_for_each_other(table, "     %change         %stddev", out);
	strbuf_add_str(out, "\n             \\");
	add_for_each_other(table, "          |                \\", out);
	strbuf_add_char(out, '\n');
}

void lkp_text_failures_head(const struct lkp_table *table, struct strbuf *out)
{
	strbuf_add_str(out, "       fail:runs");
	add_for_each_other(table, "  %reproduction    fail:runs", out);
	strbuf_add_str(out, "\n           |");
	add_for_each_other(table, "             |             |", out);
	strbuf_add_char(out, '\n');
}

/* A number at the right, and two columns for its unit and a blank. */
static void add_change(double change, bool is_absolute, struct strbuf *out)
{
	char text[LKP_TEXT_LEN] = ABSENT;
	bool has_unit = !isnan(change) && !is_absolute;

	if (!isnan(change))
		lkp_format_change_value(change, is_absolute, text);
	strbuf_printf(out, "%*s%s", CHANGE_LEN + has_unit, text, has_unit ? " " : "  ");
}

static void add_metric(const struct lkp_cell *cell, struct strbuf *out)
{
	char text[LKP_TEXT_LEN] = ABSENT;
	char spread[LKP_TEXT_LEN] = "";

	if (cell->is_present) {
		lkp_format_mean(cell->mean, text);
		lkp_format_spread(cell->spread_percent, spread);
	}
	strbuf_printf(out, "%*s", VALUE_LEN, text);
	if (*spread)
		strbuf_add_str(out, spread);
	else
		strbuf_add_repeat(out, ' ', SPREAD_LEN);
}

static void add_metric_row(const struct lkp_table *table, const struct lkp_row *row,
			   struct strbuf *out)
{
	bool is_absolute = lkp_is_absolute(row->name);

	for (size_t i = 0; i < table->nr_columns; i++) {
		if (i)
			add_change(row->cells[i].change, is_absolute, out);
		add_metric(&row->cells[i], out);
	}
}

static void add_failure_row(const struct lkp_table *table, const struct lkp_row *row,
			    struct strbuf *out)
{
	for (size_t i = 0; i < table->nr_columns; i++) {
		const struct lkp_cell *cell = &row->cells[i];

		if (i && isnan(cell->change))
			strbuf_printf(out, "%*s  ", CHANGE_LEN, ABSENT);
		else if (i)
			strbuf_printf(out, "%*.0f%% ", CHANGE_LEN,
				      lkp_round_decimals(cell->change, 0));
		if (cell->nr_fails)
			strbuf_printf(out, "%*llu", FAILS_LEN, (unsigned long long)cell->nr_fails);
		else
			strbuf_add_repeat(out, ' ', FAILS_LEN);
		strbuf_printf(out, ":%-4llu", (unsigned long long)cell->nr_runs);
	}
}

void lkp_text_row(const struct lkp_table *table, const struct lkp_row *row, struct strbuf *out)
{
	if (row->is_failure)
		add_failure_row(table, row, out);
	else
		add_metric_row(table, row, out);
	strbuf_printf(out, "  %s\n", row->name);
}

static void add_rows(const struct lkp_table *table, bool is_failure, struct strbuf *out)
{
	bool is_first = true;

	for (size_t i = 0; i < table->nr_rows; i++) {
		if (table->rows[i].is_failure != is_failure)
			continue;
		if (is_first && is_failure)
			lkp_text_failures_head(table, out);
		else if (is_first)
			lkp_text_metrics_head(table, out);
		is_first = false;
		lkp_text_row(table, &table->rows[i], out);
	}
}

void lkp_text_table(const struct lkp_table *table, struct strbuf *out)
{
	lkp_text_head(table, out);
	add_rows(table, true, out);
	add_rows(table, false, out);
}
