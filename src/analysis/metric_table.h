/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_METRIC_TABLE_H
#define REGIO_ANALYSIS_METRIC_TABLE_H

/*
 * Every metric of two sides compared, judged for their number, and in the order in which a reader
 * wants them. Pure data: the same samples give the same table.
 */

#include <stdbool.h>
#include <stddef.h>

#include "analysis/cohort_match.h"
#include "analysis/metric_row.h"
#include "base/arena.h"

struct err;

struct table_config {
	struct effect_rule rule;
	/* What decides, as users type it; none: chosen by metric_choose_primary(). */
	const char *const *metrics;
	size_t nr_metrics; /* at most METRIC_MAX_PRIMARY */
	/* Of those that decide and are not known to be good or bad. */
	enum polarity polarity;
};

struct metric_table {
	const struct cohort_pair *pairs; /* borrowed */
	size_t nr_pairs;
	struct metric_row *rows; /* by pair; primary ones and what they imply, then by rank */
	size_t nr;
	/* No change among the exploratory rows could survive their number. */
	bool is_too_few_runs;
	struct effect_rule rule;
};

/* Changes below are never called one: of what measures the work, and of everything else. */
#define TABLE_FLOOR_PERFORMANCE 0.01
#define TABLE_FLOOR_OTHER 0.05

/*
 * Pairs with only one side give no rows. ERR_USAGE when a metric was named that no pair has. The
 * pairs and their cohorts must outlive the table.
 */
int metric_table_init(struct metric_table *table, const struct table_config *config,
		      const struct cohort_pairs *pairs, struct err *err);
void metric_table_release(struct metric_table *table);
CLEANUP_DEFINE(metric_table, struct metric_table, metric_table_release)

/* Of all primary rows together; undecided if there is none. */
enum verdict metric_table_verdict(const struct metric_table *table);

/* The primary row because of which that is the verdict, of several the worst; NULL: none is. */
const struct metric_row *metric_table_worst(const struct metric_table *table);

/* ---- shared by metric_table.c and metric_judge.c ---- */

/* Adjusted p-values and verdicts. */
void metric_table_judge(struct metric_table *table);
/* Order, and which rows repeat others. */
void metric_table_rank(struct metric_table *table);

#endif
