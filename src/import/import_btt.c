/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_btt: where requests spent their time, as btt prints it of a block trace. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/units.h"
#include "import/import_table.h"
#include "import/importer.h"
#include "model/result.h"

#define PROBE_CERTAIN 95
#define MAX_WORD_LEN 40
#define MAX_SECONDS 1e7 /* of a trace; more is a wrapped counter */
#define MAX_BLANK 1	/* lines inside a part */
#define MAX_STAGES 8

/* The rows of a part: "Q2C  min  avg  max  n". */
static const char *const stages[] = {
	"Q2Q", "Q2G", "G2I", "Q2M", "I2D", "M2D", "D2C", "Q2C", "S2G"
};

static bool take_word(const char **text, char word[MAX_WORD_LEN + 1])
{
	size_t len;

	*text += strspn(*text, " |");
	len = strcspn(*text, " |");
	if (!len || len > MAX_WORD_LEN)
		return false;
	memcpy(word, *text, len);
	word[len] = '\0';
	*text += len;
	return true;
}

static bool is_stage(const char *word)
{
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
		if (!strcmp(word, stages[i]))
			return true;
	}
	return false;
}

/* "==================== All Devices ====================" */
static bool is_part(const char *body, const char *name)
{
	size_t rule = strspn(body, "=");

	return rule >= 10 && body[rule] == ' ' && !strncmp(body + rule + 1, name, strlen(name));
}

static int btt_probe(struct import_reader *in)
{
	const char *body = import_body(import_peek(in, 0));

	if (*body != '=')
		return 0;
	return is_part(body, "All Devices") || is_part(body, "Device Overhead") ? PROBE_CERTAIN : 0;
}

struct reading {
	struct import_reader *in;
	struct result result;
	char columns[MAX_STAGES][MAX_WORD_LEN + 1]; /* of the overhead */
	size_t nr_columns;
};

static void add_time(struct reading *reading, const char *stage, const char *what, double seconds,
		     unsigned line)
{
	CLEANUP(free) char *name = xasprintf("btt.%s_ns.%s", stage, what);

	if (seconds >= 0.0 && seconds < MAX_SECONDS)
		(void)given_set(&reading->result.given, name, seconds * NS_PER_S, line);
	else
		note_add(&reading->result.notes, NOTE_NUMBER_REFUSED,
			 "line %u: %s = %g s cannot be true", line, name, seconds);
}

/* False if the line is no row. */
static bool take_stage(struct reading *reading, const char *text, const struct import_line *line)
{
	char stage[MAX_WORD_LEN + 1], word[MAX_WORD_LEN + 1];
	CLEANUP(free) char *count = NULL;
	double values[4];

	if (!take_word(&text, stage) || !is_stage(stage))
		return false;
	for (size_t i = 0; i < 4; i++) {
		if (!take_word(&text, word) || units_parse_double(word, &values[i], NULL) != 0 ||
		    (i == 3 && line->is_cut)) {
			note_add(&reading->result.notes, NOTE_INPUT_INCOMPLETE,
				 "line %u: the row of %s is damaged, it was left out", line->nr,
				 stage);
			return true;
		}
	}
	add_time(reading, stage, "min", values[0], line->nr);
	add_time(reading, stage, "mean", values[1], line->nr);
	add_time(reading, stage, "max", values[2], line->nr);
	count = xasprintf("btt.%s.count", stage);
	(void)given_set(&reading->result.given, count, values[3], line->nr);
	return true;
}

/* "DEV |  Q2G  G2I .." */
static bool take_columns(struct reading *reading, const char *text)
{
	char word[MAX_WORD_LEN + 1];

	if (!take_word(&text, word) || strcmp(word, "DEV") != 0)
		return false;
	reading->nr_columns = 0;
	while (reading->nr_columns < MAX_STAGES &&
	       take_word(&text, reading->columns[reading->nr_columns]))
		reading->nr_columns++;
	return true;
}

/* "| (  8, 16) | 0.6186%  16.3239% .. |", with or without the bar at its beginning. */
static bool take_overhead(struct reading *reading, const char *text, unsigned line)
{
	const char *open = strchr(text, '(');
	char word[MAX_WORD_LEN + 1];
	char *after;
	unsigned long major, minor;

	if (!open || !reading->nr_columns)
		return false;
	major = strtoul(open + 1, &after, 10);
	if (*after != ',')
		return false;
	minor = strtoul(after + 1, &after, 10);
	if (*after != ')')
		return false;
	text = after + 1;
	for (size_t i = 0; i < reading->nr_columns && take_word(&text, word); i++) {
		CLEANUP(free)
		char *name = xasprintf("btt.%lu:%lu.%s_percent", major, minor, reading->columns[i]);
		size_t len = strlen(word);
		double percent;

		if (word[len - 1] != '%')
			break;
		word[len - 1] = '\0';
		if (units_parse_double(word, &percent, NULL) == 0)
			(void)given_set(&reading->result.given, name, percent, line);
	}
	return true;
}

/* Heads and rules between the rows. */
static bool is_decoration(const char *body)
{
	return strspn(body, "-| ") == strlen(body) || !strncmp(body, "ALL ", 4) ||
	       is_part(body, "Device Overhead");
}

static bool take_line(struct reading *reading, const struct import_line *line)
{
	const char *body = import_body(line);

	if (line->is_partial)
		return false;
	if (!*body) {
		const struct import_line *next = import_peek(reading->in, 1);
		char word[MAX_WORD_LEN + 1];
		const char *text = next ? import_body(next) : "";

		return is_decoration(text) || *text == '|' ||
		       (take_word(&text, word) && (is_stage(word) || !strcmp(word, "DEV")));
	}
	return take_stage(reading, body, line) || take_columns(reading, body) ||
	       take_overhead(reading, body, line->nr) || is_decoration(body);
}

static int btt_read(struct import_reader *in, struct err *err)
{
	struct reading reading = { .in = in };
	const struct import_line *line;
	int ret;

	reading.result.tool = xstrdup("btt");
	import_next(in); /* the name of the first part */
	while ((line = import_peek(in, 0)) && take_line(&reading, line))
		import_next(in);
	ret = reading.result.given.nr || reading.result.notes.nr
		      ? import_deliver(in, &reading.result, err)
		      : 0;
	result_release(&reading.result);
	return ret;
}

const struct importer_ops importer_btt = {
	.name = "btt",
	.summary = "btt's times of all devices and overhead of each",
	.probe = btt_probe,
	.read = btt_read,
};
