/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_LABEL_H
#define REGIO_ANALYSIS_LABEL_H

/* What the names that people give their measurements say about them. */

#include <stdbool.h>
#include <stddef.h>

enum label_reason {
	LABEL_FIRST,   /* nothing tells: the first one */
	LABEL_WORD,    /* its name says so: "before", "reverted" */
	LABEL_VERSION, /* the oldest kernel */
	LABEL_RELEASE, /* a release among commits */
};

#define LABEL_WORD_LEN 32

struct label_base {
	size_t index;
	enum label_reason reason;
	char word[LABEL_WORD_LEN]; /* of LABEL_WORD and the versions */
};

/* Which of nr > 0 samples of one text the others are to be compared with. */
struct label_base label_choose_base(const char *const *labels, size_t nr);

/* "its heading says 'revert'"; "" for LABEL_FIRST. */
#define LABEL_REASON_LEN 96
void label_reason_text(const struct label_base *base, char ret_text[LABEL_REASON_LEN]);

/*
 * How many parts of two labels differ that are built alike, "3.10/mq" and "4.2/smq": 2. 0 where
 * they are not.
 */
size_t label_nr_changes(const char *base, const char *new);

#endif
