/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_iostat: iostat's reports of devices and CPUs; their mean is the result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/name_index.h"
#include "base/units.h"
#include "base/vec.h"
#include "import/import_table.h"
#include "import/importer.h"
#include "model/result.h"

#define PROBE_CERTAIN 90
#define MAX_WORD_LEN 80
#define MAX_COLUMNS 64
#define MAX_VALUE 1e15 /* more is a counter that went backwards */
#define KIB_PER_MIB 1024.0
#define MAX_REFUSED 4 /* notes */

/* The mean of one column of one device. */
struct mean {
	char *name;
	double sum;
	size_t nr;
	unsigned line; /* of the first value */
};

struct reading {
	struct import_reader *in;
	struct result result;
	VEC(struct mean) means;
	struct name_index index;
	char columns[MAX_COLUMNS][MAX_WORD_LEN + 1];
	size_t nr_columns;
	bool is_cpu;	   /* the columns are those of avg-cpu */
	bool is_head_open; /* a mailer may have broken the line of the columns */
	size_t nr_reports;
	unsigned nr_refused;
	/* The row at hand. */
	char device[MAX_WORD_LEN + 1];
	size_t nr_values;
};

static bool take_word(const char **text, char word[MAX_WORD_LEN + 1])
{
	size_t len;

	*text += strspn(*text, " ");
	len = strcspn(*text, " ");
	if (!len || len > MAX_WORD_LEN)
		return false;
	memcpy(word, *text, len);
	word[len] = '\0';
	*text += len;
	return true;
}

static bool is_cpu_head(const char *body)
{
	return !strncmp(body, "avg-cpu:", 8) && strstr(body, "%user");
}

static bool is_device_head(const char *body)
{
	return (!strncmp(body, "Device ", 7) || !strncmp(body, "Device: ", 8)) &&
	       (strstr(body, "r/s") || strstr(body, "tps"));
}

/* "Linux 6.1.0-18-amd64 (host) \t03/24/15 \t_x86_64_\t(8 CPU)" */
static bool is_banner(const char *body)
{
	return !strncmp(body, "Linux ", 6) && strstr(body, " CPU)");
}

static int iostat_probe(struct import_reader *in)
{
	const struct import_line *line = import_peek(in, 0);
	const char *body = import_body(line);

	if (line->is_partial)
		return 0;
	return is_cpu_head(body) || is_device_head(body) || is_banner(body) ? PROBE_CERTAIN : 0;
}

/* ---- values ---- */

/* As LKP names them; rates of amounts are in KiB/s. */
static char *metric_name(const struct reading *reading, size_t column, double *ret_factor)
{
	const char *text = reading->columns[column];
	const char *plain = text[0] == '%' ? text + 1 : text;

	*ret_factor = 1.0;
	if (reading->is_cpu)
		return xasprintf("iostat.cpu.%s", plain);
	if (!strcmp(text, "%util"))
		return xasprintf("iostat.%s.util", reading->device);
	if (strlen(text) == 5 && !strcmp(text + 1, "MB/s")) {
		*ret_factor = KIB_PER_MIB;
		return xasprintf("iostat.%s.%ckB/s", reading->device, text[0]);
	}
	return xasprintf("iostat.%s.%s", reading->device, text);
}

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* Means over the requests of the interval: 0 where there were none. */
static bool is_of_requests(const char *column)
{
	return ends_with(column, "await") || ends_with(column, "rq-sz") ||
	       ends_with(column, "areq-sz") || !strcmp(column, "svctm");
}

static void add_value(struct reading *reading, double value, unsigned line)
{
	double factor;
	char *name = metric_name(reading, reading->nr_values, &factor);
	size_t nr = reading->means.nr;
	size_t *place = name_index_place(&reading->index, name, nr);

	if (*place == nr) {
		vec_push(&reading->means, (struct mean){ .name = name, .line = line });
		name = NULL; /* the index borrows it */
	}
	free(name);
	if (!(value >= 0.0 && value < MAX_VALUE)) {
		if (reading->nr_refused++ < MAX_REFUSED)
			note_add(&reading->result.notes, NOTE_NUMBER_REFUSED,
				 "line %u: %s = %g cannot be true", line,
				 reading->means.items[*place].name, value);
		return;
	}
	if (value == 0.0 && is_of_requests(reading->columns[reading->nr_values]))
		return;
	reading->means.items[*place].sum += value * factor;
	reading->means.items[*place].nr++;
}

/*
 * The first report is of the time since boot: when a second one comes, what was read so far is
 * dropped.
 */
static void begin_report(struct reading *reading)
{
	if (++reading->nr_reports != 2)
		return;
	VEC_FOREACH (&reading->means, mean) {
		mean->sum = 0.0;
		mean->nr = 0;
	}
}

/* ---- lines ---- */

static void add_columns(struct reading *reading, const char *text)
{
	while (reading->nr_columns < MAX_COLUMNS &&
	       take_word(&text, reading->columns[reading->nr_columns]))
		reading->nr_columns++;
}

static void begin_columns(struct reading *reading, const char *body, bool is_cpu)
{
	char word[MAX_WORD_LEN + 1];

	(void)take_word(&body, word);
	reading->nr_columns = 0;
	reading->nr_values = 0;
	reading->is_cpu = is_cpu;
	reading->is_head_open = true;
	reading->device[0] = '\0';
	add_columns(reading, body);
}

static bool is_number(const char *word)
{
	double value;

	return units_parse_double(word, &value, NULL) == 0;
}

/* Words that are columns: none is a number, and what follows a device's name is one. */
static bool is_rest_of_head(const char *body)
{
	char word[MAX_WORD_LEN + 1];

	while (take_word(&body, word)) {
		if (is_number(word))
			return false;
	}
	return true;
}

static bool take_values(struct reading *reading, const char *body, unsigned line)
{
	char word[MAX_WORD_LEN + 1];

	while (take_word(&body, word)) {
		double value;

		if (reading->nr_values >= reading->nr_columns ||
		    units_parse_double(word, &value, NULL) != 0)
			return false;
		add_value(reading, value, line);
		reading->nr_values++;
	}
	return true;
}

static bool take_row(struct reading *reading, const char *body, unsigned line)
{
	const char *rest = body;
	char word[MAX_WORD_LEN + 1];
	bool is_whole = reading->nr_values == reading->nr_columns;

	if (!take_word(&rest, word))
		return false;
	if (is_number(word)) /* of the CPUs, or the rest of a broken line */
		return (reading->is_cpu || reading->device[0]) && !is_whole &&
		       take_values(reading, body, line);
	if (reading->is_cpu || (reading->device[0] && !is_whole))
		return false;
	if (!take_word(&(const char *){ rest }, (char[MAX_WORD_LEN + 1]){ 0 }))
		return false;
	memcpy(reading->device, word, sizeof(word));
	reading->nr_values = 0;
	return take_values(reading, rest, line);
}

/* "02/25/2015 05:48:52 PM" between two reports. */
static bool is_time(const char *body)
{
	return strspn(body, "0123456789/:-. APMT+Z") == strlen(body) && strchr(body, ':');
}

static bool take_line(struct reading *reading, const struct import_line *line)
{
	const char *body = import_body(line);
	bool is_head_open = reading->is_head_open;

	if (line->is_partial)
		return false;
	reading->is_head_open = false;
	if (!*body || is_time(body))
		return true;
	if (is_banner(body))
		return reading->nr_reports == 0;
	if (is_cpu_head(body)) {
		begin_report(reading);
		begin_columns(reading, body, true);
		return true;
	}
	if (is_device_head(body)) {
		if (!reading->is_cpu) /* iostat -d */
			begin_report(reading);
		begin_columns(reading, body, false);
		return true;
	}
	if (is_head_open && is_rest_of_head(body)) {
		add_columns(reading, body);
		reading->is_head_open = true;
		return true;
	}
	return reading->nr_columns && take_row(reading, body, line->nr);
}

static int deliver(struct reading *reading, struct err *err)
{
	VEC_FOREACH (&reading->means, mean) {
		if (mean->nr)
			(void)given_append(&reading->result.given, mean->name,
					   mean->sum / (double)mean->nr, mean->line);
	}
	if (!reading->result.given.nr)
		return 0;
	if (reading->nr_reports == 1)
		note_add(&reading->result.notes, NOTE_INPUT_AMBIGUOUS,
			 "there is one report of iostat only, which is of the time since boot");
	reading->result.tool = xstrdup("iostat");
	return import_deliver(reading->in, &reading->result, err);
}

static int iostat_read(struct import_reader *in, struct err *err)
{
	CLEANUP(free) struct reading *reading = xcalloc(1, sizeof(*reading));
	const struct import_line *line;
	int ret;

	reading->in = in;
	while ((line = import_peek(in, 0)) && take_line(reading, line))
		import_next(in);
	ret = deliver(reading, err);
	VEC_FOREACH (&reading->means, mean)
		free(mean->name);
	vec_release(&reading->means);
	name_index_release(&reading->index);
	result_release(&reading->result);
	return ret;
}

const struct importer_ops importer_iostat = {
	.name = "iostat",
	.summary = "iostat's reports of devices and CPUs",
	.probe = iostat_probe,
	.read = iostat_read,
};
