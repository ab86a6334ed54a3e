/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_LKP_COMPARE_H
#define REGIO_ANALYSIS_LKP_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/lkp_select.h"

struct lkp_table;

/*
 * LKP's comparison table out of samples: runs whose values are known, posted averages, or both
 * side by side.
 */

/* One metric of one sample. */
struct lkp_series {
	const char *name; /* as LKP has it; borrowed */
	/* Of the runs that have it, in any order; borrowed, finite. */
	const double *values;
	size_t nr_values;
	/* An average of several runs, used where there are no values: */
	bool has_average;
	double average;
	double spread_percent; /* NAN = not printed */
	size_t average_runs;   /* it is of; 0 = not known */
	/* As posted beside it, NAN = none. Used if it fits the averages: they are rounded. */
	double change;
	unsigned line; /* where it was posted; 0 = computed */
};

struct lkp_sample {
	const char *title;   /* commit or tag; borrowed, as all here */
	const char *name;    /* shorter, or NULL */
	const char *subject; /* or NULL */
	size_t nr_runs;	     /* a failure counts against these */
	const struct lkp_series *series;
	size_t nr_series;
};

struct lkp_options {
	struct lkp_rule rule;
	/*
	 * LKP's defects too (is_strict of the rule): a metric that a run lacks is 0, a metric that
	 * a column lacks is 0, the rate of failures of a column is over the runs of the one before.
	 */
	bool is_all; /* rows that the rule does not select, too */
	/* Tests come after the monitors, as when LKP did not know stress-ng for a test. */
	bool are_tests_last;
};

/*
 * Fills a table of which only the axes are set. The first sample is the base. Rows whose averages
 * were posted are there, and if there are no others in the order in which they were; all others
 * are selected and ordered by LKP's rules.
 */
void lkp_compare(const struct lkp_sample *samples, size_t nr_samples,
		 const struct lkp_options *options, struct lkp_table *table);

/* Puts rows in LKP's order; rows that it does not tell apart stay in theirs. */
void lkp_sort_rows(struct lkp_table *table, const struct lkp_options *options);

#endif
