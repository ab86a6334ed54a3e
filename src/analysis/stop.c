/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stop: the sequential rule that ends an A/B session as early as the numbers allow. */
#include "analysis/stop.h"

#include <assert.h>
#include <math.h>

#include "base/err.h"
#include "stats/drift.h"
#include "stats/nulldist.h"
#include "stats/power.h"
#include "stats/ranksum.h"
#include "stats/signrank.h"
#include "stats/summary.h"

/* From the eighth pair on, every fourth one, dependence of the runs is looked for. */
#define MODE_MIN_PAIRS DRIFT_MIN_VALUES
#define MODE_EVERY_PAIRS 4
#define POSITION_LEVEL 0.05

/* Values of the session so far on the scale of the tests. */
struct series {
	enum scale scale;
	size_t n;
	double a[LEVELS_MAX_PAIRS];
	double b[LEVELS_MAX_PAIRS];
	double differences[LEVELS_MAX_PAIRS]; /* b - a */
};

int stop_init(struct stop *stop, const struct stop_config *config, struct err *err)
{
	const struct effect_rule *rule = &config->rule;

	if (config->max_pairs < LEVELS_MIN_PAIRS || config->max_pairs > LEVELS_MAX_PAIRS)
		return err_set(err, ERR_USAGE, "max pairs %zu is not in %d..%d", config->max_pairs,
			       LEVELS_MIN_PAIRS, LEVELS_MAX_PAIRS);
	if (!(rule->min_effect >= 0.0 && rule->min_effect < 1.0))
		return err_set(err, ERR_USAGE, "smallest effect %g %% is not in 0..100 %%",
			       100.0 * rule->min_effect);
	*stop = (struct stop){
		.config = *config,
		.levels = levels_find(config->max_pairs, rule->alpha),
	};
	if (!stop->levels)
		return err_set(err, ERR_USAGE, "alpha %g is below the smallest supported one, 0.01",
			       rule->alpha);
	return 0;
}

static void series_init(struct series *series, const struct stop *stop)
{
	const struct effect_rule *rule = &stop->config.rule;
	enum scale scale = effect_scale(rule, stop->a, stop->nr_pairs);

	if (scale == SCALE_RATIO)
		scale = effect_scale(rule, stop->b, stop->nr_pairs);
	series->scale = scale;
	series->n = stop->nr_pairs;
	for (size_t i = 0; i < series->n; i++) {
		series->a[i] = effect_forward(scale, stop->a[i]);
		series->b[i] = effect_forward(scale, stop->b[i]);
		series->differences[i] = series->b[i] - series->a[i];
	}
}

/* Sums of the pairs do not know which run was A, so looking at them costs the test nothing. */
static bool series_drifts(const struct series *series)
{
	double sums[LEVELS_MAX_PAIRS];

	for (size_t i = 0; i < series->n; i++)
		sums[i] = series->a[i] + series->b[i];
	return drift_found(sums, series->n);
}

/* "Every second run is slow": second minus first run of each pair, whichever was A. */
static bool series_has_position_effect(const struct series *series, const bool *a_first)
{
	CLEANUP(signrank) struct signrank signrank = { .differences = NULL };
	double steps[LEVELS_MAX_PAIRS];

	for (size_t i = 0; i < series->n; i++)
		steps[i] = a_first[i] ? series->differences[i] : -series->differences[i];
	signrank_init(&signrank, steps, series->n);
	return signrank.p <= POSITION_LEVEL;
}

static enum stop_mode next_mode(const struct stop *stop, const struct series *series)
{
	if (stop->mode == STOP_PAIRED)
		return STOP_PAIRED;
	if (series->n < MODE_MIN_PAIRS || series->n % MODE_EVERY_PAIRS != 0)
		return STOP_UNPAIRED;
	if (series_drifts(series) || series_has_position_effect(series, stop->a_first))
		return STOP_PAIRED;
	return STOP_UNPAIRED;
}

static struct evidence evidence_unpaired(const struct levels *levels, const struct series *series)
{
	CLEANUP(ranksum) struct ranksum ranksum = { .a = NULL };
	CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };

	ranksum_init(&ranksum, series->a, series->n, series->b, series->n);
	nulldist_init_ranksum(&null, series->n, series->n);
	return (struct evidence){
		.scale = series->scale,
		.p = ranksum_p(&ranksum, &null),
		.guard_p = ranksum_brunner_munzel(&ranksum).p,
		.level = levels->ranksum_alarm,
		.alpha = levels->alpha,
		.shift = ranksum_shift(&ranksum),
		.alarm = ranksum_interval(&ranksum, &null, levels->ranksum_alarm),
		.equivalence = ranksum_interval(&ranksum, &null, levels->ranksum_equivalence),
	};
}

static struct evidence evidence_paired(const struct levels *levels, const struct series *series)
{
	CLEANUP(signrank) struct signrank signrank = { .differences = NULL };
	CLEANUP(nulldist) struct nulldist null = { .cdf = NULL };

	signrank_init(&signrank, series->differences, series->n);
	nulldist_init_signrank(&null, series->n);
	return (struct evidence){
		.scale = series->scale,
		.p = signrank.p,
		.guard_p = 0.0, /* the coin makes the test exact without a guard */
		.level = levels->signrank_alarm,
		.alpha = levels->alpha,
		.shift = signrank_shift(&signrank),
		.alarm = signrank_interval(&signrank, &null, levels->signrank_alarm),
		.equivalence = signrank_interval(&signrank, &null, levels->signrank_equivalence),
	};
}

/* Robust spread of one run; the plain one where more than half of the values are equal. */
static double spread_of(const double *values, size_t nr)
{
	struct summary summary;

	summary_init(&summary, values, nr);
	return summary.mad > 0.0 ? SUMMARY_MAD_TO_STDDEV * summary.mad : summary.stddev_population;
}

static double series_spread(const struct series *series, enum stop_mode mode)
{
	/* A difference of two runs has twice the variance of one. */
	if (mode == STOP_PAIRED)
		return spread_of(series->differences, series->n) / sqrt(2.0);
	return hypot(spread_of(series->a, series->n), spread_of(series->b, series->n)) / sqrt(2.0);
}

double stop_spread(const struct stop *stop)
{
	struct series series;

	series_init(&series, stop);
	return series_spread(&series, stop->mode);
}

static size_t pairs_needed(const struct series *series, enum stop_mode mode, double shift,
			   double limit)
{
	double spread = series_spread(series, mode);
	size_t nr;

	if (limit > 0.0 && fabs(shift) < limit)
		nr = power_pairs_to_exclude(spread, limit);
	else
		nr = power_pairs_to_find(spread, fabs(shift));
	return nr > series->n ? nr : series->n + 1;
}

/* Any effect near the smallest that matters takes for ever, so there is no most. */
static size_t pairs_least(const struct series *series, enum stop_mode mode,
			  struct interval interval, double limit)
{
	double spread = series_spread(series, mode);
	double strongest = fmax(fabs(interval.lo), fabs(interval.hi));
	bool may_be_none = interval.lo < limit && interval.hi > -limit;
	size_t nr = 0;

	if (!interval_is_bounded(interval))
		return series->n + 1;
	if (strongest >= limit)
		nr = power_pairs_to_find(spread, strongest);
	if (limit > 0.0 && may_be_none) {
		size_t nr_none = power_pairs_to_exclude(spread, limit);

		nr = nr && nr < nr_none ? nr : nr_none;
	}
	return nr > series->n ? nr : series->n + 1;
}

/* Too few pairs for a test: the estimate alone, for a progress line. */
static struct decision decision_untested(const struct series *series)
{
	CLEANUP(ranksum) struct ranksum ranksum = { .a = NULL };

	ranksum_init(&ranksum, series->a, series->n, series->b, series->n);
	return effect_untested(series->scale, ranksum_shift(&ranksum));
}

static void look_test(const struct stop *stop, const struct series *series, struct stop_look *look)
{
	const struct effect_rule *rule = &stop->config.rule;
	struct evidence evidence;
	double limit;

	if (look->mode == STOP_PAIRED)
		evidence = evidence_paired(stop->levels, series);
	else
		evidence = evidence_unpaired(stop->levels, series);
	look->decision = effect_decide(rule, &evidence);
	limit = effect_limit(rule, series->scale);
	look->nr_pairs_needed = pairs_needed(series, look->mode, evidence.shift, limit);
	look->nr_pairs_least = pairs_least(series, look->mode, evidence.alarm, limit);
	if (look->nr_pairs_least > look->nr_pairs_needed)
		look->nr_pairs_least = look->nr_pairs_needed;
}

void stop_add_pair(struct stop *stop, double a, double b, bool a_first, struct stop_look *ret_look)
{
	struct stop_look look = { .nr_pairs_needed = LEVELS_MIN_PAIRS,
				  .nr_pairs_least = LEVELS_MIN_PAIRS };
	struct series series;

	assert(isfinite(a) && isfinite(b) && stop->nr_pairs < stop->config.max_pairs);
	stop->a[stop->nr_pairs] = a;
	stop->b[stop->nr_pairs] = b;
	stop->a_first[stop->nr_pairs] = a_first;
	stop->nr_pairs++;

	series_init(&series, stop);
	stop->mode = next_mode(stop, &series);
	look.nr_pairs = stop->nr_pairs;
	look.mode = stop->mode;
	if (stop->nr_pairs < LEVELS_MIN_PAIRS)
		look.decision = decision_untested(&series);
	else
		look_test(stop, &series, &look);
	look.decision.nr_a = stop->nr_pairs;
	look.decision.nr_b = stop->nr_pairs;
	look.is_last = stop->nr_pairs == stop->config.max_pairs ||
		       (look.decision.finding != FINDING_UNDECIDED && !stop->config.is_fixed);
	*ret_look = look;
}
