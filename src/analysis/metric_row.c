/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric_row: compares one metric by whatever is known of it. */
#include "analysis/metric_row.h"

#include <math.h>
#include <string.h>

#include "model/metric.h"
#include "stats/fisher.h"

void metric_row_init(struct metric_row *row, const char *metric)
{
	*row = (struct metric_row){
		.metric = metric,
		.unit = metric_unit(metric),
		.polarity = metric_polarity(metric),
		.use = ROW_OTHER,
	};
	metric_group_init(&row->group, metric);
}

double cohort_series_mean(const struct cohort_series *series)
{
	double sum = 0.0;

	if (!series->values.nr)
		return series->posted.mean;
	for (size_t i = 0; i < series->values.nr; i++)
		sum += series->values.items[i];
	return sum / (double)series->values.nr;
}

bool cohort_series_has_numbers(const struct cohort_series *series)
{
	return series->values.nr || series->posted.nr_runs;
}

size_t cohort_series_nr_zeros(const struct cohort_series *series)
{
	size_t nr = 0;

	for (size_t i = 0; i < series->values.nr; i++)
		nr += series->values.items[i] == 0.0;
	return nr;
}

static struct effect_rule rule_of(const struct metric_row *row, const struct effect_rule *asked)
{
	struct effect_rule rule = *asked;

	rule.min_effect = row->min_effect;
	rule.is_percent = !strcmp(row->unit, "%");
	return rule;
}

static void compare_measured(struct metric_row *row, const struct effect_rule *rule,
			     const struct nulldist *null)
{
	const struct compare_config config = {
		.rule = rule_of(row, rule),
		.polarity = row->polarity,
		.null = null,
	};
	struct sample base = { row->base->values.items, row->base->values.nr };
	struct sample new = { row->new->values.items, row->new->values.nr };

	row->kind = ROW_MEASURED;
	compare_samples(&config, &base, &new, &row->comparison);
}

static struct summary posted_summary(const struct cohort_series *series)
{
	double mean = cohort_series_mean(series);
	double share = series->posted.stddev_percent / 100.0;

	if (series->values.nr) {
		struct summary summary;

		summary_init(&summary, series->values.items, series->values.nr);
		return summary;
	}
	return (struct summary){
		.n = series->posted.nr_runs == GIVEN_RUNS_UNKNOWN ? 0 : series->posted.nr_runs,
		.mean = mean,
		.stddev = NAN,
		.stddev_population = fabs(mean) * share,
		.min = NAN,
		.max = NAN,
		.median = NAN,
		.mad = NAN,
		.median_interval = INTERVAL_UNBOUNDED,
	};
}

static void compare_posted(struct metric_row *row, const struct effect_rule *asked)
{
	struct effect_rule rule = rule_of(row, asked);
	double means[2] = { cohort_series_mean(row->base), cohort_series_mean(row->new) };
	enum scale scale = effect_scale(&rule, means, 2);
	double shift = effect_forward(scale, means[1]) - effect_forward(scale, means[0]);
	struct comparison *comparison = &row->comparison;

	row->kind = ROW_POSTED;
	*comparison = (struct comparison){
		.a = posted_summary(row->base),
		.b = posted_summary(row->new),
		.decision = effect_untested(scale, shift),
		.adjusted_p = 1.0,
		.ratio_of_medians = NAN,
		.ratio_of_means = means[1] / means[0],
		.slow_runs = { .p = 1.0 },
	};
	comparison->decision.nr_a = comparison->a.n;
	comparison->decision.nr_b = comparison->b.n;
}

void metric_row_compare_counts(struct metric_row *row, const struct effect_rule *rule)
{
	const struct row_count *a = &row->base_count, *b = &row->new_count;
	double rate_a = a->nr_runs ? (double)a->nr_hits / (double)a->nr_runs : 0.0;
	double rate_b = b->nr_runs ? (double)b->nr_hits / (double)b->nr_runs : 0.0;
	double alpha = rule->alpha;
	struct decision decision = effect_untested(SCALE_POINTS, rate_b - rate_a);

	row->kind = ROW_COUNTED;
	decision.nr_a = a->nr_runs;
	decision.nr_b = b->nr_runs;
	decision.is_tested = a->nr_runs >= EFFECT_MIN_RUNS && b->nr_runs >= EFFECT_MIN_RUNS;
	if (decision.is_tested) {
		decision.p = fisher_p(a->nr_hits, a->nr_runs, b->nr_hits, b->nr_runs);
		decision.guard_p = decision.p;
		decision.level = decision.alpha = alpha;
		decision.is_significant = decision.p <= alpha;
	}
	if (decision.is_significant)
		decision.finding = rate_b < rate_a ? FINDING_LOWER : FINDING_HIGHER;
	row->comparison = (struct comparison){ .decision = decision,
					       .adjusted_p = decision.p,
					       .ratio_of_medians = NAN,
					       .ratio_of_means = NAN,
					       .slow_runs = { .p = 1.0 } };
}

void metric_row_compare(struct metric_row *row, const struct effect_rule *rule,
			const struct nulldist *null)
{
	if (row->base->values.nr && row->new->values.nr)
		compare_measured(row, rule, null);
	else
		compare_posted(row, rule);
}

double metric_row_value(const struct metric_row *row, bool is_new)
{
	const struct summary *summary = is_new ? &row->comparison.b : &row->comparison.a;
	const struct row_count *count = is_new ? &row->new_count : &row->base_count;

	if (row->kind == ROW_COUNTED)
		return (double)count->nr_hits;
	return row->kind == ROW_MEASURED ? summary->median : summary->mean;
}

double metric_row_share(const struct metric_row *row, double shift)
{
	double largest;

	if (row->kind == ROW_COUNTED)
		return fabs(shift);
	if (row->comparison.decision.scale == SCALE_RATIO)
		return -expm1(-fabs(shift));
	if (!strcmp(row->unit, "%"))
		return fabs(shift) / 100.0;
	largest = fmax(fabs(metric_row_value(row, false)), fabs(metric_row_value(row, true)));
	return largest > 0.0 ? fabs(shift) / largest : 0.0;
}

double metric_row_effect_share(const struct metric_row *row)
{
	const struct decision *decision = &row->comparison.decision;

	return metric_row_share(row, effect_forward(decision->scale, decision->effect));
}
