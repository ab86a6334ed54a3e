/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_row: the words of one row of LKP's comparison table. */
#include "import/lkp_row.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/units.h"

#define PLUS_MINUS "\xc2\xb1"
#define MAX_NUMBER_LEN 40
/* More runs than anybody makes, more failures than a log holds. */
#define MAX_COUNT 1000000000000ULL

/* What is found where the plus-minus sign was, besides what charset.c repairs. */
static const char *const plus_minus_forms[] = { PLUS_MINUS, "=C2=B1", "=B1", "+/-", "+-", "?" };

static bool starts_with(const char *text, size_t len, const char *start)
{
	size_t start_len = strlen(start);

	return len >= start_len && memcmp(text, start, start_len) == 0;
}

static size_t plus_minus_len(const char *text, size_t len)
{
	if (!strchr("\xc2=+?", *text))
		return 0; /* most words */
	for (size_t i = 0; i < sizeof(plus_minus_forms) / sizeof(plus_minus_forms[0]); i++) {
		if (starts_with(text, len, plus_minus_forms[i]))
			return strlen(plus_minus_forms[i]);
	}
	return 0;
}

/* The number before, or the sign at its beginning, is a word of its own. */
static size_t word_len(const char *text)
{
	size_t len = strcspn(text, " ");
	size_t sign = len ? plus_minus_len(text, len) : 0;
	const char *inside;

	if (sign && (sign == len || isdigit((unsigned char)text[sign])))
		return sign;
	if (!len || isalpha((unsigned char)text[0]))
		return len;
	inside = memchr(text + 1, PLUS_MINUS[0], len - 1);
	if (inside && starts_with(inside, len - (size_t)(inside - text), PLUS_MINUS))
		return (size_t)(inside - text);
	return len;
}

static bool take_digits(const char **text, const char *end, uint64_t *ret_value)
{
	uint64_t value = 0;

	for (; *text < end && isdigit((unsigned char)**text); (*text)++) {
		value = 10 * value + (uint64_t)(**text - '0');
		if (value > MAX_COUNT)
			return false;
	}
	*ret_value = value;
	return true;
}

/* "2:6" */
static bool read_fails(struct lkp_word *word)
{
	const char *at = word->text, *end = word->text + word->len;

	if (!take_digits(&at, end, &word->nr_fails) || at == end || *at != ':' || ++at == end ||
	    !take_digits(&at, end, &word->nr_runs) || at != end)
		return false;
	word->kind = LKP_WORD_FAILS;
	return true;
}

static bool read_number(struct lkp_word *word)
{
	char text[MAX_NUMBER_LEN + 1];
	size_t len = word->len;
	int ret;

	word->has_sign = word->text[0] == '+' || word->text[0] == '-';
	word->has_percent = len > 1 && word->text[len - 1] == '%';
	len -= word->has_percent;
	if (len > MAX_NUMBER_LEN || !isdigit((unsigned char)word->text[word->has_sign]))
		return false;
	memcpy(text, word->text, len);
	text[len] = '\0';
	ret = units_parse_double(text, &word->number, NULL);
	if (ret == -EINVAL)
		return false;
	word->kind = ret < 0 ? LKP_WORD_OUT_OF_RANGE : LKP_WORD_NUMBER;
	return true;
}

static bool is_name(const struct lkp_word *word)
{
	bool has_letter = false;

	for (size_t i = 0; i < word->len; i++)
		has_letter |= isalpha((unsigned char)word->text[i]) != 0;
	return has_letter;
}

bool lkp_next_word(const char **text, struct lkp_word *ret_word)
{
	const char *start = *text + strspn(*text, " ");
	struct lkp_word word = { .text = start, .len = word_len(start) };

	if (!word.len)
		return false;
	*text = start + word.len;
	if (word.len == 1 && *start == '-')
		word.kind = LKP_WORD_ABSENT;
	else if (plus_minus_len(start, word.len) == word.len)
		word.kind = LKP_WORD_PLUS_MINUS;
	else if (!read_fails(&word) && !read_number(&word) && is_name(&word))
		word.kind = LKP_WORD_NAME;
	*ret_word = word;
	return true;
}

/* ---- rows ---- */

void lkp_row_begin(struct lkp_row_reader *row, size_t nr_columns)
{
	*row = (struct lkp_row_reader){ .nr_columns = nr_columns };
	for (size_t i = 0; i < nr_columns; i++)
		row->cells[i] = (struct lkp_cell){ .spread_percent = NAN, .change = NAN };
}

static bool is_numeric(const struct lkp_word *word)
{
	return word->kind == LKP_WORD_NUMBER || word->kind == LKP_WORD_OUT_OF_RANGE;
}

static bool take_fails(struct lkp_row_reader *row, const struct lkp_word *word)
{
	struct lkp_cell *cell = &row->cells[row->column++];

	cell->is_present = true;
	cell->nr_fails = word->nr_fails;
	cell->nr_runs = word->nr_runs;
	row->wanted = LKP_WANT_NEXT;
	return word->kind == LKP_WORD_FAILS;
}

static bool take_value(struct lkp_row_reader *row, const struct lkp_word *word)
{
	struct lkp_cell *cell;

	if (row->state == LKP_ROW_EMPTY)
		row->is_failure = word->kind == LKP_WORD_FAILS;
	if (row->is_failure)
		return take_fails(row, word);
	cell = &row->cells[row->column++];
	cell->is_present = word->kind != LKP_WORD_ABSENT;
	cell->mean = word->number;
	row->wanted = LKP_WANT_PLUS_MINUS;
	return word->kind == LKP_WORD_ABSENT || (is_numeric(word) && !word->has_percent);
}

static bool take_spread(struct lkp_row_reader *row, const struct lkp_word *word)
{
	row->wanted = LKP_WANT_NEXT;
	row->cells[row->column - 1].spread_percent = word->number;
	return is_numeric(word) && word->has_percent && !word->has_sign;
}

static bool take_change(struct lkp_row_reader *row, const struct lkp_word *word)
{
	row->wanted = LKP_WANT_VALUE;
	if (word->kind == LKP_WORD_ABSENT)
		return true;
	row->cells[row->column].change = word->number;
	if (!is_numeric(word))
		return false;
	/* A rate of failures has a sign only when it is negative. */
	return row->is_failure ? word->has_percent : word->has_sign;
}

static bool take_name(struct lkp_row_reader *row, const struct lkp_word *word)
{
	row->name = word->text;
	row->name_len = word->len;
	return word->kind == LKP_WORD_NAME;
}

static bool take(struct lkp_row_reader *row, const struct lkp_word *word)
{
	if (row->wanted == LKP_WANT_PLUS_MINUS) {
		row->wanted = LKP_WANT_NEXT;
		if (word->kind == LKP_WORD_PLUS_MINUS) {
			row->wanted = LKP_WANT_SPREAD;
			return true;
		}
	}
	if (row->wanted == LKP_WANT_VALUE)
		return take_value(row, word);
	if (row->wanted == LKP_WANT_SPREAD)
		return take_spread(row, word);
	return row->column < row->nr_columns ? take_change(row, word) : take_name(row, word);
}

enum lkp_row_state lkp_row_take(struct lkp_row_reader *row, const struct lkp_word *word)
{
	bool is_taken = take(row, word);

	row->is_out_of_range |= word->kind == LKP_WORD_OUT_OF_RANGE;
	if (!is_taken)
		row->state = LKP_ROW_REFUSED;
	else
		row->state = row->name ? LKP_ROW_DONE : LKP_ROW_BEGUN;
	return row->state;
}
