/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_LKP_SELECT_H
#define REGIO_ANALYSIS_LKP_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/compare.h"

/*
 * Which rows LKP puts into a comparison table: a rule of ranges and medians, and floors below
 * which it calls a change unreasonable. It is no test of significance: its false alarms and its
 * power both shrink as runs are added.
 */

enum lkp_test {
	LKP_TEST_RANGES,   /* each median lies outside the other's range; the default */
	LKP_TEST_DISTANCE, /* ranges are apart by more than half the distance of the medians */
	LKP_TEST_GAP,	   /* the same with another share of it */
	LKP_TEST_SPREAD,   /* one range, as a share of the median, is much wider than the other */
};

struct lkp_rule {
	enum lkp_test test;
	double threshold; /* distance: for fewer than 3 runs; gap: share; spread: ratio */
	/*
	 * As LKP is, not as it is meant: profiles by the test of all others, no rule of their own
	 * for latencies.
	 */
	bool is_strict;
};

/* LKP's own: the test of ranges. */
#define LKP_RULE_DEFAULT ((struct lkp_rule){ .test = LKP_TEST_RANGES })

/* At least this many runs on one side. */
#define LKP_MIN_RUNS 3

/*
 * Whether the difference of a metric between base and another column is worth a row. A sample
 * may be empty: a function that a profile does not have was too rare for it.
 */
bool lkp_selects(const struct lkp_rule *rule, const char *name, const struct sample *base,
		 const struct sample *other);

/* Group of a metric: the text before its first dot, as a length. */
size_t lkp_group_len(const char *name);
/* Whether that group is a monitor of the machine; what is none is a test program. */
bool lkp_is_monitor(const char *name);
/* A share of a function in a profile. */
bool lkp_is_profile(const char *name);

#endif
