/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_VIRTUAL_RULE_H
#define REGIO_ANALYSIS_VIRTUAL_RULE_H

/*
 * The decision in virtual time. A guest repeats itself exactly for one seed, so repetitions tell
 * nothing; another seed moves code and data, and a value falls into one of a few clusters, which
 * is no bell curve. So there is no test: a change is one that no choice of seeds explains. The
 * ranges of both sides must be disjoint, and the medians further apart than both the smallest
 * effect asked for and the spread over the seeds.
 */

#include <stddef.h>

#include "analysis/effect.h"

/* Of one process that the CPU bounds, between different kernels; measured on Debian's 6.1, 6.12. */
#define VIRTUAL_MIN_EFFECT 0.003

/* One seed tells nothing of what another one changes. */
#define VIRTUAL_MIN_SEEDS 2

struct virtual_sample {
	double median, min, max;
};

struct virtual_decision {
	struct virtual_sample a, b;
	double ratio;		/* of the medians, B / A; NaN where that is 0 / 0 or x / 0 */
	struct interval ratios; /* of the values of one seed; NaN likewise */
	double spread;		/* the wider range of both, as a share of its median */
	enum finding finding;	/* never undecided */
};

/* a[i] and b[i] are of one seed; nr >= 1. */
void virtual_decide(const double *a, const double *b, size_t nr, double min_effect,
		    struct virtual_decision *ret_decision);

#endif
