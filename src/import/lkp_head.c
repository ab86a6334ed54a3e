/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_head: the lines above the rows of LKP's comparison table. */
#include "import/lkp_head.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "import/importer.h"
#include "import/lkp_row.h"
#include "model/lkp_table.h"

#define MAX_HEAD_LINES (IMPORT_LOOKAHEAD - 2)
#define MIN_RULE_LEN 20 /* "=====" and "-----" below are something else */
#define MIN_DASHES_LEN 10
#define MAX_TITLE_LINES 2 /* above the dashes */

/* A word of the head, and where it stands. */
struct head_word {
	char *text;
	bool is_line_start, is_paragraph_start;
};

struct head_words VEC_BODY(struct head_word);

static bool consists_of(const char *text, char c, size_t min_len)
{
	size_t len = strspn(text, (char[]){ c, '\0' });

	return len >= min_len && !text[len];
}

static bool is_dashes(const char *word)
{
	return consists_of(word, '-', MIN_DASHES_LEN);
}

/* "---------------- ---------------------------" */
static bool is_dashes_line(const char *body)
{
	return strspn(body, "-") >= MIN_DASHES_LEN && strspn(body, "- ") == strlen(body) &&
	       strchr(body, ' ');
}

static bool is_columns_word(const char *word)
{
	return !strcmp(word, "%stddev") || !strcmp(word, "fail:runs");
}

static bool is_between_columns(const char *word)
{
	return !strcmp(word, "%change") || !strcmp(word, "%reproduction");
}

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

bool lkp_is_columns_line(const char *body)
{
	return starts_with(body, "%stddev") || starts_with(body, "%change") ||
	       starts_with(body, "fail:runs") || starts_with(body, "%reproduction");
}

bool lkp_is_arrows_line(const char *body)
{
	return *body && strspn(body, "\\| ") == strlen(body);
}

static bool is_rule(const char *body)
{
	return strspn(body, "=") >= MIN_RULE_LEN;
}

/* "disk/fs/testcase:", perhaps behind the rule. */
static bool has_key(const char *body)
{
	const char *colon = strchr(body, ':');

	return colon && (colon[1] == '\0' || colon[1] == ' ') && !strstr(body, "  ");
}

/* The nth line after the current one that is not blank. */
static const char *body_after(struct import_reader *in, size_t n)
{
	for (size_t i = 1; i < MAX_HEAD_LINES; i++) {
		const struct import_line *line = import_peek(in, i);

		if (!line)
			return "";
		if (*import_body(line) && --n == 0)
			return import_body(line);
	}
	return "";
}

static bool begins_with_titles(struct import_reader *in)
{
	for (size_t i = 1; i <= MAX_TITLE_LINES; i++) {
		if (is_dashes_line(body_after(in, i)))
			return true;
	}
	return false;
}

static bool begins(struct import_reader *in)
{
	const struct import_line *line = import_peek(in, 0);
	const char *body = import_body(line);

	if (line->is_partial)
		return false;
	if (lkp_is_columns_line(body) || !strcmp(body, "commit:"))
		return true;
	if (!is_rule(body))
		return strchr(body, ' ') && begins_with_titles(in);
	return has_key(body) || has_key(body_after(in, 1));
}

/* They may be counted in the middle of a line, if a mailer has filled it. */
static bool counts_columns(const char *body)
{
	const char *dashes = strstr(body, "-------");

	return starts_with(body, "%stddev") || starts_with(body, "fail:runs") ||
	       (dashes && (strstr(dashes, "%stddev") || strstr(dashes, "fail:runs")));
}

size_t lkp_head_len(struct import_reader *in)
{
	if (!begins(in))
		return 0;
	for (size_t i = 0; i < MAX_HEAD_LINES; i++) {
		const struct import_line *line = import_peek(in, i);

		if (!line || line->is_partial || (i && is_rule(import_body(line))))
			return 0;
		if (counts_columns(import_body(line)))
			return i + 1;
	}
	return 0;
}

/* ---- words ---- */

static void add_words(const char *body, bool is_paragraph_start, struct head_words *words)
{
	bool is_line_start = true;

	for (const char *at = body; *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");

		vec_push(words, (struct head_word){
					.text = xstrndup(at, len),
					.is_line_start = is_line_start,
					.is_paragraph_start = is_line_start && is_paragraph_start,
				});
		is_line_start = false;
		at += len;
	}
}

static void words_release(struct head_words *words)
{
	VEC_FOREACH (words, word)
		free(word->text);
	vec_release(words);
}

/* ---- the list of kernels ---- */

/* "a3396b9999 ("block: add a rq_list type")": the words of the subject, joined again. */
static size_t take_subject(const struct head_words *words, size_t first, size_t end,
			   struct strbuf *subject)
{
	size_t i = first;

	if (i >= end || strncmp(words->items[i].text, "(\"", 2) != 0)
		return first;
	for (; i < end; i++) {
		const char *text = words->items[i].text;
		size_t len = strlen(text);
		bool is_last = len >= 2 && !strcmp(text + len - 2, "\")");

		text += i == first ? 2 : 0;
		len -= (i == first ? 2 : 0) + (is_last ? 2 : 0);
		strbuf_printf(subject, "%s%.*s", i == first ? "" : " ", (int)len, text);
		if (is_last)
			return i + 1;
	}
	strbuf_reset(subject);
	return first;
}

struct kernel {
	const char *name; /* borrowed from the words */
	struct strbuf subject;
};

struct kernels VEC_BODY(struct kernel);

static void take_kernels(const struct head_words *words, size_t first, size_t end,
			 struct kernels *kernels)
{
	for (size_t i = first; i < end;) {
		struct kernel kernel = { .name = words->items[i].text };

		i = take_subject(words, i + 1, end, &kernel.subject);
		vec_push(kernels, kernel);
	}
}

static void kernels_release(struct kernels *kernels)
{
	VEC_FOREACH (kernels, kernel)
		strbuf_release(&kernel->subject);
	vec_release(kernels);
}

/* ---- the whole ---- */

struct head {
	struct head_words words;
	struct kernels kernels;
	size_t first_title, nr_titles;
	size_t nr_columns;
};

static bool is_key(const struct head_words *words, size_t i)
{
	const char *text = words->items[i].text;
	size_t len = strlen(text);
	bool is_after_rule = i && consists_of(words->items[i - 1].text, '=', MIN_RULE_LEN);

	return len > 1 && text[len - 1] == ':' && (words->items[i].is_line_start || is_after_rule);
}

/* First word after i that begins a paragraph, or the titles' dashes. */
static size_t paragraph_end(const struct head_words *words, size_t i)
{
	for (i++; i < words->nr; i++) {
		if (words->items[i].is_paragraph_start || is_dashes(words->items[i].text))
			break;
	}
	return i;
}

static bool has_key_after(const struct head_words *words, size_t i)
{
	for (; i < words->nr; i++) {
		if (words->items[i].is_paragraph_start && is_key(words, i))
			return true;
	}
	return false;
}

static char *join_words(const struct head_words *words, size_t first, size_t end)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = first; i < end; i++)
		strbuf_printf(&text, "%s%s", i == first ? "" : " ", words->items[i].text);
	return strbuf_take(&text);
}

/* What all columns share comes first, under its names; then what differs, as a list. */
static size_t take_key(struct head *head, size_t i, struct lkp_table *table)
{
	const char *text = head->words.items[i].text;
	size_t end = paragraph_end(&head->words, i);
	size_t len = strlen(text) - 1;
	bool is_list = end > i + 2 && (!strchr(text, '/') || !has_key_after(&head->words, end));

	if (end == i + 1)
		return end;
	if (!table->axes && !is_list) {
		table->axes = xstrndup(text, len);
		table->axes_values = join_words(&head->words, i + 1, end);
		return end;
	}
	if (!table->compared) {
		table->compared = xstrndup(text, len);
		take_kernels(&head->words, i + 1, end, &head->kernels);
	}
	return end;
}

static size_t take_dashes(struct head *head, size_t i)
{
	size_t nr = 1;

	while (i + nr < head->words.nr && is_dashes(head->words.items[i + nr].text))
		nr++;
	if (i >= nr) {
		head->first_title = i - nr;
		head->nr_titles = nr;
	}
	return i + nr;
}

static size_t take_columns(struct head *head, size_t i)
{
	for (; i < head->words.nr; i++) {
		const char *text = head->words.items[i].text;

		if (is_columns_word(text))
			head->nr_columns++;
		else if (!is_between_columns(text) && !lkp_is_arrows_line(text))
			break;
	}
	return i;
}

/* Returns the first word behind the head. */
static size_t parse(struct head *head, struct lkp_table *table)
{
	const struct head_words *words = &head->words;
	size_t i = 0;

	while (i < words->nr) {
		const char *text = words->items[i].text;

		if (is_columns_word(text))
			return take_columns(head, i);
		if (is_dashes(text))
			i = take_dashes(head, i);
		else if (is_key(words, i))
			i = take_key(head, i, table);
		else
			i++;
	}
	return i;
}

static void add_column(const struct head *head, size_t i, struct lkp_table *table)
{
	bool has_kernels = head->kernels.nr == head->nr_columns;
	const struct kernel *kernel = has_kernels ? &head->kernels.items[i] : NULL;
	CLEANUP(free) char *number = xasprintf("column %zu", i + 1);
	const char *title = kernel ? kernel->name : number;
	const char *subject = kernel && kernel->subject.len ? strbuf_str(&kernel->subject) : NULL;

	if (head->nr_titles == head->nr_columns)
		title = head->words.items[head->first_title + i].text;
	lkp_table_add_column(table, title, kernel ? kernel->name : NULL, subject);
}

/* Whether there is a blank line behind every line; filled paragraphs are not meant. */
static bool is_double_spaced(struct import_reader *in, size_t nr_lines)
{
	bool was_blank = true;

	if (!nr_lines || !lkp_is_columns_line(import_body(import_peek(in, nr_lines - 1))))
		return false;
	for (size_t i = 0; i < nr_lines; i++) {
		bool is_blank = !*import_body(import_peek(in, i));

		if (!is_blank && !was_blank)
			return false;
		was_blank = is_blank;
	}
	return true;
}

/* Returns the number of the last one. */
static unsigned take_lines(struct import_reader *in, size_t nr, struct head_words *words)
{
	const struct import_line *line;
	unsigned last = 0;
	size_t nr_between = is_double_spaced(in, nr) ? 1 : 0;
	size_t nr_blank = nr_between + 1;

	while ((line = import_peek(in, 0)) && (nr || lkp_is_columns_line(import_body(line)))) {
		add_words(import_body(line), nr_blank > nr_between, words);
		nr_blank = *import_body(line) ? 0 : nr_blank + 1;
		last = line->nr;
		import_next(in);
		nr -= nr > 0;
	}
	return last;
}

bool lkp_head_read(struct import_reader *in, struct lkp_table *table, struct lkp_head_rest *rest)
{
	struct head head = { .nr_columns = 0 };
	size_t after;

	rest->line = take_lines(in, lkp_head_len(in), &head.words);
	after = parse(&head, table);
	if (head.nr_columns > LKP_MAX_COLUMNS)
		head.nr_columns = 0;
	for (size_t i = 0; i < head.nr_columns; i++)
		add_column(&head, i, table);
	for (size_t i = after; i < head.words.nr; i++)
		strbuf_printf(&rest->text, "%s ", head.words.items[i].text);
	kernels_release(&head.kernels);
	words_release(&head.words);
	return head.nr_columns > 0;
}
