/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_table: memory of a comparison table, and which names are failures. */
#include "model/lkp_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/pattern.h"

static const char *const failure_patterns[] = {
	"dmesg.*",	"kmsg.*",   "last_state.*", "stderr.*", "lkp-bug.*",
	"?*killed_by*", "?*.error", "?*.warn",	    "?*.fail",	"?*.pass",
};

/* Function names and times may end like a failure. */
static const char *const no_failure_patterns[] = {
	"perf-*",
	"*.time.*",
	"*.timestamp:*",
	"*.bootstage:*",
};

bool lkp_is_failure(const char *metric_name)
{
	return PATTERN_ANY(metric_name, failure_patterns) &&
	       !PATTERN_ANY(metric_name, no_failure_patterns);
}

static bool is_commit(const char *title)
{
	size_t len = strlen(title);

	return len > LKP_COMMIT_LEN && strspn(title, "0123456789abcdef") == len;
}

void lkp_table_add_column(struct lkp_table *table, const char *title, const char *name,
			  const char *subject)
{
	size_t len = is_commit(title) ? LKP_COMMIT_LEN : strlen(title);

	table->columns =
		xreallocarray(table->columns, table->nr_columns + 1, sizeof(*table->columns));
	table->columns[table->nr_columns++] = (struct lkp_column){
		.title = xstrdup(title),
		.name = name ? xstrdup(name) : xstrndup(title, len),
		.subject = subject ? xstrdup(subject) : NULL,
	};
}

struct lkp_row *lkp_table_add_row(struct lkp_table *table, const char *name)
{
	struct lkp_row *row;

	/* The capacity is always the next power of two. */
	if (!(table->nr_rows & (table->nr_rows - 1)))
		table->rows = xreallocarray(table->rows, table->nr_rows ? 2 * table->nr_rows : 1,
					    sizeof(*table->rows));
	row = &table->rows[table->nr_rows++];
	*row = (struct lkp_row){
		.name = xstrdup(name),
		.is_failure = lkp_is_failure(name),
		.cells = xcalloc(table->nr_columns, sizeof(*row->cells)),
	};
	for (size_t i = 0; i < table->nr_columns; i++)
		row->cells[i] = (struct lkp_cell){ .spread_percent = NAN, .change = NAN };
	return row;
}

void lkp_table_release(struct lkp_table *table)
{
	for (size_t i = 0; i < table->nr_columns; i++) {
		free(table->columns[i].title);
		free(table->columns[i].name);
		free(table->columns[i].subject);
	}
	for (size_t i = 0; i < table->nr_rows; i++) {
		free(table->rows[i].name);
		free(table->rows[i].cells);
	}
	free(table->columns);
	free(table->rows);
	free(table->axes);
	free(table->axes_values);
	free(table->compared);
	*table = (struct lkp_table){ .axes = NULL };
}

static size_t nr_parts(const char *text)
{
	size_t nr = 1;

	for (; *text; text++)
		nr += *text == '/';
	return nr;
}

bool lkp_table_axis(const struct lkp_table *table, const char *axis, char **ret_value)
{
	const char *name = table->axes;
	const char *value = table->axes_values;

	/* A value may contain a slash: then nobody knows where it ends. */
	if (!name || !value || nr_parts(name) != nr_parts(value))
		return false;
	for (;;) {
		size_t name_len = strcspn(name, "/");
		size_t value_len = strcspn(value, "/");

		if (strlen(axis) == name_len && strncmp(name, axis, name_len) == 0) {
			*ret_value = xstrndup(value, value_len);
			return true;
		}
		if (!name[name_len])
			return false;
		name += name_len + 1;
		value += value_len + 1;
	}
}
