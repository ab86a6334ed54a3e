/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_LKP_HEAD_H
#define REGIO_IMPORT_LKP_HEAD_H

/*
 * What stands above the rows of LKP's comparison table: common axes, the list of kernels with
 * their subjects, titles of the columns, and the line that counts the columns. All but the last
 * may be missing.
 */

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

struct import_reader;
struct lkp_table;

/* A line "%stddev  %change .." or "fail:runs .." above the rows, or the rest of one. */
bool lkp_is_columns_line(const char *body);
/* The line of little arrows below it. */
bool lkp_is_arrows_line(const char *body);

/* Number of lines of the head that begins at the current one; 0 = none does. */
size_t lkp_head_len(struct import_reader *in);

/* Words behind the head in its last line, where a mailer has filled the lines anew. */
struct lkp_head_rest {
	struct strbuf text;
	unsigned line;
};

/*
 * Consumes the head. The table gets its columns and axes; columns without a title are "column 1"
 * and so on. False if there are no columns.
 */
bool lkp_head_read(struct import_reader *in, struct lkp_table *table, struct lkp_head_rest *rest);

#endif
