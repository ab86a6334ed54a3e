/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_rows: which lines are rows of LKP's table, and what is left of broken ones. */
#include "import/lkp_rows.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "import/importer.h"
#include "import/lkp_head.h"
#include "import/lkp_row.h"
#include "model/note.h"

/* So many numbers in a row that cannot be read tell it from a sentence. */
#define MIN_NUMBERS 3
/* A line of at least this length may have been broken in the middle of a name. */
#define MIN_BROKEN_LEN 70
#define MAX_NAME_LEN 1024
/* Of damage in one table; the first ones tell enough. */
#define MAX_NOTES 8

struct rows {
	struct import_reader *in;
	struct lkp_table *table;
	struct note_list *notes;
	size_t nr_notes;
	struct lkp_row_reader row;
	unsigned row_line; /* on which it began */
	bool is_last_cut;  /* the text ends in the line at hand */
	size_t last_len;   /* of the line before */
};

static void begin_row(struct rows *rows)
{
	lkp_row_begin(&rows->row, rows->table->nr_columns);
}

static void note_damage(struct rows *rows, unsigned line, const char *what)
{
	if (rows->nr_notes++ < MAX_NOTES)
		note_add(rows->notes, NOTE_INPUT_INCOMPLETE,
			 "line %u: a row of the table %s, it was left out", line, what);
}

static void add_row(struct rows *rows)
{
	const struct lkp_row_reader *read = &rows->row;
	CLEANUP(free) char *name = xstrndup(read->name, read->name_len);
	struct lkp_row *row;

	if (read->is_out_of_range || read->name_len > MAX_NAME_LEN) {
		note_add(rows->notes, NOTE_NUMBER_REFUSED,
			 "line %u: a number of %.60s is out of range, the row was left out",
			 rows->row_line, name);
		return;
	}
	row = lkp_table_add_row(rows->table, name);
	row->line = rows->row_line;
	row->is_failure = read->is_failure;
	memcpy(row->cells, read->cells, rows->table->nr_columns * sizeof(*row->cells));
}

static size_t count_numbers(const char *text)
{
	struct lkp_word word;
	size_t nr = 0;

	while (lkp_next_word(&text, &word))
		nr += word.kind == LKP_WORD_NUMBER || word.kind == LKP_WORD_FAILS;
	return nr;
}

enum outcome { NOT_A_ROW, TAKEN };

/* The row ended in the line, or a word of it could not be taken. */
static enum outcome end_row(struct rows *rows, const char *rest, bool is_first_of_line)
{
	bool is_cut = rows->is_last_cut && !rest[strspn(rest, " ")];
	enum lkp_row_state state = rows->row.state;

	if (state == LKP_ROW_DONE && !is_cut) {
		add_row(rows);
	} else if (state == LKP_ROW_DONE) {
		note_damage(rows, rows->row_line, "is cut off");
	} else {
		if (is_first_of_line && count_numbers(rest) < MIN_NUMBERS)
			return NOT_A_ROW;
		note_damage(rows, rows->row_line, "is damaged");
	}
	return TAKEN;
}

/* Words of the lines above the rows, in a text that was filled anew. */
static bool is_of_head(const struct lkp_word *word)
{
	static const char *const words[] = { "%stddev",	      "%change", "fail:runs",
					     "%reproduction", "\\",	 "|" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i]) == word->len && !memcmp(words[i], word->text, word->len))
			return true;
	}
	return false;
}

/* One line, or words that stood behind the head. */
static enum outcome take_text(struct rows *rows, const char *text, unsigned nr)
{
	const char *at = text;
	struct lkp_word word;

	while (lkp_next_word(&at, &word)) {
		bool is_continued = rows->row.state != LKP_ROW_EMPTY && rows->row_line != nr;
		enum outcome outcome;

		if (rows->row.state == LKP_ROW_EMPTY && is_of_head(&word))
			continue;
		if (rows->row.state == LKP_ROW_EMPTY)
			rows->row_line = nr;
		switch (lkp_row_take(&rows->row, &word)) {
		case LKP_ROW_DONE:
			(void)end_row(rows, at, false);
			begin_row(rows);
			break;
		case LKP_ROW_REFUSED:
			outcome = end_row(rows, text, !is_continued);
			begin_row(rows);
			if (!is_continued)
				return outcome;
			at = text; /* perhaps a row of its own */
			break;
		default:
			break;
		}
	}
	return TAKEN;
}

static bool is_whole_row(const char *text, size_t nr_columns)
{
	struct lkp_row_reader row;
	struct lkp_word word;

	lkp_row_begin(&row, nr_columns);
	while (row.state < LKP_ROW_DONE && lkp_next_word(&text, &word))
		(void)lkp_row_take(&row, &word);
	return row.state == LKP_ROW_DONE;
}

/* "_slowpath.down_read": the rest of a name whose line was broken in the middle of it. */
static bool is_rest_of_name(const struct rows *rows, const struct import_line *line)
{
	const char *text = line->text;

	return rows->row.state == LKP_ROW_EMPTY && rows->table->nr_rows &&
	       rows->last_len >= MIN_BROKEN_LEN && line->indent == 0 && !strchr(text, ' ') &&
	       strpbrk(text, "._") && strspn(text, "0123456789+-") == 0;
}

static void append_name(struct rows *rows, const char *text)
{
	struct lkp_row *row = &rows->table->rows[rows->table->nr_rows - 1];
	char *name = xasprintf("%s%s", row->name, text);

	if (strlen(name) > MAX_NAME_LEN) {
		free(name);
		return;
	}
	free(row->name);
	row->name = name;
}

/* A blank line ends the table, unless there is one behind every line. */
static bool goes_on_after_blank(const struct rows *rows)
{
	const struct import_line *next = import_peek(rows->in, 1);

	if (!next || rows->row.state != LKP_ROW_EMPTY)
		return false;
	return lkp_is_arrows_line(import_body(next)) ||
	       (rows->table->nr_rows && lkp_is_columns_line(import_body(next))) ||
	       is_whole_row(import_body(next), rows->table->nr_columns);
}

static bool take_line(struct rows *rows, const struct import_line *line)
{
	const char *body = import_body(line);

	if (line->is_partial)
		return false;
	if (!*body)
		return goes_on_after_blank(rows);
	if (is_rest_of_name(rows, line)) {
		append_name(rows, body);
		return true;
	}
	rows->is_last_cut = line->is_cut;
	if (take_text(rows, body, line->nr) == TAKEN)
		return true;
	/* "1.9", the rest is gone */
	if (line->is_cut && isdigit((unsigned char)*body))
		note_damage(rows, line->nr, "is cut off");
	return false;
}

void lkp_rows_read(struct import_reader *in, const char *text, unsigned nr, struct lkp_table *table,
		   struct note_list *notes)
{
	struct rows rows = { .in = in, .table = table, .notes = notes };
	const struct import_line *line;

	begin_row(&rows);
	(void)take_text(&rows, text, nr);
	while ((line = import_peek(in, 0)) && take_line(&rows, line)) {
		rows.last_len = line->len;
		import_next(in);
	}
	if (rows.row.state != LKP_ROW_EMPTY)
		note_damage(&rows, rows.row_line, "is cut off");
}
