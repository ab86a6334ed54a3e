/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_METRIC_ROW_H
#define REGIO_ANALYSIS_METRIC_ROW_H

/* One metric of two samples compared, whatever is known of it: values, means or occurrences. */

#include <stdbool.h>
#include <stddef.h>

#include "analysis/cohort.h"
#include "analysis/compare.h"
#include "analysis/metric_group.h"
#include "analysis/verdict.h"

struct nulldist;

enum row_use {
	ROW_PRIMARY, /* decides; adjusted by Holm among its like */
	ROW_OTHER,   /* exploratory; adjusted by Benjamini and Hochberg */
	ROW_JOB,     /* of a single job; exploratory, a family of its own */
};

enum row_kind {
	ROW_MEASURED, /* one value a run on both sides */
	ROW_POSTED,   /* a side is known by its mean only: an effect, no verdict */
	ROW_COUNTED,  /* how many runs have it: failures, counters that are mostly 0 */
};

struct row_count {
	size_t nr_hits;
	size_t nr_runs;
};

/* Row of runs that failed, in place of a metric's name. */
#define ROW_FAILED_RUNS "failed_runs"

struct metric_row {
	const char *metric;
	const char *unit;
	const struct cohort_job *job; /* NULL: of the whole result */
	enum polarity polarity;
	struct metric_group group;
	enum row_use use;
	enum row_kind kind;
	size_t pair;				/* index into the pairs of the table */
	const struct cohort_series *base, *new; /* NULL in rows of failed runs */
	struct row_count base_count, new_count; /* of ROW_COUNTED */
	struct comparison comparison;
	enum verdict verdict; /* after adjusting */
	/* Smaller changes are nothing: the larger of what was asked for and the floor. */
	double min_effect;
	bool is_relevant; /* the effect reaches the floor */
	/* Says the same as a row above it, which is the one to count; NULL = stands for itself. */
	const struct metric_row *same_as;
};

/* The parts of a row that its metric alone tells. */
void metric_row_init(struct metric_row *row, const char *metric);

/*
 * Fills comparison and kind from what the series or counts of the row are. rule: of the user; null:
 * for these sample sizes, or NULL.
 */
void metric_row_compare(struct metric_row *row, const struct effect_rule *rule,
			const struct nulldist *null);
void metric_row_compare_counts(struct metric_row *row, const struct effect_rule *rule);

/* Whether a series has numbers at all, and how many of its values are 0. */
bool cohort_series_has_numbers(const struct cohort_series *series);
size_t cohort_series_nr_zeros(const struct cohort_series *series);
double cohort_series_mean(const struct cohort_series *series);

/* The number that stands for a side: the median, or the mean where only that is known. */
double metric_row_value(const struct metric_row *row, bool is_new);

/* A difference on the scale of the row's tests as a share: of 1, of 100 points, of the values. */
double metric_row_share(const struct metric_row *row, double shift);
/* The effect, as such a share, without sign. */
double metric_row_effect_share(const struct metric_row *row);

#endif
