/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_LKP_ROW_H
#define REGIO_IMPORT_LKP_ROW_H

/*
 * One row of LKP's comparison table, word by word: mailers break rows and put them together, but
 * the order of the words tells what each of them is.
 *
 *	114.62 ± 19%      -1.9%     112.49 ± 17%  stress-ng.aiol.ops_per_sec
 *	        2:6            67%           4:4     dmesg.BUG
 */

#include <stdbool.h>
#include <stddef.h>

#include "model/lkp_table.h"

#define LKP_MAX_COLUMNS 16 /* of a table; one is 27 characters wide */

enum lkp_word_kind {
	LKP_WORD_OTHER,
	LKP_WORD_NUMBER,       /* "187.64", "-0.6%": number, has_sign, has_percent */
	LKP_WORD_PLUS_MINUS,   /* what became of the sign before a spread */
	LKP_WORD_FAILS,	       /* "2:6", ":6": nr_fails, nr_runs */
	LKP_WORD_ABSENT,       /* "-" */
	LKP_WORD_NAME,	       /* "fio.read_iops" */
	LKP_WORD_OUT_OF_RANGE, /* a number that is none */
};

struct lkp_word {
	const char *text; /* not terminated */
	size_t len;
	enum lkp_word_kind kind;
	double number;
	bool has_sign, has_percent;
	uint64_t nr_fails, nr_runs;
};

/* The first word at *text, which is moved past it; false at the end. */
bool lkp_next_word(const char **text, struct lkp_word *ret_word);

enum lkp_row_state {
	LKP_ROW_EMPTY,	 /* no word yet */
	LKP_ROW_BEGUN,	 /* more words are to come */
	LKP_ROW_DONE,	 /* the name was the last one */
	LKP_ROW_REFUSED, /* the word does not belong there */
};

enum lkp_wanted {
	LKP_WANT_VALUE,
	LKP_WANT_PLUS_MINUS, /* or what comes next */
	LKP_WANT_SPREAD,
	LKP_WANT_NEXT, /* a change, or the name after the last column */
};

struct lkp_row_reader {
	size_t nr_columns; /* 1..LKP_MAX_COLUMNS */
	enum lkp_row_state state;
	enum lkp_wanted wanted;
	size_t column; /* of the next value */
	bool is_failure;
	bool is_out_of_range; /* a number is: the row is not to be used */
	struct lkp_cell cells[LKP_MAX_COLUMNS];
	const char *name; /* when it is done; not terminated */
	size_t name_len;
};

void lkp_row_begin(struct lkp_row_reader *row, size_t nr_columns);
enum lkp_row_state lkp_row_take(struct lkp_row_reader *row, const struct lkp_word *word);

#endif
