/* SPDX-License-Identifier: GPL-2.0-or-later */
/* trial_log: prints what a bisection did as text, and reads it back. */
#include "candidate/trial_log.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "base/units.h"

#define LOG_HEAD "regio bisect log, version 1"
#define LOG_MAX_EVENTS 1000000
#define VALUE_MIN_DIGITS 6
#define VALUE_MAX_DIGITS 17

static const char *const event_names[] = {
	[EVENT_WARMUP] = "warmup",
	[EVENT_RUN] = "run",
	[EVENT_FAILED] = "failed",
	[EVENT_UNTESTABLE] = "untestable",
};

#define NR_EVENT_NAMES (sizeof(event_names) / sizeof(*event_names))

const char *trial_event_name(enum trial_event_kind kind)
{
	return event_names[kind];
}

int trial_event_kind_by_name(const char *name)
{
	for (size_t i = 0; i < NR_EVENT_NAMES; i++) {
		if (!strcmp(event_names[i], name))
			return (int)i;
	}
	return -1;
}

void trial_log_add(struct trial_log *log, const struct trial_event *event)
{
	struct trial_event copy = *event;

	copy.text = event->text ? xstrdup(event->text) : NULL;
	vec_push(&log->events, copy);
}

const char *trial_log_option(const struct trial_log *log, const char *key)
{
	VEC_FOREACH (&log->options, option) {
		if (!strcmp(option->key, key))
			return option->value;
	}
	return NULL;
}

void trial_log_release(struct trial_log *log)
{
	VEC_FOREACH (&log->events, event)
		free(event->text);
	vec_release(&log->events);
	VEC_FOREACH (&log->entered, entered)
		trial_log_free(*entered);
	vec_release(&log->entered);
	candidate_list_release(&log->candidates);
	candidate_facts_release(&log->options);
	free(log->entry.why);
}

void trial_log_free(struct trial_log *log)
{
	trial_log_release(log);
	free(log);
}

void trial_log_enter(struct trial_log *log, struct trial_log *entered)
{
	vec_push(&log->entered, entered);
}

/* ---- printing ---- */

static bool needs_quotes(const char *word)
{
	if (!*word)
		return true;
	for (; *word; word++) {
		if ((unsigned char)*word <= ' ' || strchr("\"\\#", *word))
			return true;
	}
	return false;
}

static void print_word(const char *word, struct strbuf *out)
{
	strbuf_add_char(out, ' ');
	if (!needs_quotes(word)) {
		strbuf_add_str(out, word);
		return;
	}
	strbuf_add_char(out, '"');
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			strbuf_add_char(out, '\\');
		if (*word == '\n')
			strbuf_add_str(out, "\\n");
		else
			strbuf_add_char(out, *word);
	}
	strbuf_add_char(out, '"');
}

/* The rest of a line: what would end it becomes a blank. */
static void print_rest(const char *text, struct strbuf *out)
{
	strbuf_add_char(out, ' ');
	while (*text && (unsigned char)*text <= ' ')
		text++;
	for (; *text; text++)
		strbuf_add_char(out, (unsigned char)*text < ' ' ? ' ' : *text);
}

/* With as few digits as bring the same number back. */
static void print_value(double value, struct strbuf *out)
{
	char text[UNITS_TEXT_LEN];
	int digits = VALUE_MIN_DIGITS;

	do {
		(void)snprintf(text, sizeof(text), "%.*g", digits, value);
	} while (digits++ < VALUE_MAX_DIGITS && strtod(text, NULL) != value);
	strbuf_printf(out, " %s", text);
}

static void print_comment(const struct trial_event *event, struct strbuf *out)
{
	if (!event->text && !event->elapsed_ms)
		return;
	strbuf_add_str(out, " #");
	if (event->elapsed_ms)
		strbuf_printf(out, " %.1f s", (double)event->elapsed_ms / 1e3);
	if (event->text)
		print_rest(event->text, out);
}

static void print_event(const struct trial_event *event, struct strbuf *out)
{
	strbuf_printf(out, "%s %zu", event_names[event->kind], event->position);
	if (event->kind == EVENT_FAILED || event->kind == EVENT_UNTESTABLE) {
		print_rest(event->text ? event->text : "", out);
	} else {
		print_value(event->value, out);
		print_comment(event, out);
	}
	strbuf_add_char(out, '\n');
}

static void print_entry(const struct trial_entry *entry, struct strbuf *out)
{
	strbuf_printf(out, "enter %zu %zu %u", entry->line, entry->position, entry->parent);
	if (entry->why)
		print_rest(entry->why, out);
	strbuf_add_char(out, '\n');
}

void trial_log_print(const struct trial_log *log, struct strbuf *out)
{
	size_t position = 0;

	if (log->entry.parent)
		print_entry(&log->entry, out);
	else
		strbuf_add_str(out, LOG_HEAD "\n");
	VEC_FOREACH (&log->options, option) {
		strbuf_add_str(out, "set");
		print_word(option->key, out);
		print_rest(option->value, out);
		strbuf_add_char(out, '\n');
	}
	VEC_FOREACH (&log->candidates, candidate) {
		strbuf_printf(out, "candidate %zu", position++);
		print_word(candidate->id, out);
		print_word(candidate->name, out);
		print_rest(candidate->text, out);
		strbuf_add_char(out, '\n');
	}
	VEC_FOREACH (&log->events, event)
		print_event(event, out);
	VEC_FOREACH (&log->entered, entered)
		trial_log_print(*entered, out);
}

/* ---- reading ---- */

struct log_reader {
	const char *name; /* of the file */
	unsigned line;
	char *at; /* rest of the line */
	struct trial_log *whole;
	struct trial_log *log; /* the whole, or what was entered last */
	struct err *err;
};

static int refuse(const struct log_reader *reader, const char *what, const char *text)
{
	return err_set(reader->err, ERR_INPUT, "%s:%u: %s '%.80s'", reader->name, reader->line,
		       what, text);
}

/* The next word of the line, without its quotes; "" at its end. In place. */
static char *take_word(struct log_reader *reader)
{
	char *from = reader->at + strspn(reader->at, " \t");
	char *word = from;
	char *to = from;
	bool is_quoted = *from == '"';

	from += is_quoted;
	while (*from && (is_quoted ? *from != '"' : *from != ' ' && *from != '\t')) {
		if (is_quoted && from[0] == '\\' && from[1]) {
			from++;
			*to++ = *from == 'n' ? '\n' : *from;
			from++;
		} else {
			*to++ = *from++;
		}
	}
	reader->at = *from ? from + 1 : from;
	*to = '\0';
	return word;
}

static char *take_rest(struct log_reader *reader)
{
	return reader->at + strspn(reader->at, " \t");
}

static int take_position(struct log_reader *reader, size_t limit, size_t *ret_position)
{
	const char *word = take_word(reader);
	uint64_t value;

	if (units_parse_u64(word, &value, NULL) < 0 || value >= limit)
		return refuse(reader, "there is no position", word);
	*ret_position = (size_t)value;
	return 0;
}

static int read_set(struct log_reader *reader)
{
	const char *key = take_word(reader);

	if (!*key)
		return refuse(reader, "nothing is", "set");
	if (trial_log_option(reader->whole, key))
		return refuse(reader, "set twice:", key);
	candidate_facts_add(&reader->whole->options, key, take_rest(reader));
	return 0;
}

static int read_candidate(struct log_reader *reader)
{
	struct candidate_list *list = &reader->log->candidates;
	size_t position = 0;
	const char *id, *name;
	int ret = take_position(reader, CANDIDATE_MAX, &position);

	if (ret < 0)
		return ret;
	id = take_word(reader);
	name = take_word(reader);
	if (position != list->nr)
		return refuse(reader, "not in order: candidate", id);
	if (!*id || !*name)
		return refuse(reader, "no name of candidate", id);
	if (reader->log->entry.why)
		return refuse(reader, "nothing was entered, and here is candidate", id);
	candidate_list_add(list, id, name, take_rest(reader));
	return 0;
}

static int read_event(struct log_reader *reader, enum trial_event_kind kind)
{
	struct trial_event event = { .kind = kind };
	int ret = take_position(reader, reader->log->candidates.nr, &event.position);
	const char *word;

	if (ret < 0)
		return ret;
	if (reader->log->events.nr >= LOG_MAX_EVENTS)
		return refuse(reader, "too many runs, the next is", event_names[kind]);
	if (kind == EVENT_FAILED || kind == EVENT_UNTESTABLE) {
		event.text = take_rest(reader);
		trial_log_add(reader->log, &event);
		return 0;
	}
	word = take_word(reader);
	if (units_parse_double(word, &event.value, NULL) < 0)
		return refuse(reader, "not a number:", word);
	word = take_rest(reader);
	if (*word && *word != '#')
		return refuse(reader, "not a comment:", word);
	trial_log_add(reader->log, &event);
	return 0;
}

/* NULL if nothing of it could be printed. */
static char *take_reason(struct log_reader *reader)
{
	const char *text = take_rest(reader);

	while (*text && (unsigned char)*text <= ' ')
		text++;
	return *text ? xstrdup(text) : NULL;
}

static int take_parent(struct log_reader *reader, unsigned *ret_parent)
{
	const char *word = take_word(reader);
	uint64_t value;

	if (units_parse_u64(word, &value, NULL) < 0 || value < 2 || value > TRIAL_LOG_MAX_PARENT)
		return refuse(reader, "not the number of a merged parent:", word);
	*ret_parent = (unsigned)value;
	return 0;
}

static int check_entered(const struct log_reader *reader)
{
	const struct trial_log *log = reader->log;

	if (log->candidates.nr >= 2 || log->entry.why)
		return 0;
	if (log == reader->whole)
		return err_set(reader->err, ERR_INPUT, "%s: no log of a bisection: %zu candidates",
			       reader->name, log->candidates.nr);
	return err_set(reader->err, ERR_INPUT, "%s: number %zu that was entered has %zu candidates",
		       reader->name, reader->whole->entered.nr, log->candidates.nr);
}

static int read_entry(struct log_reader *reader)
{
	const struct trial_log *line;
	struct trial_entry entry = { .line = 0 };
	struct trial_log *entered;
	int ret = check_entered(reader);

	if (ret < 0)
		return ret;
	if (reader->whole->entered.nr >= TRIAL_LOG_MAX_ENTERED)
		return refuse(reader, "too many are entered, the next is", reader->at);
	ret = take_position(reader, reader->whole->entered.nr + 1, &entry.line);
	if (ret < 0)
		return ret;
	line = entry.line ? reader->whole->entered.items[entry.line - 1] : reader->whole;
	ret = take_position(reader, line->candidates.nr, &entry.position);
	if (ret == 0)
		ret = take_parent(reader, &entry.parent);
	if (ret < 0)
		return ret;
	entry.why = take_reason(reader);
	entered = xcalloc(1, sizeof(*entered));
	entered->entry = entry;
	trial_log_enter(reader->whole, entered);
	reader->log = entered;
	return 0;
}

static int read_line(struct log_reader *reader)
{
	const char *word = take_word(reader);
	int kind = trial_event_kind_by_name(word);

	if (!*word || *word == '#')
		return 0;
	if (!strcmp(word, "set"))
		return read_set(reader);
	if (!strcmp(word, "candidate"))
		return read_candidate(reader);
	if (!strcmp(word, "enter"))
		return read_entry(reader);
	if (kind < 0)
		return refuse(reader, "not understood:", word);
	return read_event(reader, (enum trial_event_kind)kind);
}

static int read_lines(struct log_reader *reader, char *text)
{
	bool has_head = false;
	char *line;
	int ret = 0;

	while (ret == 0 && (line = strsep(&text, "\n")) != NULL) {
		size_t len = strlen(line);

		reader->line++;
		if (len && line[len - 1] == '\r') /* it came by mail */
			line[len - 1] = '\0';
		reader->at = line;
		if (!has_head && *line && *line != '#') {
			has_head = true;
			if (strcmp(line, LOG_HEAD) != 0)
				ret = refuse(reader, "no log of a bisection: it begins with", line);
		} else {
			ret = read_line(reader);
		}
	}
	return ret < 0 ? ret : check_entered(reader);
}

int trial_log_parse(const char *name, const char *text, size_t len, struct trial_log *ret_log,
		    struct err *err)
{
	CLEANUP(trial_log) struct trial_log log = { .options = VEC_INIT };
	CLEANUP(free) char *copy = xstrndup(text, len); /* up to a NUL */
	struct log_reader reader = { .name = name, .whole = &log, .log = &log, .err = err };
	int ret = read_lines(&reader, copy);

	if (ret < 0)
		return ret;
	*ret_log = log;
	log = (struct trial_log){ .options = VEC_INIT }; /* moved */
	return 0;
}
