/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shift: quantiles of latency, one value a run, compared between two samples. */
#include "analysis/shift.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "stats/hist.h"

const double shift_quantiles[SHIFT_NR_QUANTILES] = {
	0.10, 0.25, 0.50, 0.75, 0.90, 0.95, 0.99, 0.999
};

static const struct {
	const char *name;
	const char *text;
} findings[] = {
	[SHIFT_UNTESTED] = { "untested", "" },
	[SHIFT_NONE] = { "none", "no quantile changed for certain" },
	[SHIFT_TAIL_ONLY] = { "tail_only", "only the tail (p95 and beyond) changed for certain" },
	[SHIFT_BODY_ONLY] = { "body_only", "only the body (below p95) changed for certain" },
	[SHIFT_WHOLE] = { "whole", "body and tail changed in the same direction" },
	[SHIFT_CROSSED] = { "crossed", "some quantiles rose and others fell" },
};

void shift_run_init(struct shift_run *run, const struct hist *hist)
{
	run->nr_ios = hist_total(hist);
	hist_quantiles(hist, shift_quantiles, SHIFT_NR_QUANTILES, run->values_ns);
}

bool shift_run_has(const struct shift_run *run, size_t index)
{
	/* 1 - 0.999 is not exactly 0.001; 30000 I/Os must suffice for it. */
	return (double)run->nr_ios * (1.0 - shift_quantiles[index]) >=
	       SHIFT_MIN_IOS_BEYOND * (1.0 - 1e-9);
}

/* Values of one quantile over the runs that have it. Caller frees. */
static double *quantile_values(const struct shift_sample *sample, size_t index, size_t *ret_nr)
{
	double *values = xcalloc(sample->nr ? sample->nr : 1, sizeof(*values));
	size_t nr = 0;

	for (size_t i = 0; i < sample->nr; i++) {
		if (shift_run_has(&sample->runs[i], index))
			values[nr++] = (double)sample->runs[i].values_ns[index];
	}
	*ret_nr = nr;
	return values;
}

static void compare_row(const struct effect_rule *rule, const struct shift_sample *a,
			const struct shift_sample *b, size_t index, struct shift_row *row)
{
	const struct compare_config config = {
		.rule = *rule,
		.polarity = POLARITY_LOWER_IS_BETTER,
	};
	struct sample samples[2];
	CLEANUP(free) double *values_a = NULL;
	CLEANUP(free) double *values_b = NULL;

	row->quantile = shift_quantiles[index];
	values_a = quantile_values(a, index, &samples[0].nr);
	values_b = quantile_values(b, index, &samples[1].nr);
	samples[0].values = values_a;
	samples[1].values = values_b;
	row->nr_few = a->nr - samples[0].nr + b->nr - samples[1].nr;
	row->is_present = samples[0].nr > 0 && samples[1].nr > 0;
	if (row->is_present)
		compare_samples(&config, &samples[0], &samples[1], &row->comparison);
}

/* Holm over the quantiles that were tested. */
static void adjust(const struct effect_rule *rule, struct shift *shift)
{
	struct comparison present[SHIFT_NR_QUANTILES];
	size_t nr = 0;

	for (size_t i = 0; i < SHIFT_NR_QUANTILES; i++) {
		if (shift->rows[i].is_present)
			present[nr++] = shift->rows[i].comparison;
	}
	comparisons_adjust(present, nr, COMPARE_ADJUST_HOLM);
	nr = 0;
	for (size_t i = 0; i < SHIFT_NR_QUANTILES; i++) {
		struct shift_row *row = &shift->rows[i];
		enum finding finding;

		if (!row->is_present)
			continue;
		row->comparison.adjusted_p = present[nr++].adjusted_p;
		finding = row->comparison.decision.finding;
		if ((finding == FINDING_LOWER || finding == FINDING_HIGHER) &&
		    row->comparison.adjusted_p > rule->alpha)
			finding = FINDING_UNDECIDED;
		row->verdict = verdict_of(finding, POLARITY_LOWER_IS_BETTER);
	}
}

static enum shift_finding find(const struct shift *shift)
{
	size_t nr_tested = 0, nr_worse = 0, nr_better = 0, nr_body = 0, nr_tail = 0;

	for (size_t i = 0; i < SHIFT_NR_QUANTILES; i++) {
		const struct shift_row *row = &shift->rows[i];
		bool is_worse = row->is_present && row->verdict == VERDICT_REGRESSION;
		bool is_better = row->is_present && row->verdict == VERDICT_IMPROVEMENT;

		nr_tested += row->is_present && row->comparison.decision.is_tested;
		nr_worse += is_worse;
		nr_better += is_better;
		if (is_worse || is_better) {
			nr_body += row->quantile < SHIFT_TAIL;
			nr_tail += row->quantile >= SHIFT_TAIL;
		}
	}
	if (nr_tested == 0)
		return SHIFT_UNTESTED;
	if (nr_worse && nr_better)
		return SHIFT_CROSSED;
	if (nr_body && nr_tail)
		return SHIFT_WHOLE;
	if (nr_tail)
		return SHIFT_TAIL_ONLY;
	return nr_body ? SHIFT_BODY_ONLY : SHIFT_NONE;
}

void shift_compare(const struct effect_rule *rule, const struct shift_sample *a,
		   const struct shift_sample *b, struct shift *ret)
{
	struct effect_rule own = *rule;

	own.resolution = fmax(rule->resolution, HIST_RESOLUTION);
	*ret = (struct shift){ .finding = SHIFT_UNTESTED };
	for (size_t i = 0; i < SHIFT_NR_QUANTILES; i++)
		compare_row(&own, a, b, i, &ret->rows[i]);
	adjust(&own, ret);
	ret->finding = find(ret);
}

const char *shift_finding_text(enum shift_finding finding)
{
	return findings[finding].text;
}

const char *shift_finding_name(enum shift_finding finding)
{
	return findings[finding].name;
}
