/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_COMPARE_H
#define REGIO_ANALYSIS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/effect.h"
#include "model/metric.h"
#include "stats/summary.h"

struct nulldist;

/*
 * Comparison of one metric between two samples whose sizes were fixed without looking at the
 * values: stored labels, imported results. One value per run, in the order of measuring.
 */
struct sample {
	const double *values; /* borrowed; finite */
	size_t nr;
};

struct compare_config {
	struct effect_rule rule;
	enum polarity polarity; /* tells which runs count as slow */
	/* For these two sizes, to build it once for many metrics; NULL: built inside. */
	const struct nulldist *null;
};

/* How many runs lie more than 10 % on the bad side of the median of their own sample. */
struct slow_runs {
	size_t nr_a;
	size_t nr_b;
	double p; /* Fisher; a hint about the shape of the noise, never an alarm by itself */
};

struct comparison {
	struct summary a;
	struct summary b;
	/* Without EFFECT_MIN_RUNS a side the decision is untested, but the effect is there. */
	struct decision decision;
	double u;
	double adjusted_p; /* p until comparisons_adjust() */
	double ratio_of_medians;
	double ratio_of_means;
	struct slow_runs slow_runs;
	bool is_skewed; /* a mean and a median differ by more than 3 % */
	bool has_drift; /* runs of a side depend on their order: p is not to be trusted */
};

/* Both samples have at least one value. */
void compare_samples(const struct compare_config *config, const struct sample *a,
		     const struct sample *b, struct comparison *ret);

enum compare_adjust {
	COMPARE_ADJUST_HOLM,		   /* few metrics, each of which may decide */
	COMPARE_ADJUST_BENJAMINI_HOCHBERG, /* an exploratory table */
};

/* Sets adjusted_p over all tested ones of nr comparisons. */
void comparisons_adjust(struct comparison *comparisons, size_t nr, enum compare_adjust how);

/*
 * Smallest p that samples of these sizes can reach. If it exceeds alpha / m, no difference among
 * m metrics can survive Holm's adjustment: too few runs for m metrics.
 */
double compare_smallest_p(size_t nr_a, size_t nr_b);

/*
 * Size of the change that is sure: the interval end nearest to "no change", as a logarithm or
 * in points; 0 where the interval contains it. For ranking changed metrics, largest first.
 */
double comparison_sure_size(const struct comparison *comparison);

#endif
