/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_SUMMARY_H
#define REGIO_STATS_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/interval.h"

/* A mean further than this from the median is called skewed. */
#define SUMMARY_SKEW_SHARE 0.03

/* Makes the MAD estimate the standard deviation under normal noise: 1 / Phi^-1(3/4). */
#define SUMMARY_MAD_TO_STDDEV 1.4826

struct summary {
	size_t n;
	double mean;
	double stddev;		  /* divisor n - 1; NAN for n = 1 */
	double stddev_population; /* divisor n */
	double min;
	double max;
	double median;
	double mad; /* median absolute deviation from the median */
	/* Exact interval of the median, or [min, max] where none reaches 95 %. */
	struct interval median_interval;
	double median_level; /* true level of that interval; 0 for n = 1 */
};

/* nr > 0. */
void summary_init(struct summary *summary, const double *values, size_t nr);

/* 1.4826 MAD / |median|: the spread of one run as a share, deaf to a few odd runs. */
double summary_robust_cv(const struct summary *summary);

/* 100 stddev_population / mean: LKP's %stddev. */
double summary_percent_stddev(const struct summary *summary);

/* Student's interval of the mean; unbounded for n = 1. level as 0.95. */
struct interval summary_mean_interval(const struct summary *summary, double level);

bool summary_is_skewed(const struct summary *summary);

/*
 * Rank k (1-based) such that [x(k), x(n+1-k)] covers the median with a probability of at least
 * 1 - alpha whatever the distribution; 0 if n is too small for that.
 */
size_t median_interval_rank(size_t n, double alpha);

/* Probability that [x(k), x(n+1-k)] covers the median, k > 0. */
double median_interval_level(size_t n, size_t k);

#endif
