/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_STOP_H
#define REGIO_ANALYSIS_STOP_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/effect.h"
#include "stats/levels.h"

struct err;

/*
 * The sequential rule: pairs of runs, one of A and one of B in an order drawn by a coin, are
 * added one by one, and from the fifth on each addition says whether to go on. The chance of a
 * false alarm over the whole session is at most alpha.
 *
 * It starts with the rank-sum test and changes to the signed ranks of the pairs for good once the
 * runs turn out to depend on time or on their place in the pair.
 *
 *	stop_init(&stop, &config, err);
 *	do {
 *		... measure a and b ...
 *		stop_add_pair(&stop, a, b, a_first, &look);
 *	} while (!look.is_last);
 */
struct stop_config {
	struct effect_rule rule;
	size_t max_pairs; /* LEVELS_MIN_PAIRS..LEVELS_MAX_PAIRS, fixed before the first run */
	bool is_fixed;	  /* all of them are run whatever is found: to learn about the noise */
};

enum stop_mode { STOP_UNPAIRED, STOP_PAIRED };

struct stop {
	struct stop_config config;
	const struct levels *levels;
	enum stop_mode mode;
	size_t nr_pairs;
	double a[LEVELS_MAX_PAIRS];
	double b[LEVELS_MAX_PAIRS];
	bool a_first[LEVELS_MAX_PAIRS];
};

struct stop_look {
	size_t nr_pairs;
	enum stop_mode mode;
	/* Before the fifth pair only the effect means something. */
	struct decision decision;
	bool is_last; /* decided, or the budget is used up */
	/* About how many pairs in all a verdict takes, if the effect is as it looks; and if it is
	 * what is easiest to show of all that the interval leaves open. */
	size_t nr_pairs_needed, nr_pairs_least;
};

/*
 * ERR_USAGE if max_pairs or min_effect is out of range or alpha is below 0.01. An alpha between
 * two tabulated ones takes the smaller one, stop.levels->alpha.
 */
int stop_init(struct stop *stop, const struct stop_config *config, struct err *err);

/* Values are finite; fewer than max_pairs have been added. */
void stop_add_pair(struct stop *stop, double a, double b, bool a_first, struct stop_look *ret_look);

/* Robust deviation of one run on the scale of the tests: about a share, or points. At least one
 * pair was added. */
double stop_spread(const struct stop *stop);

#endif
