/* SPDX-License-Identifier: GPL-2.0-or-later */
/* virtual_rule: medians and ranges over the seeds. */
#include "analysis/virtual_rule.h"

#include <math.h>
#include <stdbool.h>

#include "base/cleanup.h"
#include "stats/sorted.h"

static struct virtual_sample sample_of(const double *values, size_t nr)
{
	CLEANUP(free) double *sorted = sorted_copy(values, nr);

	return (struct virtual_sample){
		.median = sorted_median(sorted, nr),
		.min = sorted[0],
		.max = sorted[nr - 1],
	};
}

static double relative_range(const struct virtual_sample *sample)
{
	return sample->median != 0 ? (sample->max - sample->min) / fabs(sample->median) : 0;
}

static void set_ratios(struct virtual_decision *decision, const double *a, const double *b,
		       size_t nr)
{
	decision->ratio = decision->a.median != 0 ? decision->b.median / decision->a.median : NAN;
	decision->ratios = (struct interval){ .lo = INFINITY, .hi = -INFINITY };
	for (size_t i = 0; i < nr; i++) {
		double ratio = b[i] / a[i];

		if (a[i] == 0) {
			decision->ratios = (struct interval){ .lo = NAN, .hi = NAN };
			return;
		}
		decision->ratios.lo = fmin(decision->ratios.lo, ratio);
		decision->ratios.hi = fmax(decision->ratios.hi, ratio);
	}
}

void virtual_decide(const double *a, const double *b, size_t nr, double min_effect,
		    struct virtual_decision *ret_decision)
{
	struct virtual_decision decision = { .a = sample_of(a, nr), .b = sample_of(b, nr) };
	double limit;
	bool is_apart;

	set_ratios(&decision, a, b, nr);
	decision.spread = fmax(relative_range(&decision.a), relative_range(&decision.b));
	limit = fmax(min_effect, decision.spread);
	is_apart = decision.a.max < decision.b.min || decision.b.max < decision.a.min;
	/* from or to nothing is further than any share */
	if (!isnan(decision.ratio) && decision.ratio != 0)
		is_apart = is_apart && fabs(decision.ratio - 1) > limit;
	if (!is_apart)
		decision.finding = FINDING_NO_DIFFERENCE;
	else
		decision.finding =
			decision.b.median > decision.a.median ? FINDING_HIGHER : FINDING_LOWER;
	*ret_decision = decision;
}
