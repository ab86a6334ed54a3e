/* SPDX-License-Identifier: GPL-2.0-or-later */
/* value_lines: "name value unit", the output of scripts that are written for regio. */
#include "import/value_lines.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/units.h"
#include "model/given.h"

#define MAX_WORDS 3
#define MAX_WORD_LEN 128 /* longer ones are no name */
#define MAX_LINES 10000	 /* given_set looks at all that is there */

static const struct unit_row {
	const char *unit;
	const char *ending; /* of the metric's name */
	double factor;
} units[] = {
	{ "ns", "_ns", 1 },
	{ "us", "_ns", 1e3 },
	{ "usec", "_ns", 1e3 },
	{ "ms", "_ns", 1e6 },
	{ "msec", "_ns", 1e6 },
	{ "s", "_ns", 1e9 },
	{ "sec", "_ns", 1e9 },
	{ "seconds", "_ns", 1e9 },
	{ "B", "_bytes", 1 },
	{ "bytes", "_bytes", 1 },
	{ "kB", "_bytes", 1e3 },
	{ "KiB", "_bytes", 1024 },
	{ "MB", "_bytes", 1e6 },
	{ "MiB", "_bytes", 1048576 },
	{ "GB", "_bytes", 1e9 },
	{ "GiB", "_bytes", 1073741824 },
	{ "B/s", "_bytes_per_sec", 1 },
	{ "kB/s", "_bytes_per_sec", 1e3 },
	{ "KiB/s", "_bytes_per_sec", 1024 },
	{ "MB/s", "_bytes_per_sec", 1e6 },
	{ "MiB/s", "_bytes_per_sec", 1048576 },
	{ "GB/s", "_bytes_per_sec", 1e9 },
	{ "GiB/s", "_bytes_per_sec", 1073741824 },
	{ "1/s", "_per_sec", 1 },
	{ "/s", "_per_sec", 1 },
	{ "op/s", "_per_sec", 1 },
	{ "ops/s", "_per_sec", 1 },
	{ "IOPS", "_per_sec", 1 },
	{ "%", "_percent", 1 },
};

static const struct unit_row *unit_find(const char *unit)
{
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (!strcmp(units[i].unit, unit))
			return &units[i];
	}
	return NULL;
}

static bool is_name(const char *word)
{
	if (!isalpha((unsigned char)*word))
		return false;
	for (; *word; word++) {
		if (!isalnum((unsigned char)*word) && !strchr("_.:/%-", *word))
			return false;
	}
	return true;
}

static bool ends_with(const char *text, const char *ending)
{
	size_t len = strlen(text), ending_len = strlen(ending);

	return len >= ending_len && !strcmp(text + len - ending_len, ending);
}

/* The words of a line of len bytes; more than MAX_WORDS or a long one: 0. */
static size_t split(const char *line, size_t len, char words[MAX_WORDS][MAX_WORD_LEN])
{
	size_t nr = 0;

	for (size_t at = 0; at < len;) {
		size_t start;

		while (at < len && isspace((unsigned char)line[at]))
			at++;
		start = at;
		while (at < len && !isspace((unsigned char)line[at]))
			at++;
		if (at == start)
			break;
		if (nr == MAX_WORDS || at - start >= MAX_WORD_LEN)
			return 0;
		memcpy(words[nr], line + start, at - start);
		words[nr++][at - start] = '\0';
	}
	return nr;
}

/* "ops: 3" */
static void drop_colon(char *name, size_t nr_words)
{
	size_t len = nr_words ? strlen(name) : 0;

	if (len && name[len - 1] == ':')
		name[len - 1] = '\0';
}

static bool take_line(const char *line, size_t len, unsigned line_nr, struct given_list *into)
{
	char words[MAX_WORDS][MAX_WORD_LEN];
	size_t nr = split(line, len, words);
	const struct unit_row *unit = nr == 3 ? unit_find(words[2]) : NULL;
	CLEANUP(free) char *name = NULL;
	double value;

	drop_colon(words[0], nr);
	if (nr < 2 || !is_name(words[0]) || units_parse_double(words[1], &value, NULL) != 0)
		return false;
	value = unit ? value * unit->factor : value;
	if (!isfinite(value))
		return false;
	name = xasprintf("%s%s", words[0],
			 unit && !ends_with(words[0], unit->ending) ? unit->ending : "");
	(void)given_set(into, name, value, line_nr);
	return true;
}

size_t value_lines_read(const char *text, struct given_list *into)
{
	size_t nr_taken = 0;

	for (unsigned line_nr = 1; *text && nr_taken < MAX_LINES; line_nr++) {
		size_t len = strcspn(text, "\n");

		nr_taken += take_line(text, len, line_nr, into);
		text += len + (text[len] == '\n');
	}
	return nr_taken;
}
