/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_EFFECT_H
#define REGIO_ANALYSIS_EFFECT_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/interval.h"

/*
 * What a difference between A (base) and B (new) is, and when it counts: the vocabulary and the
 * one decision that the sequential and the fixed comparison share.
 */

/* A verdict needs this many runs a side: below, no distribution-free test reaches 1 %. */
#define EFFECT_MIN_RUNS 5

enum scale {
	SCALE_RATIO,  /* effect = B / A, 1 = no change; tested on logarithms */
	SCALE_POINTS, /* effect = B - A in units of the metric, 0 = no change */
};

/* The metric's direction decides elsewhere whether lower is a regression. */
enum finding {
	FINDING_UNDECIDED,
	FINDING_LOWER,
	FINDING_HIGHER,
	FINDING_NO_DIFFERENCE, /* none as large as the smallest effect asked for */
};

/* What the user asked for. */
struct effect_rule {
	double alpha;		  /* chance of a false alarm, as 0.05 */
	double min_effect;	  /* smallest change that matters, as 0.05; 0 = any */
	double min_effect_points; /* the same for SCALE_POINTS; 0 = 100 min_effect if percent */
	double resolution;	  /* relative differences below cannot be measured, mostly 0 */
	bool is_percent;	  /* the metric is a percentage: compared in points */
};

/* SCALE_POINTS if the metric is a percentage or a value has no logarithm. */
enum scale effect_scale(const struct effect_rule *rule, const double *values, size_t nr);

/* Onto the scale of the tests and back: logarithm and exponential, or nothing. */
double effect_forward(enum scale scale, double value);
double effect_back(enum scale scale, double shift);
struct interval effect_interval_back(enum scale scale, struct interval interval);

/* Smallest shift that matters, on the scale of the tests. */
double effect_limit(const struct effect_rule *rule, enum scale scale);

/* What the tests say, on their scale. */
struct evidence {
	enum scale scale;
	double p;
	double guard_p;
	double level; /* both p must not exceed it */
	double alpha; /* chance of a false alarm in all: the level, or more if looked at often */
	double shift;
	struct interval alarm;	     /* reported beside the shift */
	struct interval equivalence; /* narrower: decides "no difference" */
};

/* What the user sees: effect and intervals as ratios or points. */
struct decision {
	enum finding finding;
	bool is_significant; /* whatever its size */
	bool is_tested;	     /* false: fewer than EFFECT_MIN_RUNS a side, p and guard_p are 1 */
	enum scale scale;
	size_t nr_a;
	size_t nr_b;
	double p;
	double guard_p;
	double level;
	double alpha;
	double effect;
	struct interval interval;
	struct interval equivalence;
	/* Smallest effect of which "no difference" could be said now; INFINITY: none. */
	double decidable_effect;
};

/* nr_a and nr_b of the result are left 0. */
struct decision effect_decide(const struct effect_rule *rule, const struct evidence *evidence);

/* Too few runs for a test: the estimate alone, undecided, its intervals unbounded. */
struct decision effect_untested(enum scale scale, double shift);

/*
 * The interval that belongs to the finding: the narrower one where it showed that there is no
 * difference.
 */
struct interval decision_interval(const struct decision *decision);

/*
 * Confidence of that interval, as 0.95, over all looks of a session: 1 - alpha, or 1 - 2 alpha
 * for the narrower one, each end of which is wrong with alpha at most. 0 if it is unbounded.
 */
double decision_confidence(const struct decision *decision);

#endif
