/* SPDX-License-Identifier: GPL-2.0-or-later */
/* effect: scales, smallest effect, and the decision rule of all comparisons. */
#include "analysis/effect.h"

#include <math.h>

enum scale effect_scale(const struct effect_rule *rule, const double *values, size_t nr)
{
	if (rule->is_percent)
		return SCALE_POINTS;
	for (size_t i = 0; i < nr; i++) {
		if (values[i] <= 0.0)
			return SCALE_POINTS;
	}
	return SCALE_RATIO;
}

double effect_forward(enum scale scale, double value)
{
	return scale == SCALE_RATIO ? log(value) : value;
}

double effect_back(enum scale scale, double shift)
{
	return scale == SCALE_RATIO ? exp(shift) : shift;
}

struct interval effect_interval_back(enum scale scale, struct interval interval)
{
	return (struct interval){
		.lo = effect_back(scale, interval.lo),
		.hi = effect_back(scale, interval.hi),
	};
}

/* A change by the share x downwards; upwards it stands for 1 / (1 - x). */
static double log_limit(double share)
{
	return -log1p(-share);
}

double effect_limit(const struct effect_rule *rule, enum scale scale)
{
	if (scale == SCALE_RATIO)
		return log_limit(rule->min_effect);
	if (rule->min_effect_points > 0.0)
		return rule->min_effect_points;
	return rule->is_percent ? 100.0 * rule->min_effect : 0.0;
}

/* The largest |end|, as a relative change or in points. */
static double effect_decidable(enum scale scale, struct interval equivalence)
{
	double largest = fmax(fabs(equivalence.lo), fabs(equivalence.hi));

	if (!interval_is_bounded(equivalence))
		return INFINITY;
	return scale == SCALE_RATIO ? -expm1(-largest) : largest;
}

/* An interval never claims more than the instrument can resolve. */
static struct interval interval_widen(struct interval interval, double shift, double resolution)
{
	return (struct interval){
		.lo = fmin(interval.lo, shift - resolution),
		.hi = fmax(interval.hi, shift + resolution),
	};
}

struct decision effect_decide(const struct effect_rule *rule, const struct evidence *evidence)
{
	enum scale scale = evidence->scale;
	double limit = effect_limit(rule, scale);
	double resolution = scale == SCALE_RATIO ? log_limit(rule->resolution) : 0.0;
	double shift = evidence->shift;
	struct interval alarm = interval_widen(evidence->alarm, shift, resolution);
	struct interval equivalence = interval_widen(evidence->equivalence, shift, resolution);
	struct decision decision = {
		.is_tested = true,
		.is_significant = evidence->p <= evidence->level &&
				  evidence->guard_p <= evidence->level && shift != 0.0,
		.scale = scale,
		.p = evidence->p,
		.guard_p = evidence->guard_p,
		.level = evidence->level,
		.alpha = evidence->alpha,
		.effect = effect_back(scale, shift),
		.interval = effect_interval_back(scale, alarm),
		.equivalence = effect_interval_back(scale, equivalence),
		.decidable_effect = effect_decidable(scale, equivalence),
	};

	if (decision.is_significant && fabs(shift) >= fmax(limit, resolution))
		decision.finding = shift < 0.0 ? FINDING_LOWER : FINDING_HIGHER;
	else if (interval_within(equivalence, limit))
		decision.finding = FINDING_NO_DIFFERENCE;
	return decision;
}

struct decision effect_untested(enum scale scale, double shift)
{
	return (struct decision){
		.scale = scale,
		.p = 1.0,
		.guard_p = 1.0,
		.effect = effect_back(scale, shift),
		.interval = effect_interval_back(scale, INTERVAL_UNBOUNDED),
		.equivalence = effect_interval_back(scale, INTERVAL_UNBOUNDED),
		.decidable_effect = INFINITY,
	};
}

struct interval decision_interval(const struct decision *decision)
{
	return decision->finding == FINDING_NO_DIFFERENCE ? decision->equivalence
							  : decision->interval;
}

double decision_confidence(const struct decision *decision)
{
	/* A ratio's unbounded interval starts at 0, so infinity at the other end tells. */
	if (!interval_is_bounded(decision_interval(decision)))
		return 0.0;
	if (decision->finding == FINDING_NO_DIFFERENCE)
		return 1.0 - 2.0 * decision->alpha;
	return 1.0 - decision->alpha;
}
