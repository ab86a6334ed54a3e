/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare_lkp: the samples under LKP's names and in its units, for its table. */
#include "cmd/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lkp_compare.h"
#include "base/arena.h"
#include "model/lkp_table.h"
#include "model/metric_alias.h"
#include "model/result.h"
#include "output/doc.h"

#define TOTAL "total."

static bool has_direction(const struct cohort *cohort)
{
	VEC_FOREACH (&cohort->series, series) {
		if (!strncmp(series->name, "read.", 5) || !strncmp(series->name, "write.", 6) ||
		    !strncmp(series->name, "trim.", 5))
			return true;
	}
	return false;
}

/* Sums over the directions are regio's own, unless LKP has printed them under a name of its. */
static bool is_derived(const struct cohort_series *series)
{
	return !series->source_name && !strncmp(series->name, TOTAL, strlen(TOTAL));
}

/* LKP's name, and what a value is to be multiplied with to be in its unit. */
static const char *lkp_name(const struct cohort_series *series, struct arena *arena,
			    double *ret_factor)
{
	CLEANUP(metric_alias) struct metric_alias alias = { .name = NULL };

	if (series->source_name) {
		metric_alias_from_lkp(series->source_name, &alias);
		*ret_factor = 1.0 / alias.factor;
		return series->source_name;
	}
	metric_alias_to_lkp(series->name, &alias);
	*ret_factor = alias.factor;
	return arena_strdup(arena, alias.name);
}

static struct lkp_series series_of(const struct cohort_series *series, struct arena *arena)
{
	const struct posted *posted = &series->posted;
	double factor;
	struct lkp_series out = { .name = lkp_name(series, arena, &factor),
				  .nr_values = series->values.nr,
				  .spread_percent = (double)NAN,
				  .change = (double)NAN };
	double *values = arena_alloc_array(arena, series->values.nr, sizeof(*values));

	for (size_t i = 0; i < series->values.nr; i++)
		values[i] = factor * series->values.items[i];
	out.values = values;
	if (!posted->nr_runs)
		return out;
	out.has_average = true;
	out.average = factor * posted->mean;
	out.spread_percent = posted->stddev_percent;
	out.average_runs = posted->nr_runs == GIVEN_RUNS_UNKNOWN ? 0 : posted->nr_runs;
	out.change = posted->change;
	out.line = posted->line;
	return out;
}

static struct lkp_sample sample_of(const char *label, const struct cohort *cohort,
				   struct arena *arena)
{
	const char *commit = cohort_lkp(cohort, "lkp.commit");
	bool has_dir = has_direction(cohort);
	struct lkp_series *series = arena_alloc_array(arena, cohort->series.nr, sizeof(*series));
	struct lkp_sample sample = {
		.title = commit ? commit : label,
		.name = commit ? label : NULL,
		.subject = cohort_lkp(cohort, "lkp.subject"),
		.nr_runs = cohort->runs.nr,
		.series = series,
	};

	VEC_FOREACH (&cohort->series, it) {
		if (it->job != COHORT_WHOLE || (has_dir && is_derived(it)) ||
		    (!it->values.nr && !it->posted.nr_runs))
			continue;
		series[sample.nr_series++] = series_of(it, arena);
	}
	return sample;
}

struct sample_list {
	struct lkp_sample items[COMPARE_MAX_SIDES];
	size_t nr;
};

static void add_sample(struct sample_list *list, const char *label, const struct cohort *cohort,
		       struct arena *arena)
{
	if (list->nr < COMPARE_MAX_SIDES)
		list->items[list->nr++] = sample_of(label, cohort, arena);
}

/* A table of samples of one workload, the first one being the base. */
static void add_table(const struct compare *compare, const struct cohort *first,
		      const struct sample_list *samples, struct doc *doc)
{
	const struct lkp_options options = {
		.rule = { .test = LKP_TEST_RANGES, .is_strict = compare->config->lkp_strict },
		.is_all = compare->config->all_metrics,
	};
	CLEANUP(lkp_table) struct lkp_table table = { .nr_rows = 0 };
	const char *axes = cohort_lkp(first, "lkp.axes");

	if (samples->nr < 2)
		return;
	if (axes) {
		table.axes = xstrdup(axes);
		table.axes_values = xstrdup(first->workload);
	}
	table.compared = xstrdup(axes ? "commit" : "sample");
	lkp_compare(samples->items, samples->nr, &options, &table);
	doc_lkp(doc, &table);
}

/* A workload of the base: all sides that have it. */
static void add_base_table(const struct compare *compare, const struct cohort *base,
			   struct doc *doc)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	struct sample_list samples = { .nr = 0 };

	add_sample(&samples, compare->sides[0].label, base, &arena);
	for (size_t i = 0; i < compare->pairs.nr; i++) {
		const struct cohort_pair *pair = &compare->pairs.items[i];

		if (pair->base == base && pair->new)
			add_sample(&samples, compare_new_label(compare, i), pair->new, &arena);
	}
	add_table(compare, base, &samples, doc);
}

/* A workload that the base lacks: the first side that has it takes its place. */
static void add_other_table(const struct compare *compare, size_t first, struct doc *doc)
{
	CLEANUP(arena) struct arena arena = ARENA_INIT;
	const struct cohort *cohort = compare->pairs.items[first].new;
	struct sample_list samples = { .nr = 0 };

	for (size_t i = 0; i < compare->pairs.nr; i++) {
		const struct cohort_pair *pair = &compare->pairs.items[i];

		if (pair->base || strcmp(pair->new->workload, cohort->workload) != 0)
			continue;
		if (i < first)
			return; /* was in the table of that one */
		add_sample(&samples, compare_new_label(compare, i), pair->new, &arena);
	}
	add_table(compare, cohort, &samples, doc);
}

void compare_add_lkp(const struct compare *compare, struct doc *doc)
{
	for (size_t i = 0; i < compare->sides[0].cohorts.nr; i++)
		add_base_table(compare, compare->sides[0].cohorts.items[i], doc);
	for (size_t i = 0; i < compare->pairs.nr; i++) {
		if (!compare->pairs.items[i].base)
			add_other_table(compare, i, doc);
	}
}
