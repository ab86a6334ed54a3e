/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_LKP_TABLE_H
#define REGIO_MODEL_LKP_TABLE_H

/*
 * The comparison table of LKP (the 0-day robot): what one reads from a mail, and what one prints
 * in its form. A column is a kernel, the first one is the base of every change; a row is a metric.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"

struct lkp_column {
	char *title;   /* tag or commit, above the values; is cut to the width when printed */
	char *name;    /* in the list of the head: tag, or 10 digits of the commit */
	char *subject; /* of the commit; NULL = not known */
};

struct lkp_cell {
	bool is_present; /* false: the column has no such metric */
	/* Of a metric: */
	double mean;
	double spread_percent; /* population deviation; NAN = none, as of one run */
	double change;	       /* against the base, in per cent or points; NAN = none */
	/* Of a failure: in how many of the runs it was seen. */
	uint64_t nr_fails, nr_runs;
};

struct lkp_row {
	char *name;
	bool is_failure;
	unsigned line;		/* where it was read, 0 = computed */
	struct lkp_cell *cells; /* one for each column */
};

struct lkp_table {
	char *axes;	   /* "bs/disk/fs/..": what all columns have in common; NULL = not known */
	char *axes_values; /* "4k/1HDD/ext4/.." */
	char *compared;	   /* the axis of the columns, "commit"; NULL = not known */
	struct lkp_column *columns;
	size_t nr_columns;
	struct lkp_row *rows;
	size_t nr_rows;
};

#define LKP_TITLE_LEN_BASE 16
#define LKP_TITLE_LEN 27
#define LKP_COMMIT_LEN 10 /* digits of a commit in the list of the head */

/* The text is copied; name NULL = derived from the title. */
void lkp_table_add_column(struct lkp_table *table, const char *title, const char *name,
			  const char *subject);
/* All columns must be there. Cells are absent; valid until the next row is added. */
struct lkp_row *lkp_table_add_row(struct lkp_table *table, const char *name);

void lkp_table_release(struct lkp_table *table);
CLEANUP_DEFINE(lkp_table, struct lkp_table, lkp_table_release)

/* Whether LKP counts the runs that have this metric instead of averaging it. */
bool lkp_is_failure(const char *metric_name);

/* Value of an axis ("fs" -> "btrfs") into *ret_value; false if there is none. Caller frees. */
bool lkp_table_axis(const struct lkp_table *table, const char *axis, char **ret_value);

#endif
