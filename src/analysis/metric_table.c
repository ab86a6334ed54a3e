/* SPDX-License-Identifier: GPL-2.0-or-later */
/* metric_table: one row for each metric that two samples share. Judging is in metric_judge.c. */
#include "analysis/metric_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "model/lkp_table.h"
#include "model/metric.h"
#include "stats/nulldist.h"

struct row_list VEC_BODY(struct metric_row);

struct builder {
	const struct table_config *config;
	struct row_list rows;
	/* of the pair at hand */
	size_t pair_index;
	const struct cohort_pair *pair;
	const char *primary[METRIC_MAX_PRIMARY];
	size_t nr_primary;
	/* The null distribution of the sample sizes met last: mostly those of the next one too. */
	struct nulldist null;
	size_t null_n, null_m;
};

/* A counter that is mostly 0: by how much it differs says less than how often it does. */
static bool is_mostly_zero(const struct cohort_series *base, const struct cohort_series *new)
{
	size_t nr = base->values.nr + new->values.nr;
	size_t zeros = cohort_series_nr_zeros(base) + cohort_series_nr_zeros(new);

	return 2 * zeros > nr && zeros < nr;
}

static const struct nulldist *null_for(struct builder *builder, size_t n, size_t m)
{
	if (n < EFFECT_MIN_RUNS || m < EFFECT_MIN_RUNS)
		return NULL;
	if (builder->null_n != n || builder->null_m != m) {
		nulldist_release(&builder->null);
		nulldist_init_ranksum(&builder->null, n, m);
		builder->null_n = n;
		builder->null_m = m;
	}
	return &builder->null;
}

/* ---- rows ---- */

static bool is_primary(const struct builder *builder, const char *metric)
{
	for (size_t i = 0; i < builder->nr_primary; i++) {
		if (!strcmp(builder->primary[i], metric))
			return true;
	}
	return false;
}

static double floor_of(const char *metric)
{
	return metric_is_performance(metric) ? TABLE_FLOOR_PERFORMANCE : TABLE_FLOOR_OTHER;
}

static struct metric_row row_begin(const struct builder *builder, const char *metric)
{
	struct metric_row row;

	metric_row_init(&row, metric);
	if (is_primary(builder, metric)) {
		row.use = ROW_PRIMARY;
		if (row.polarity == POLARITY_NONE)
			row.polarity = builder->config->polarity;
	}
	row.pair = builder->pair_index;
	row.min_effect = builder->config->rule.min_effect;
	return row;
}

static void row_end(struct builder *builder, struct metric_row *row, double floor)
{
	row->is_relevant = metric_row_effect_share(row) >= floor;
	vec_push(&builder->rows, *row);
}

static struct row_count count_hits(const struct cohort_series *series, size_t nr_runs)
{
	struct row_count count = { .nr_runs = nr_runs };

	if (series)
		count.nr_hits = series->values.nr - cohort_series_nr_zeros(series);
	return count;
}

static void add_series(struct builder *builder, const struct cohort_series *base,
		       const struct cohort_series *new)
{
	struct metric_row row = row_begin(builder, base->name);
	const struct effect_rule *rule = &builder->config->rule;
	double floor = floor_of(base->name);

	row.base = base;
	row.new = new;
	if (base->job != COHORT_WHOLE) {
		row.job = &builder->pair->base->jobs.items[base->job];
		row.use = ROW_JOB;
	}
	if (row.use != ROW_PRIMARY)
		row.min_effect = fmax(row.min_effect, floor);
	if (row.use != ROW_PRIMARY && strcmp(row.unit, "%") != 0 && is_mostly_zero(base, new)) {
		row.base_count = count_hits(base, base->values.nr);
		row.new_count = count_hits(new, new->values.nr);
		metric_row_compare_counts(&row, rule);
	} else {
		metric_row_compare(&row, rule, null_for(builder, base->values.nr, new->values.nr));
	}
	row_end(builder, &row, floor);
}

/* Runs in which a failure was seen; a run without the metric has not seen it. */
static void add_failure(struct builder *builder, const char *metric,
			const struct cohort_series *base, const struct cohort_series *new)
{
	struct metric_row row = row_begin(builder, metric);

	row.base = base;
	row.new = new;
	row.unit = "";
	row.polarity = POLARITY_LOWER_IS_BETTER;
	row.base_count = count_hits(base, cohort_nr_used(builder->pair->base));
	row.new_count = count_hits(new, cohort_nr_used(builder->pair->new));
	metric_row_compare_counts(&row, &builder->config->rule);
	row_end(builder, &row, 0.0);
}

/* Runs that ended with an error take no part in anything else. */
static void add_failed_runs(struct builder *builder)
{
	const struct cohort *base = builder->pair->base, *new = builder->pair->new;
	struct metric_row row = row_begin(builder, ROW_FAILED_RUNS);

	if (base->nr_failed + new->nr_failed == 0)
		return;
	row.unit = "";
	row.use = ROW_PRIMARY;
	row.polarity = POLARITY_LOWER_IS_BETTER;
	row.base_count = (struct row_count){ base->nr_failed, base->runs.nr };
	row.new_count = (struct row_count){ new->nr_failed, new->runs.nr };
	metric_row_compare_counts(&row, &builder->config->rule);
	row_end(builder, &row, 0.0);
}

/* The job of the other side that has the name and order, or else the place, of this one. */
static size_t partner_job(const struct cohort_pair *pair, size_t job)
{
	size_t found;

	if (job == COHORT_WHOLE)
		return COHORT_WHOLE;
	found = cohort_find_job(pair->new, &pair->base->jobs.items[job]);
	if (found == COHORT_WHOLE && pair->base->jobs.nr == pair->new->jobs.nr)
		return job;
	return found;
}

/* With a single direction the totals only repeat it. */
static bool repeats_direction(const struct cohort *cohort, const char *metric)
{
	static const char *const names[] = { "read.", "write.", "trim." };
	unsigned nr_directions = 0;

	if (strncmp(metric, "total.", 6) != 0)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CLEANUP(free) char *ios = xasprintf("%stotal_ios", names[i]);
		CLEANUP(free) char *iops = xasprintf("%siops", names[i]);
		CLEANUP(free) char *bw = xasprintf("%sbw_bytes_per_sec", names[i]);

		nr_directions += cohort_find(cohort, COHORT_WHOLE, ios) ||
				 cohort_find(cohort, COHORT_WHOLE, iops) ||
				 cohort_find(cohort, COHORT_WHOLE, bw);
	}
	return nr_directions == 1;
}

static void add_shared(struct builder *builder)
{
	const struct cohort_pair *pair = builder->pair;
	bool has_totals = !repeats_direction(pair->base, "total.");

	VEC_FOREACH (&pair->base->series, base) {
		size_t job = partner_job(pair, base->job);
		const struct cohort_series *new;

		if (job == COHORT_WHOLE && base->job != COHORT_WHOLE)
			continue;
		new = cohort_find(pair->new, job, base->name);
		if (job == COHORT_WHOLE && lkp_is_failure(base->name)) {
			add_failure(builder, base->name, base, new);
			continue;
		}
		if (!new || !cohort_series_has_numbers(base) || !cohort_series_has_numbers(new))
			continue;
		if (has_totals || is_primary(builder, base->name) ||
		    strncmp(base->name, "total.", 6) != 0)
			add_series(builder, base, new);
	}
	VEC_FOREACH (&pair->new->series, new) {
		if (new->job == COHORT_WHOLE && lkp_is_failure(new->name) &&
		    !cohort_find(pair->base, COHORT_WHOLE, new->name))
			add_failure(builder, new->name, NULL, new);
	}
}

/* ---- primary metrics ---- */

/* Full name of a metric that a user typed, as both sides have it. 1 = found, 0 = not here. */
static int resolve(const struct cohort_pair *pair, const char *text, const char **ret_name,
		   struct err *err)
{
	VEC(struct metric) shared = VEC_INIT;
	CLEANUP(free) char *name = NULL;
	int ret;

	VEC_FOREACH (&pair->base->series, base) {
		const struct cohort_series *new;

		if (base->job != COHORT_WHOLE)
			continue;
		new = cohort_find(pair->new, COHORT_WHOLE, base->name);
		if (!new || !cohort_series_has_numbers(base) || !cohort_series_has_numbers(new))
			continue;
		vec_push(&shared, (struct metric){ .name = xstrdup(base->name),
						   .value = cohort_series_mean(base) });
	}
	ret = metric_list_resolve(&(struct metric_list){ shared.items, shared.nr }, text, &name,
				  err);
	if (ret == 0)
		*ret_name = cohort_find(pair->base, COHORT_WHOLE, name)->name;
	metric_list_release(&(struct metric_list){ shared.items, shared.nr });
	return ret == 0;
}

/* Marks in is_found which of the metrics that were named this pair has. */
static void choose_primary(struct builder *builder, bool *is_found, struct err *err)
{
	const struct table_config *config = builder->config;

	builder->nr_primary = 0;
	if (!config->nr_metrics)
		builder->nr_primary = metric_choose_primary(builder->pair->base, builder->pair->new,
							    builder->primary);
	for (size_t i = 0; i < config->nr_metrics; i++) {
		const char *name;

		if (!resolve(builder->pair, config->metrics[i], &name, err))
			continue;
		is_found[i] = true;
		if (!is_primary(builder, name))
			builder->primary[builder->nr_primary++] = name;
	}
}

static void add_pair(struct builder *builder, bool *is_found, struct err *err)
{
	choose_primary(builder, is_found, err);
	add_failed_runs(builder);
	add_shared(builder);
}

int metric_table_init(struct metric_table *table, const struct table_config *config,
		      const struct cohort_pairs *pairs, struct err *err)
{
	struct builder builder = { .config = config };
	bool is_found[METRIC_MAX_PRIMARY] = { false };
	struct err refusal = { .code = (enum err_code)0 };

	for (size_t i = 0; i < pairs->nr; i++) {
		builder.pair_index = i;
		builder.pair = &pairs->items[i];
		if (builder.pair->base && builder.pair->new)
			add_pair(&builder, is_found, &refusal);
	}
	nulldist_release(&builder.null);
	*table = (struct metric_table){
		.pairs = pairs->items,
		.nr_pairs = pairs->nr,
		.rows = builder.rows.items,
		.nr = builder.rows.nr,
		.rule = config->rule,
	};
	for (size_t i = 0; i < config->nr_metrics && refusal.code; i++) {
		if (is_found[i])
			continue;
		metric_table_release(table);
		return err_set(err, ERR_USAGE, "%s", refusal.msg);
	}
	metric_table_judge(table);
	metric_table_rank(table);
	return 0;
}

void metric_table_release(struct metric_table *table)
{
	free(table->rows);
	*table = (struct metric_table){ .nr = 0 };
}
