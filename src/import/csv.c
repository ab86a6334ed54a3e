/* SPDX-License-Identifier: GPL-2.0-or-later */
/* csv: fields of a line. */
#include "import/csv.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"

#define MAX_NUMBER_LEN 64

char csv_separator(const char *line)
{
	bool is_quoted = false;
	char found = ' ';

	for (; *line; line++) {
		is_quoted ^= *line == '"';
		if (!is_quoted && *line == ',')
			return ',';
		if (!is_quoted && *line == ';')
			found = ';';
	}
	return found;
}

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " ");
}

/* The end of the field: a quoted one may hold separators. */
static size_t field_len(const char *text, char separator)
{
	const char *quote = *text == '"' ? strchr(text + 1, '"') : NULL;
	size_t quoted = quote ? (size_t)(quote + 1 - text) : 0;

	return quoted + strcspn(text + quoted, (char[]){ separator, '\0' });
}

bool csv_next(const char **text, char separator, struct csv_field *ret_field)
{
	const char *start = *text ? skip_blanks(*text) : NULL;
	size_t len;

	if (!start || (separator == ' ' && !*start))
		return false;
	len = field_len(start, separator);
	*text = start[len] ? start + len + 1 : NULL;
	while (len && start[len - 1] == ' ')
		len--;
	if (len >= 2 && *start == '"' && start[len - 1] == '"') {
		start++;
		len -= 2;
	}
	*ret_field = (struct csv_field){ .text = start, .len = len };
	return true;
}

static bool is_nothing(const struct csv_field *field)
{
	static const char *const words[] = { "-", "NA", "n/a", "nan", "null" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) == field->len &&
		    !strncasecmp(words[i], field->text, field->len))
			return true;
	}
	return field->len == 0;
}

enum csv_kind csv_kind(const struct csv_field *field, double *ret_value)
{
	char text[MAX_NUMBER_LEN + 1];
	int ret;

	if (is_nothing(field))
		return CSV_EMPTY;
	if (field->len > MAX_NUMBER_LEN)
		return CSV_TEXT;
	memcpy(text, field->text, field->len);
	text[field->len] = '\0';
	ret = units_parse_double(text, ret_value, NULL);
	if (ret == -ERANGE)
		return CSV_OUT_OF_RANGE;
	return ret < 0 ? CSV_TEXT : CSV_NUMBER;
}

struct csv_count csv_count(const char *line, char separator)
{
	struct csv_count count = { .nr = 0 };
	struct csv_field field;
	double value;

	while (csv_next(&line, separator, &field)) {
		enum csv_kind kind = csv_kind(&field, &value);

		count.nr++;
		count.nr_numbers += kind == CSV_NUMBER || kind == CSV_OUT_OF_RANGE;
		count.nr_texts += kind == CSV_TEXT;
	}
	return count;
}
