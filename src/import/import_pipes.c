/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_pipes: small tables with '|' between the columns, as people paste them into mails. */
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "import/fio_text.h"
#include "import/import_table.h"
#include "import/importer.h"
#include "model/result.h"

#define PROBE_TABLE 45	 /* any other format that is sure of the line knows better */
#define MAX_HEAD_LINES 4 /* above the rule, wrapped lines included */
#define MAX_COLUMNS 16	 /* samples, and the names in front of them */
#define MAX_CELL_LEN 120 /* a longer one is prose */
#define MAX_NAME_LEN 160 /* of a metric */
#define MIN_RULE_DASHES 3

struct cells {
	size_t nr;
	char texts[MAX_COLUMNS][MAX_CELL_LEN];
};

/* "-----", "|---|:--:|", "---+---" */
static bool is_rule(const char *body)
{
	size_t nr = 0;

	for (const char *at = body; *at; at++) {
		if (!strchr("-=+|: ", *at))
			return false;
		nr += *at == '-' || *at == '=';
	}
	return nr >= MIN_RULE_DASHES;
}

static void set_cell(char cell[MAX_CELL_LEN], const char *text, size_t len)
{
	size_t used = 0;

	for (size_t i = 0; i < len && used + 1 < MAX_CELL_LEN; i++) {
		bool is_blank = text[i] == ' ' || strchr("\"`*", text[i]);

		if (!is_blank)
			cell[used++] = text[i];
		else if (used && cell[used - 1] != ' ')
			cell[used++] = ' ';
	}
	while (used && cell[used - 1] == ' ')
		used--;
	cell[used] = '\0';
}

/*
 * Without the bars around a row. A bar that a line begins with is one of them if all rows have it;
 * otherwise the first cell is empty. False: no row.
 */
static bool split(const char *body, bool has_bars, struct cells *ret_cells)
{
	size_t len;

	ret_cells->nr = 0;
	if (!strchr(body, '|'))
		return false;
	body += has_bars && *body == '|';
	len = strlen(body);
	if (len && body[len - 1] == '|')
		len--;
	for (size_t at = 0; at <= len; at++) {
		const char *bar = memchr(body + at, '|', len - at);
		size_t end = bar ? (size_t)(bar - body) : len;

		if (ret_cells->nr == MAX_COLUMNS || end - at >= MAX_CELL_LEN)
			return false;
		set_cell(ret_cells->texts[ret_cells->nr++], body + at, end - at);
		at = end;
	}
	return ret_cells->nr > 1;
}

/* ---- numbers ---- */

/* "1597k", "1,377,000", "1.5M": what people make of large numbers. "-3 %" is a change, no value. */
static bool read_number(const char *text, double *ret_value)
{
	char plain[MAX_CELL_LEN]; /* a cell is shorter */
	const char *at = plain;
	size_t nr = 0;

	for (; *text; text++) {
		if (*text != ',')
			plain[nr++] = *text;
	}
	plain[nr] = '\0';
	if (*plain == '-' || !fio_count(&at, ret_value))
		return false;
	at += strspn(at, " ");
	return isfinite(*ret_value) && (!*at || *at == '(');
}

static bool has_numbers(const struct cells *cells)
{
	double value;
	size_t nr = 0;

	for (size_t i = 1; i < cells->nr; i++)
		nr += read_number(cells->texts[i], &value);
	return nr > 0;
}

/* ---- head ---- */

struct head {
	size_t nr_columns, nr_lines; /* the rule is one of the lines */
	bool has_bars;		     /* around the rows */
	char labels[MAX_COLUMNS][2 * MAX_CELL_LEN];
};

static void add_label(char label[2 * MAX_CELL_LEN], const char *text)
{
	size_t len = strlen(label);

	if (*text && len + strlen(text) + 2 <= 2 * MAX_CELL_LEN)
		(void)snprintf(label + len, 2 * MAX_CELL_LEN - len, "%s%s", len ? " " : "", text);
}

/* What all samples share does not name one. */
static bool is_shared(const struct cells *cells)
{
	for (size_t i = 2; i < cells->nr; i++) {
		if (strcmp(cells->texts[i], cells->texts[1]) != 0)
			return false;
	}
	return cells->nr > 2;
}

/* A line above the rule. A mailer may have put the end of the last cell into a line of its own. */
static bool add_head_line(struct head *head, const char *body)
{
	struct cells cells;

	if (!strchr(body, '|') && head->nr_columns && strlen(body) < MAX_CELL_LEN) {
		add_label(head->labels[head->nr_columns - 1], body);
		return true;
	}
	if (!split(body, head->has_bars, &cells) || has_numbers(&cells) ||
	    (head->nr_columns && cells.nr != head->nr_columns))
		return false;
	head->nr_columns = cells.nr;
	for (size_t i = 0; i < cells.nr && (i == 0 || !is_shared(&cells)); i++)
		add_label(head->labels[i], cells.texts[i]);
	return true;
}

/* The number of lines above the rule; 0 if there is none. */
static size_t find_rule(struct import_reader *in)
{
	for (size_t i = 0; i <= MAX_HEAD_LINES; i++) {
		const struct import_line *line = import_peek(in, i);

		if (!line || line->is_partial || !*import_body(line))
			break;
		if (is_rule(import_body(line)))
			return i;
	}
	return 0;
}

/* A head, a rule, and a row with numbers below it. */
static bool read_head(struct import_reader *in, struct head *head)
{
	size_t nr = find_rule(in);
	const struct import_line *row = nr ? import_peek(in, nr + 1) : NULL;
	struct cells cells;

	if (!row || row->is_partial)
		return false;
	*head = (struct head){ .nr_lines = nr + 1, .has_bars = *import_body(row) == '|' };
	for (size_t i = 0; i < nr; i++) {
		if (!add_head_line(head, import_body(import_peek(in, i))))
			return false;
	}
	row = import_peek(in, nr + 1);
	return head->nr_columns && split(import_body(row), head->has_bars, &cells) &&
	       cells.nr == head->nr_columns && has_numbers(&cells);
}

/* ---- rows ---- */

/* "randread iops": what was run, and regio's name of what was measured. */
static void name_row(const char *text, char ret_metric[MAX_NAME_LEN],
		     char ret_workload[MAX_CELL_LEN])
{
	const char *iops = strcasestr(text, "iops");
	const char *dir = strcasestr(text, "write") ? "write" : "read";
	size_t len = 0;

	*ret_workload = '\0';
	if (iops && (strcasestr(text, "read") || strcasestr(text, "write"))) {
		(void)snprintf(ret_metric, MAX_NAME_LEN, "%s.iops", dir);
		set_cell(ret_workload, text, (size_t)(iops - text));
		return;
	}
	for (; *text && len + 1 < MAX_NAME_LEN; text++)
		ret_metric[len++] =
			isalnum((unsigned char)*text) || strchr("._%-/", *text) ? *text : '_';
	ret_metric[len] = '\0';
	if (!len)
		(void)snprintf(ret_metric, MAX_NAME_LEN, "value");
}

static int deliver_cell(struct import_reader *in, const char *label, const char *row, double value,
			unsigned line, struct err *err)
{
	CLEANUP(result) struct result result = { .tool = xstrdup("table"), .source_line = line };
	char metric[MAX_NAME_LEN], workload[MAX_CELL_LEN];

	name_row(row, metric, workload);
	if (*label)
		result.label = xstrdup(label);
	if (*workload)
		result_add_env(&result, "workload", workload);
	(void)given_append(&result.given, metric, value, line);
	return import_deliver(in, &result, err);
}

static int read_row(struct import_reader *in, const struct head *head, const struct cells *cells,
		    unsigned line, struct err *err)
{
	for (size_t i = 1; i < cells->nr; i++) {
		double value;
		int ret;

		if (!read_number(cells->texts[i], &value))
			continue; /* a change in per cent, a word */
		ret = deliver_cell(in, head->labels[i], cells->texts[0], value, line, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static int pipes_probe(struct import_reader *in)
{
	struct head head;

	return strchr(import_peek(in, 0)->text, '|') && read_head(in, &head) ? PROBE_TABLE : 0;
}

static int pipes_read(struct import_reader *in, struct err *err)
{
	const struct import_line *line;
	struct cells cells;
	struct head head;
	int ret = 0;

	if (!read_head(in, &head))
		return 0;
	for (size_t i = 0; i < head.nr_lines; i++)
		import_next(in);
	while (ret == 0 && (line = import_peek(in, 0)) && !line->is_partial) {
		bool is_line = is_rule(import_body(line));
		unsigned nr = line->nr;

		if (!is_line && (!split(import_body(line), head.has_bars, &cells) ||
				 cells.nr != head.nr_columns))
			break;
		import_next(in);
		if (!is_line)
			ret = read_row(in, &head, &cells, nr, err);
	}
	return ret;
}

const struct importer_ops importer_pipes = {
	.name = "table",
	.summary = "small tables with | between the columns: a row for each metric",
	.probe = pipes_probe,
	.read = pipes_read,
};
