/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_POSTERIOR_H
#define REGIO_ANALYSIS_POSTERIOR_H

/*
 * How probable it is of every position that it is the first bad one. Values count by their class
 * only, four of them cut around the middle of good and bad. How the classes are distributed on
 * either side is unknown and integrated out (Dirichlet, all ones), so no shape of the noise is
 * assumed: Burnashev & Zigangirov 1974 for the search, with unknown error rates.
 */

#include <stddef.h>
#include <stdint.h>

#include "analysis/effect.h"
#include "analysis/search.h"
#include "base/cleanup.h"
#include "base/vec.h"

#define POSTERIOR_NR_CLASSES 4

struct classes {
	enum scale scale;
	double cuts[POSTERIOR_NR_CLASSES - 1];
};

/* Cuts from runs of both ends, nr of each, 1 .. LEVELS_MAX_PAIRS. */
void classes_init(struct classes *classes, enum scale scale, const double *good, const double *bad,
		  size_t nr);

size_t classes_find(const struct classes *classes, double value);

struct class_counts {
	uint32_t nr[POSTERIOR_NR_CLASSES];
};

struct posterior {
	struct class_counts *counts; /* by position, 0 .. last */
	size_t *testable;	     /* ascending, with 0 and last */
	size_t nr_testable;
	struct search_hypothesis *hypotheses; /* nr_testable - 1 */
	VEC(double) log_factorials;	      /* of 0, 1 .. the number of runs + 3 */
};

/* All positions 0 .. last are testable, and nothing is known. last > 0. */
void posterior_init(struct posterior *posterior, size_t last);
void posterior_release(struct posterior *posterior);
CLEANUP_DEFINE(posterior, struct posterior, posterior_release)

/* These change the runs; the hypotheses follow with posterior_update. */
void posterior_add(struct posterior *posterior, size_t position, size_t class_nr);
/* As if nothing had been run. */
void posterior_forget(struct posterior *posterior);
/* Neither the first nor the last one. Its runs are forgotten. */
void posterior_remove(struct posterior *posterior, size_t position);

/* Time: O(number of positions). */
void posterior_update(struct posterior *posterior);

/* The most probable hypothesis, the lowest one of equal ones. */
const struct search_hypothesis *posterior_best(const struct posterior *posterior);

/*
 * The testable position between the ends at which the chance that the first bad one lies up to
 * it is nearest to one half, the lowest one of equal ones. There must be one.
 */
size_t posterior_median(const struct posterior *posterior);

#endif
