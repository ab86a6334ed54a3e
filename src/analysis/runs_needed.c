/* SPDX-License-Identifier: GPL-2.0-or-later */
/* runs_needed: from the spread that was seen, or from assumed ones, to a number of runs. */
#include "analysis/runs_needed.h"

#include <math.h>
#include <stdio.h>

#include "analysis/metric_row.h"
#include "stats/interval.h"
#include "stats/power.h"

/* Robust estimates need so many values; with fewer the standard deviation has to do. */
#define MIN_FOR_ROBUST 8

/* Nobody repeats a benchmark more often for one number. */
#define OUT_OF_REACH 1000

/* Relative spread of one run as one side shows it; NAN if it does not. */
static double side_spread(const struct summary *summary)
{
	double share;

	if (summary->n >= MIN_FOR_ROBUST && !isnan(summary->mad)) {
		double robust = summary_robust_cv(summary);

		if (robust > 0.0)
			return robust;
	}
	share = isnan(summary->stddev) ? summary->stddev_population : summary->stddev;
	if (summary->n == 1)
		return NAN;
	return share / fabs(summary->mean);
}

/* Of both sides together; what one does not show the other one tells. */
static double row_spread(const struct metric_row *row)
{
	double a = side_spread(&row->comparison.a), b = side_spread(&row->comparison.b);

	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return sqrt((a * a + b * b) / 2.0);
}

static size_t runs_to_find(double spread, double effect, size_t nr_now)
{
	size_t nr = power_pairs_to_find(spread, effect);

	if (nr <= nr_now)
		nr = nr_now + 1;
	return nr > EFFECT_MIN_RUNS ? nr : EFFECT_MIN_RUNS;
}

/* The strongest effect that the runs so far do not exclude; before a test they say nothing. */
static double strongest_effect(const struct decision *decision, double effect)
{
	struct interval interval = decision->interval;

	if (!decision->is_tested || !interval_is_bounded(interval) || interval.lo <= 0.0)
		return INFINITY;
	return fmax(effect, fmax(fabs(log(interval.lo)), fabs(log(interval.hi))));
}

bool runs_needed_for(const struct metric_row *row, struct runs_needed *ret)
{
	const struct decision *decision = &row->comparison.decision;
	double effect = fabs(log(decision->effect));
	double limit = -log1p(-row->min_effect);
	double spread = row_spread(row);
	size_t nr_now = decision->nr_a < decision->nr_b ? decision->nr_a : decision->nr_b;
	double strongest;

	if (row->verdict != VERDICT_UNDECIDED || row->kind == ROW_COUNTED ||
	    decision->scale != SCALE_RATIO || !isfinite(effect))
		return false;
	/* An effect below the limit is to be excluded, a larger one to be found. */
	*ret = (struct runs_needed){ .is_spread_known = !isnan(spread), .spread = spread };
	if (effect < limit)
		effect = limit;
	if (effect <= 0.0)
		return false;
	ret->max_spread = effect / power_effect(1.0, EFFECT_MIN_RUNS);
	ret->nr = EFFECT_MIN_RUNS;
	if (!decision->is_tested)
		nr_now = 0;
	if (ret->is_spread_known)
		ret->nr = runs_to_find(spread, effect, nr_now);
	strongest = strongest_effect(decision, effect);
	ret->nr_least = EFFECT_MIN_RUNS;
	if (ret->is_spread_known && isfinite(strongest))
		ret->nr_least = runs_to_find(spread, strongest, nr_now);
	ret->is_out_of_reach = ret->nr > OUT_OF_REACH;
	return true;
}

void runs_needed_text(const struct runs_needed *needed, const struct metric_row *row,
		      char ret_text[RUNS_NEEDED_LEN])
{
	double effect = 100.0 * fabs(row->comparison.decision.effect - 1.0);

	if (effect < 100.0 * row->min_effect)
		effect = 100.0 * row->min_effect;
	if (!needed->is_spread_known)
		(void)snprintf(
			ret_text, RUNS_NEEDED_LEN,
			"a verdict about %s needs at least %zu runs a side: that many show a "
			"difference of %.3g %% if single runs vary by up to %.2g %%",
			row->metric, needed->nr, effect, 100.0 * needed->max_spread);
	else if (needed->is_out_of_reach)
		(void)snprintf(
			ret_text, RUNS_NEEDED_LEN,
			"a verdict about %s takes at least %zu runs a side, and is out of reach "
			"if single runs vary by %.2g %% and the difference is %.3g %%, as it "
			"looks; "
			"longer runs or a quieter machine are needed",
			row->metric, needed->nr_least, 100.0 * needed->spread, effect);
	else
		(void)snprintf(
			ret_text, RUNS_NEEDED_LEN,
			"a verdict about %s takes at least %zu runs a side, about %zu if single "
			"runs vary by %.2g %% and the difference is %.3g %%, as it looks",
			row->metric, needed->nr_least, needed->nr, 100.0 * needed->spread, effect);
}
