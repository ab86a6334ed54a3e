/* SPDX-License-Identifier: GPL-2.0-or-later */
/* args_usage: the help text and the name list that follow from an option table. */
#include "base/args.h"

#include <stdio.h>
#include <string.h>

#define USAGE_MAX_COLUMN 30 /* longer options put their help on the next line */

static const char *row_value_name(const struct arg_row *row)
{
	static const char *const names[] = {
		[ARG_BOOL] = "",	 [ARG_STRING] = "TEXT",	  [ARG_STRING_LIST] = "TEXT",
		[ARG_UNSIGNED] = "N",	 [ARG_U64] = "N",	  [ARG_SIZE] = "SIZE",
		[ARG_DURATION] = "TIME", [ARG_DOUBLE] = "NUMBER", [ARG_SHARE] = "PERCENT",
	};

	return row->value_name ? row->value_name : names[row->type];
}

/* "  -s, --size SIZE"; returns its length. */
static size_t row_print_option(const struct arg_row *row, char *buf, size_t len)
{
	const char *value_name = row->type == ARG_BOOL ? "" : row_value_name(row);
	char short_text[8] = "    ";
	int printed;

	if (row->short_name)
		(void)snprintf(short_text, sizeof(short_text), "-%c, ", row->short_name);
	printed = snprintf(buf, len, "  %s--%s%s%s", short_text, row->name,
			   value_name[0] ? " " : "", value_name);
	return printed < 0 ? 0 : (size_t)printed;
}

void args_print_usage(const struct args_spec *spec, FILE *file)
{
	char text[160];
	size_t column = 8; /* all names too long: help is indented by this */

	for (size_t i = 0; i < spec->nr_rows; i++) {
		size_t width = row_print_option(&spec->rows[i], text, sizeof(text)) + 2;

		if (spec->rows[i].help && width > column && width <= USAGE_MAX_COLUMN)
			column = width;
	}
	(void)fprintf(file, "usage: %s%s%s%s\n\n%s\n", spec->command,
		      spec->nr_rows ? " [options]" : "", spec->operands ? " " : "",
		      spec->operands ? spec->operands : "", spec->summary);
	if (spec->nr_rows)
		(void)fprintf(file, "\noptions:\n");
	for (size_t i = 0; i < spec->nr_rows; i++) {
		const struct arg_row *row = &spec->rows[i];

		if (!row->help)
			continue;
		if (row_print_option(row, text, sizeof(text)) + 2 > column)
			(void)fprintf(file, "%s\n%*s%s\n", text, (int)column, "", row->help);
		else
			(void)fprintf(file, "%-*s%s\n", (int)column, text, row->help);
	}
}

void args_print_names(const struct args_spec *spec, FILE *file)
{
	for (size_t i = 0; i < spec->nr_rows; i++) {
		if (spec->rows[i].help)
			(void)fprintf(file, "--%s\n", spec->rows[i].name);
	}
}
