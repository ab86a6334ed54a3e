/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare: fixed-size comparison of two samples by ranks, with the caveats that go with it. */
#include "analysis/compare.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "stats/drift.h"
#include "stats/fisher.h"
#include "stats/multiple.h"
#include "stats/nulldist.h"
#include "stats/ranksum.h"

/* A run is slow if it reaches less than this share of its sample's median. */
#define SLOW_SHARE 0.9

static enum scale common_scale(const struct effect_rule *rule, const struct sample *a,
			       const struct sample *b)
{
	enum scale scale = effect_scale(rule, a->values, a->nr);

	return scale == SCALE_POINTS ? scale : effect_scale(rule, b->values, b->nr);
}

/* Heap copy on the scale of the tests. */
static double *values_forward(const struct sample *sample, enum scale scale)
{
	double *values = xcalloc(sample->nr, sizeof(*values));

	for (size_t i = 0; i < sample->nr; i++)
		values[i] = effect_forward(scale, sample->values[i]);
	return values;
}

static struct decision decide_tested(const struct effect_rule *rule, enum scale scale,
				     const struct ranksum *ranksum, const struct nulldist *null)
{
	struct evidence evidence = {
		.scale = scale,
		.p = ranksum_p(ranksum, null),
		.guard_p = ranksum_brunner_munzel(ranksum).p,
		.level = rule->alpha,
		.alpha = rule->alpha,
		.shift = ranksum_shift(ranksum),
		.alarm = ranksum_interval(ranksum, null, rule->alpha),
		/* Two one-sided tests (Schuirmann 1987), each at alpha. */
		.equivalence = ranksum_interval(ranksum, null, 2.0 * rule->alpha),
	};

	return effect_decide(rule, &evidence);
}

static struct decision decide(const struct compare_config *config, enum scale scale,
			      const struct ranksum *ranksum)
{
	CLEANUP(nulldist) struct nulldist own = { .cdf = NULL };
	const struct nulldist *null = config->null;

	if (ranksum->n < EFFECT_MIN_RUNS || ranksum->m < EFFECT_MIN_RUNS)
		return effect_untested(scale, ranksum_shift(ranksum));
	if (!null) {
		nulldist_init_ranksum(&own, ranksum->n, ranksum->m);
		null = &own;
	}
	return decide_tested(&config->rule, scale, ranksum, null);
}

/* "Slow" means small, or large where small is good. Needs a positive median. */
static size_t slow_count(const struct sample *sample, double median, enum polarity polarity)
{
	size_t nr = 0;

	for (size_t i = 0; i < sample->nr; i++) {
		if (polarity == POLARITY_LOWER_IS_BETTER)
			nr += SLOW_SHARE * sample->values[i] > median;
		else
			nr += sample->values[i] < SLOW_SHARE * median;
	}
	return nr;
}

static struct slow_runs compare_slow_runs(const struct compare_config *config,
					  const struct sample *a, const struct sample *b,
					  const struct comparison *comparison)
{
	struct slow_runs slow = { .p = 1.0 };

	if (comparison->decision.scale == SCALE_POINTS)
		return slow;
	slow.nr_a = slow_count(a, comparison->a.median, config->polarity);
	slow.nr_b = slow_count(b, comparison->b.median, config->polarity);
	slow.p = fisher_p(slow.nr_a, a->nr, slow.nr_b, b->nr);
	return slow;
}

void compare_samples(const struct compare_config *config, const struct sample *a,
		     const struct sample *b, struct comparison *ret)
{
	enum scale scale = common_scale(&config->rule, a, b);
	CLEANUP(free) double *values_a = values_forward(a, scale);
	CLEANUP(free) double *values_b = values_forward(b, scale);
	CLEANUP(ranksum) struct ranksum ranksum = { .a = NULL };
	struct comparison comparison = { .is_skewed = false };

	assert(a->nr > 0 && b->nr > 0);
	ranksum_init(&ranksum, values_a, a->nr, values_b, b->nr);
	summary_init(&comparison.a, a->values, a->nr);
	summary_init(&comparison.b, b->values, b->nr);
	comparison.decision = decide(config, scale, &ranksum);
	comparison.decision.nr_a = a->nr;
	comparison.decision.nr_b = b->nr;
	comparison.u = ranksum.u;
	comparison.adjusted_p = comparison.decision.p;
	comparison.ratio_of_medians = comparison.b.median / comparison.a.median;
	comparison.ratio_of_means = comparison.b.mean / comparison.a.mean;
	comparison.slow_runs = compare_slow_runs(config, a, b, &comparison);
	comparison.is_skewed = summary_is_skewed(&comparison.a) || summary_is_skewed(&comparison.b);
	comparison.has_drift = drift_found(a->values, a->nr) || drift_found(b->values, b->nr);
	*ret = comparison;
}

void comparisons_adjust(struct comparison *comparisons, size_t nr, enum compare_adjust how)
{
	CLEANUP(free) double *p = xcalloc(nr ? nr : 1, sizeof(*p));
	size_t nr_tested = 0;

	for (size_t i = 0; i < nr; i++) {
		if (comparisons[i].decision.is_tested)
			p[nr_tested++] = comparisons[i].decision.p;
	}
	if (how == COMPARE_ADJUST_HOLM)
		multiple_holm(p, nr_tested, p);
	else
		multiple_benjamini_hochberg(p, nr_tested, p);

	nr_tested = 0;
	for (size_t i = 0; i < nr; i++) {
		if (comparisons[i].decision.is_tested)
			comparisons[i].adjusted_p = p[nr_tested++];
	}
}

double compare_smallest_p(size_t nr_a, size_t nr_b)
{
	double nr_orders = 1.0;

	for (size_t i = 1; i <= nr_b; i++)
		nr_orders *= (double)(nr_a + i) / (double)i;
	return fmin(1.0, 2.0 / nr_orders);
}

double comparison_sure_size(const struct comparison *comparison)
{
	const struct decision *decision = &comparison->decision;
	double lo = effect_forward(decision->scale, decision->interval.lo);
	double hi = effect_forward(decision->scale, decision->interval.hi);

	if (!decision->is_tested || (lo <= 0.0 && hi >= 0.0))
		return 0.0;
	return fmin(fabs(lo), fabs(hi));
}
