/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stress_log: the metrics in stress-ng's log, and what it says of failures. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/units.h"
#include "import/importer.h"
#include "import/stress_ng.h"

#define PREFIX "stress-ng: "
/* How far a line may have been broken: into this many. */
#define MAX_BROKEN 16
#define MAX_WORD_LEN 40
#define NR_BRIEF (STRESS_OPS_PER_CPU_SEC + 1) /* numbers of a row without --metrics' extras */
#define MAX_ERRNO 4095

/* "stress-ng: info:  [2759] text" */
struct log_line {
	const char *level; /* not terminated */
	size_t level_len;
	unsigned long pid;
	const char *text;
};

static bool parse_line(const char *body, struct log_line *ret_line)
{
	const char *bracket;
	const char *end;
	char *after;

	if (strncmp(body, PREFIX, strlen(PREFIX)) != 0)
		return false;
	bracket = strchr(body, '[');
	if (!bracket || !isdigit((unsigned char)bracket[1]))
		return false;
	ret_line->pid = strtoul(bracket + 1, &after, 10);
	if (*after != ']')
		return false;
	end = bracket;
	while (end > body && (end[-1] == ' ' || end[-1] == ':'))
		end--;
	ret_line->level = end;
	while (ret_line->level > body && isalpha((unsigned char)ret_line->level[-1]))
		ret_line->level--;
	ret_line->level_len = (size_t)(end - ret_line->level);
	ret_line->text = after + 1 + strspn(after + 1, " ");
	return true;
}

bool stress_log_begins(const struct import_line *line)
{
	struct log_line log;

	return parse_line(import_body(line), &log);
}

struct reading {
	struct stress_run run;
	unsigned long pid; /* of the program; instances have others */
	bool is_in_metrics;
	bool has_metrics;
	bool has_extras; /* CPU share and memory behind the rates */
	/* A line with what a mailer broke off from it. */
	struct strbuf text;
	unsigned line;
	bool is_failure;
	bool is_cut;
};

/* ---- rows ---- */

struct words {
	const char *name;
	size_t name_len;
	double numbers[STRESS_NR_COLUMNS];
	size_t nr_numbers;
	const char *rest; /* text behind the numbers, "" = none */
};

static bool take_number(const char **text, double *ret_value)
{
	char word[MAX_WORD_LEN + 1];
	size_t len = strcspn(*text, " ");

	if (!len || len > MAX_WORD_LEN)
		return false;
	memcpy(word, *text, len);
	word[len] = '\0';
	if (units_parse_double(word, ret_value, NULL) != 0)
		return false;
	*text += len + strspn(*text + len, " ");
	return true;
}

static void split(const char *text, struct words *words)
{
	*words = (struct words){ .name = text, .name_len = strcspn(text, " ") };
	text += words->name_len;
	text += strspn(text, " ");
	while (words->nr_numbers < STRESS_NR_COLUMNS &&
	       take_number(&text, &words->numbers[words->nr_numbers]))
		words->nr_numbers++;
	words->rest = text;
}

static size_t nr_expected(const struct reading *reading)
{
	return reading->has_extras ? STRESS_NR_COLUMNS : NR_BRIEF;
}

/* "async I/O events completed (total of 2 instances)" without the kind of sum. */
static char *name_of_other(const char *text)
{
	size_t len = strlen(text);
	const char *last = strrchr(text, '(');

	if (last && last > text && text[len - 1] == ')')
		len = (size_t)(last - text);
	while (len && text[len - 1] == ' ')
		len--;
	return xstrndup(text, len);
}

static void take_row(struct reading *reading)
{
	CLEANUP(free) char *stressor = NULL;
	struct words words;

	split(strbuf_str(&reading->text), &words);
	stressor = xstrndup(words.name, words.name_len);
	if (!words.nr_numbers)
		return; /* "miscellaneous metrics:" */
	if (reading->is_cut) {
		stress_note_damage(&reading->run, reading->line);
		return;
	}
	if (words.nr_numbers == 1 && *words.rest) {
		CLEANUP(free) char *name = name_of_other(words.rest);

		stress_add_other(&reading->run, stressor, name, words.numbers[0], reading->line);
		return;
	}
	if (words.nr_numbers < nr_expected(reading) || *words.rest) {
		stress_note_damage(&reading->run, reading->line);
		return;
	}
	stress_add_stressor(&reading->run, stressor);
	for (size_t i = 0; i < words.nr_numbers; i++)
		stress_add_column(&reading->run, stressor, (enum stress_column)i, words.numbers[i],
				  reading->line);
}

/* ---- lines ---- */

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

static bool is_metrics_head(const char *text)
{
	return starts_with(text, "stressor ") && strstr(text, "bogo ops");
}

static int errno_of(const char *text)
{
	const char *at = strstr(text, "errno=");
	long value = at ? strtol(at + strlen("errno="), NULL, 10) : 0;

	return value > 0 && value <= MAX_ERRNO ? (int)value : 1;
}

static void take_failure(struct reading *reading, const char *text)
{
	struct result *result = &reading->run.result;

	note_add(&result->notes, NOTE_JOB_ERROR, "line %u: stress-ng failed: %.200s", reading->line,
		 text);
	if (result->nr_jobs)
		return;
	*result_add_job(result) =
		(struct job_result){ .name = xstrdup("stress-ng"), .error = errno_of(text) };
}

/* "failed: 1: aiol (1)" at the end of newer logs; nothing behind 0. */
static void take_outcome(struct reading *reading, const char *text)
{
	const char *count = strchr(text, ':');

	if (!count || strtol(count + 1, NULL, 10) <= 0)
		return;
	if (starts_with(text, "failed:"))
		take_failure(reading, text);
	else
		note_add(&reading->run.result.notes, NOTE_INPUT_AMBIGUOUS,
			 "line %u: stress-ng says '%.200s'", reading->line, text);
}

static void take_hogs(struct reading *reading, const char *text)
{
	const char *list = text + strlen("dispatching hogs:");

	strbuf_reset(&reading->run.workload);
	strbuf_add_str(&reading->run.workload, list + strspn(list, " "));
	reading->run.has_hogs = true;
}

static void take_version(struct reading *reading, const char *text)
{
	const char *version = text + strlen("version ");

	free(reading->run.result.tool_version);
	reading->run.result.tool_version = xstrndup(version, strcspn(version, " ,("));
}

static void take_text(struct reading *reading)
{
	const char *text = strbuf_str(&reading->text);

	if (!reading->text.len)
		return;
	if (reading->is_failure)
		take_failure(reading, text);
	else if (is_metrics_head(text))
		reading->has_extras = strstr(text, "CPU used") != NULL;
	else if (starts_with(text, "failed:") || starts_with(text, "metrics untrustworthy:"))
		take_outcome(reading, text);
	else if (starts_with(text, "dispatching hogs:"))
		take_hogs(reading, text);
	else if (starts_with(text, "version "))
		take_version(reading, text);
	else if (starts_with(text, "for a ") || strstr(text, "run completed"))
		reading->is_in_metrics = false;
	else if (reading->is_in_metrics && *text != '(')
		take_row(reading);
	strbuf_reset(&reading->text);
}

static bool is_level(const struct log_line *log, const char *level)
{
	return log->level_len == strlen(level) && !strncmp(log->level, level, log->level_len);
}

/* False if the line begins another run. */
static bool take_line(struct reading *reading, const struct import_line *line,
		      const struct log_line *log)
{
	bool is_head = is_metrics_head(log->text);
	bool is_start = is_head || starts_with(log->text, "dispatching hogs:");

	if (is_start && reading->has_metrics && log->pid != reading->pid)
		return false;
	take_text(reading);
	if (is_start)
		reading->pid = log->pid;
	if (is_head)
		reading->is_in_metrics = reading->has_metrics = true;
	strbuf_add_str(&reading->text, log->text);
	reading->line = line->nr;
	reading->is_cut = line->is_cut;
	reading->is_failure = is_level(log, "fail") || is_level(log, "error");
	return true;
}

/* ---- lines that were broken ---- */

/* Whether the line at hand cannot be whole. */
static bool needs_more(const struct reading *reading)
{
	const char *text = strbuf_str(&reading->text);
	struct words words;

	if (!reading->is_in_metrics || !*text)
		return false;
	if (is_metrics_head(text))
		return !strstr(strstr(text, "bogo ops/s") ? strstr(text, "bogo ops/s") + 1 : "",
			       "bogo ops/s");
	split(text, &words);
	if (words.nr_numbers == 1)
		return !*words.rest || (strchr(words.rest, '(') && !strchr(words.rest, ')'));
	return words.nr_numbers && words.nr_numbers < nr_expected(reading) && !*words.rest;
}

/* Whether more of the log follows this line. */
static bool log_follows(struct import_reader *in)
{
	struct log_line log;

	for (size_t i = 1; i < MAX_BROKEN; i++) {
		const struct import_line *line = import_peek(in, i);

		if (!line || !*import_body(line))
			return false;
		if (parse_line(import_body(line), &log))
			return true;
	}
	return false;
}

/* Pages put a blank line behind every line. */
static bool log_goes_on(struct import_reader *in)
{
	const struct import_line *next = import_peek(in, 1);
	struct log_line log;

	return next && parse_line(import_body(next), &log);
}

static bool is_rest(const struct reading *reading, const struct import_line *line)
{
	if (line->is_partial)
		return false;
	if (!*import_body(line))
		return log_goes_on(reading->run.in);
	return needs_more(reading) || log_follows(reading->run.in);
}

static void add_rest(struct reading *reading, const struct import_line *line)
{
	if (!*import_body(line))
		return;
	strbuf_printf(&reading->text, " %s", import_body(line));
	reading->is_cut = line->is_cut;
}

int stress_read_log(struct import_reader *in, struct err *err)
{
	struct reading reading = { .run = { .in = in } };
	const struct import_line *line;
	struct log_line log;
	int ret;

	while ((line = import_peek(in, 0))) {
		if (parse_line(import_body(line), &log)) {
			if (!take_line(&reading, line, &log))
				break;
		} else if (is_rest(&reading, line)) {
			add_rest(&reading, line);
		} else {
			break;
		}
		import_next(in);
	}
	take_text(&reading);
	ret = stress_deliver(&reading.run, err);
	strbuf_release(&reading.text);
	stress_run_release(&reading.run);
	return ret;
}
