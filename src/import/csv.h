/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_CSV_H
#define REGIO_IMPORT_CSV_H

/* Fields of a line that are separated by commas, semicolons or blanks. */

#include <stdbool.h>
#include <stddef.h>

/* More are no samples. */
#define CSV_MAX_FIELDS 1000

struct csv_field {
	const char *text; /* without quotes and blanks around it; not terminated */
	size_t len;
};

enum csv_kind {
	CSV_EMPTY, /* "", "-", "NA", "nan" */
	CSV_NUMBER,
	CSV_TEXT,
	CSV_OUT_OF_RANGE,
};

/* What separates the fields of a line: ',', ';' or ' '. */
char csv_separator(const char *line);

/* The field at *text, which is moved past it; NULL behind the last one. */
bool csv_next(const char **text, char separator, struct csv_field *ret_field);

enum csv_kind csv_kind(const struct csv_field *field, double *ret_value);

/* Number of fields of each kind. */
struct csv_count {
	size_t nr, nr_numbers, nr_texts;
};
struct csv_count csv_count(const char *line, char separator);

#endif
