/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_samples: results and stored values as samples of LKP's comparison. */
#include "analysis/lkp_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/name_index.h"
#include "base/vec.h"
#include "model/lkp_table.h"
#include "model/metric.h"
#include "model/metric_alias.h"
#include "model/result.h"

#define TOTAL "total."

/* One metric while the runs are collected. */
struct column {
	struct lkp_series series;
	VEC(double) values;
};

struct collector {
	struct arena *arena;
	struct name_index index; /* of names in the arena */
	VEC(struct column) columns;
	bool has_direction;
};

static bool is_of_direction(const char *name)
{
	return !strncmp(name, "read.", 5) || !strncmp(name, "write.", 6) ||
	       !strncmp(name, "trim.", 5);
}

/* fio.workload is total.total_ios, by LKP's own name. */
static bool is_derived(const char *name, const char *source_name)
{
	return !source_name && !strncmp(name, TOTAL, strlen(TOTAL));
}

static struct column *column_of(struct collector *collector, const char *lkp_name)
{
	size_t nr = collector->columns.nr;
	size_t *place = name_index_place(&collector->index, lkp_name, nr);

	if (*place == nr) {
		const char *name = arena_strdup(collector->arena, lkp_name);

		name_index_rename(&collector->index, name);
		vec_push(&collector->columns,
			 (struct column){ .series = { .name = name,
						      .spread_percent = (double)NAN,
						      .change = (double)NAN } });
	}
	return &collector->columns.items[*place];
}

static void add_value(struct collector *collector, const char *name, double value)
{
	CLEANUP(metric_alias) struct metric_alias alias = { .name = NULL };

	metric_alias_to_lkp(name, &alias);
	vec_push(&column_of(collector, alias.name)->values, alias.factor * value);
}

/* By the name that it was printed under. */
static void add_printed(struct collector *collector, const struct given_metric *metric)
{
	CLEANUP(metric_alias) struct metric_alias alias = { .name = NULL };
	struct column *column;
	double value;

	metric_alias_from_lkp(metric->source_name, &alias);
	value = metric->value / alias.factor;
	column = column_of(collector, metric->source_name);
	if (!metric->nr_runs)
		vec_push(&column->values, value);
}

static void add_average(struct collector *collector, const struct given_metric *metric)
{
	CLEANUP(metric_alias) struct metric_alias alias = { .name = NULL };
	const char *name = metric->source_name;
	double factor;
	struct lkp_series *series;

	if (name)
		metric_alias_from_lkp(name, &alias);
	else
		metric_alias_to_lkp(metric->name, &alias);
	factor = name ? 1.0 / alias.factor : alias.factor;
	series = &column_of(collector, name ? name : alias.name)->series;
	if (series->has_average)
		return; /* the first one that was posted */
	series->has_average = true;
	series->average = factor * metric->value;
	series->spread_percent = metric->stddev_percent;
	series->average_runs = metric->nr_runs == GIVEN_RUNS_UNKNOWN ? 0 : metric->nr_runs;
	series->change = metric->change;
	series->line = metric->line;
}

static void add_given(struct collector *collector, const struct result *result)
{
	for (size_t i = 0; i < result->given.nr; i++) {
		const struct given_metric *metric = &result->given.items[i];

		if (is_derived(metric->name, metric->source_name) && collector->has_direction)
			continue;
		if (metric->nr_runs)
			add_average(collector, metric);
		else if (result->interrupted && !lkp_is_failure(metric->name))
			continue;
		else if (metric->source_name)
			add_printed(collector, metric);
		else
			add_value(collector, metric->name, metric->value);
	}
}

static void add_measured(struct collector *collector, const struct result *result)
{
	CLEANUP(metric_list) struct metric_list list = { .nr = 0 };

	if (result->interrupted)
		return;
	result_metrics(result, &list);
	for (size_t i = 0; i < list.nr; i++) {
		if (!is_derived(list.items[i].name, NULL) || !collector->has_direction)
			add_value(collector, list.items[i].name, list.items[i].value);
	}
}

/* A run, not averages of several. */
static bool is_run(const struct result *result)
{
	for (size_t i = 0; i < result->given.nr; i++) {
		if (!result->given.items[i].nr_runs)
			return true;
	}
	return !result->given.nr;
}

static bool has_direction(const struct result *result)
{
	for (size_t i = 0; i < result->given.nr; i++) {
		if (is_of_direction(result->given.items[i].name))
			return true;
	}
	return !result->given.nr; /* measured: each has one */
}

static const char *env_of(const struct result *result, const char *key)
{
	for (size_t i = 0; i < result->nr_env; i++) {
		if (!strcmp(result->env[i].key, key))
			return result->env[i].value;
	}
	return NULL;
}

static const char *copy(struct arena *arena, const char *text)
{
	return text ? arena_strdup(arena, text) : NULL;
}

static void describe(const struct result *result, struct arena *arena, struct lkp_sample *sample)
{
	const char *commit = env_of(result, "lkp.commit");

	if (commit && !sample->name) {
		sample->name = sample->title;
		sample->title = copy(arena, commit);
	}
	if (!sample->subject)
		sample->subject = copy(arena, env_of(result, "lkp.subject"));
}

/* Moves all into the arena. */
static void finish(struct collector *collector, struct lkp_sample *sample)
{
	size_t nr = collector->columns.nr;
	struct lkp_series *series = arena_alloc_array(collector->arena, nr, sizeof(*series));

	for (size_t i = 0; i < nr; i++) {
		struct column *column = &collector->columns.items[i];

		series[i] = column->series;
		series[i].nr_values = column->values.nr;
		if (column->values.nr)
			series[i].values = arena_memdup(collector->arena, column->values.items,
							column->values.nr * sizeof(double));
		vec_release(&column->values);
	}
	sample->series = series;
	sample->nr_series = nr;
	vec_release(&collector->columns);
	name_index_release(&collector->index);
}

void lkp_sample_of_results(const char *label, const struct result *const *results,
			   size_t nr_results, struct arena *arena, struct lkp_sample *ret_sample)
{
	struct collector collector = { .arena = arena };
	struct lkp_sample sample = { .title = arena_strdup(arena, label) };

	for (size_t i = 0; i < nr_results; i++)
		collector.has_direction |= has_direction(results[i]);
	for (size_t i = 0; i < nr_results; i++) {
		if (results[i]->given.nr)
			add_given(&collector, results[i]);
		else
			add_measured(&collector, results[i]);
		sample.nr_runs += is_run(results[i]);
		describe(results[i], arena, &sample);
	}
	finish(&collector, &sample);
	*ret_sample = sample;
}

static bool has_direction_name(const char *const *metrics, size_t nr_metrics)
{
	for (size_t i = 0; i < nr_metrics; i++) {
		if (is_of_direction(metrics[i]))
			return true;
	}
	return false;
}

void lkp_sample_of_values(const char *label, const char *const *metrics, size_t nr_metrics,
			  const double *values, size_t nr_runs, struct arena *arena,
			  struct lkp_sample *ret_sample)
{
	struct collector collector = { .arena = arena,
				       .has_direction = has_direction_name(metrics, nr_metrics) };
	struct lkp_sample sample = { .title = arena_strdup(arena, label), .nr_runs = nr_runs };

	for (size_t i = 0; i < nr_metrics; i++) {
		if (is_derived(metrics[i], NULL) && collector.has_direction)
			continue;
		for (size_t run = 0; run < nr_runs; run++) {
			double value = values[i * nr_runs + run];

			if (isfinite(value))
				add_value(&collector, metrics[i], value);
		}
	}
	finish(&collector, &sample);
	*ret_sample = sample;
}
