/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gathers the metrics of all runs of a comparison and compares each. */
#include "cmd/ab_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "cmd/ab.h"
#include "cmd/usual_metrics.h"
#include "model/metric.h"

/* With a single direction the totals only repeat it. */
static bool repeats_direction(const struct metric_list *metrics, const char *metric)
{
	static const char *const names[] = { "read.total_ios", "write.total_ios",
					     "trim.total_ios" };
	unsigned nr_directions = 0;
	double value;

	if (strncmp(metric, "total.", 6) != 0)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		nr_directions += metric_find(metrics, names[i], &value) == 0;
	return nr_directions == 1;
}

static size_t nr_pairs(const struct ab *ab)
{
	size_t nr_a = ab->sides[SIDE_A].nr_runs;
	size_t nr_b = ab->sides[SIDE_B].nr_runs;

	return nr_a < nr_b ? nr_a : nr_b;
}

/* The values of one metric over the runs of one side; NULL if a run lacks it. */
static double *side_values(const struct ab_side *side, const char *metric, size_t nr)
{
	double *values = xcalloc(nr, sizeof(*values));

	for (size_t i = 0; i < nr; i++) {
		if (metric_find(&side->runs[i], metric, &values[i]) == 0)
			continue;
		free(values);
		return NULL;
	}
	return values;
}

/*
 * What the session's own rule says about another metric of the same pairs: bandwidth must not
 * tell another story than IOPS only because one was compared in pairs and the other was not.
 */
static struct decision session_decision(const struct ab *ab, const struct effect_rule *rule,
					const struct ab_row *row)
{
	const struct stop_config config = { .rule = *rule, .max_pairs = ab->config->max_pairs };
	const size_t last = row->nr - 1;
	struct stop_look look;
	struct stop stop;

	if (stop_init(&stop, &config, NULL) < 0)
		return row->comparison.decision; /* the session's own were accepted: cannot be */
	stop.mode = ab->campaign.look.mode;
	stop.nr_pairs = last;
	for (size_t i = 0; i < last; i++) {
		stop.a[i] = row->values[SIDE_A][i];
		stop.b[i] = row->values[SIDE_B][i];
		stop.a_first[i] = ab->campaign.stop.a_first[i];
	}
	stop_add_pair(&stop, row->values[SIDE_A][last], row->values[SIDE_B][last],
		      ab->campaign.stop.a_first[last], &look);
	return look.decision;
}

static bool row_init(struct ab_row *row, const struct ab *ab, const char *metric)
{
	const struct compare_config config = {
		.rule = ab_rule(ab, metric),
		.polarity = ab_polarity(ab, metric, metric_polarity(metric)),
	};
	struct sample samples[NR_SIDES];

	*row = (struct ab_row){
		.metric = metric,
		.is_deciding = !strcmp(metric, ab->metric),
		.nr = nr_pairs(ab),
	};
	for (int side = SIDE_A; side < NR_SIDES; side++) {
		row->values[side] = side_values(&ab->sides[side], metric, row->nr);
		samples[side] = (struct sample){ .values = row->values[side], .nr = row->nr };
	}
	if (!row->values[SIDE_A] || !row->values[SIDE_B]) {
		free(row->values[SIDE_A]);
		free(row->values[SIDE_B]);
		return false;
	}
	compare_samples(&config, &samples[SIDE_A], &samples[SIDE_B], &row->comparison);
	row->comparison.decision = row->is_deciding ? ab->campaign.look.decision
						    : session_decision(ab, &config.rule, row);
	return true;
}

/*
 * Exploratory rows: Benjamini-Hochberg over all of them (statistics that move together), the
 * deciding row apart, whose error rate is budgeted already.
 */
static void judge_rows(struct ab_table *table, const struct ab *ab)
{
	CLEANUP(free) struct comparison *others = xcalloc(table->nr + 1, sizeof(*others));
	size_t nr = 0;

	for (size_t i = 0; i < table->nr; i++) {
		if (!table->rows[i].is_deciding)
			others[nr++] = table->rows[i].comparison;
	}
	comparisons_adjust(others, nr, COMPARE_ADJUST_BENJAMINI_HOCHBERG);
	nr = 0;
	for (size_t i = 0; i < table->nr; i++) {
		struct ab_row *row = &table->rows[i];
		enum finding finding = row->comparison.decision.finding;

		if (!row->is_deciding) {
			row->comparison.adjusted_p = others[nr++].adjusted_p;
			if ((finding == FINDING_LOWER || finding == FINDING_HIGHER) &&
			    row->comparison.adjusted_p > ab->config->alpha)
				finding = FINDING_UNDECIDED;
		}
		row->verdict = verdict_of(
			finding, ab_polarity(ab, row->metric, metric_polarity(row->metric)));
	}
}

void ab_table_init(struct ab_table *table, const struct ab *ab, bool all)
{
	const struct metric_list *metrics = ab->sides[SIDE_A].runs;
	VEC(struct ab_row) rows = VEC_INIT;
	struct ab_row row;

	*table = (struct ab_table){ .nr = 0 };
	if (nr_pairs(ab) == 0)
		return;
	if (row_init(&row, ab, ab->metric))
		vec_push(&rows, row);
	for (size_t i = 0; i < metrics->nr; i++) {
		const char *metric = metrics->items[i].name;

		if (!strcmp(metric, ab->metric) || repeats_direction(metrics, metric) ||
		    !(all || metric_is_usual(metric)))
			continue;
		if (row_init(&row, ab, metric))
			vec_push(&rows, row);
	}
	*table = (struct ab_table){ .rows = rows.items, .nr = rows.nr };
	judge_rows(table, ab);
}

void ab_table_release(struct ab_table *table)
{
	for (size_t i = 0; i < table->nr; i++) {
		free(table->rows[i].values[SIDE_A]);
		free(table->rows[i].values[SIDE_B]);
	}
	free(table->rows);
	*table = (struct ab_table){ .nr = 0 };
}
