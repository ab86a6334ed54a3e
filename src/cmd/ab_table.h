/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_AB_TABLE_H
#define REGIO_CMD_AB_TABLE_H

/* The numbers behind an A/B report: one row per metric, the deciding one first. */

#include <stdbool.h>
#include <stddef.h>

#include "analysis/compare.h"
#include "analysis/verdict.h"

struct ab;

struct ab_row {
	const char *metric; /* borrowed from the first run of A */
	bool is_deciding;   /* its decision is the sequential one, with a budgeted error rate */
	double *values[2];  /* owned; one per pair */
	size_t nr;
	struct comparison comparison;
	enum verdict verdict; /* of exploratory rows after adjusting for their number */
};

struct ab_table {
	struct ab_row *rows;
	size_t nr;
};

/* Rows of all metrics that every run of both sides has; all: also the unusual ones. */
void ab_table_init(struct ab_table *table, const struct ab *ab, bool all);
void ab_table_release(struct ab_table *table);

#endif
