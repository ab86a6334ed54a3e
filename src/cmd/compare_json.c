/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare_json: a comparison in the stable JSON form, schema regio.compare. */
#include "cmd/compare.h"
#include "cmd/env_report.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/shift.h"
#include "base/cleanup.h"
#include "cmd/report_json.h"

#define COMPARE_JSON_VERSION 1

static json_t *sample_json(const char *label, const struct summary *summary,
			   const struct cohort_series *series)
{
	json_t *object = json_pack("{s:o}", "label", report_text(label));

	report_add_summary(object, summary);
	(void)json_object_set_new(object, "values",
				  report_values(series->values.items, series->values.nr));
	return object;
}

static json_t *count_json(const char *label, const struct row_count *count)
{
	return json_pack("{s:o, s:I, s:I}", "label", report_text(label), "n",
			 (json_int_t)count->nr_runs, "hits", (json_int_t)count->nr_hits);
}

static json_t *side_json(const struct compare *compare, const struct metric_row *row, bool is_new)
{
	const char *label =
		is_new ? compare_new_label(compare, row->pair) : compare->sides[0].label;
	const struct comparison *comparison = &row->comparison;

	if (row->kind == ROW_COUNTED)
		return count_json(label, is_new ? &row->new_count : &row->base_count);
	return sample_json(label, is_new ? &comparison->b : &comparison->a,
			   is_new ? row->new : row->base);
}

static void add_identity(const struct compare *compare, json_t *object,
			 const struct metric_row *row)
{
	static const char *const kinds[] = {
		[ROW_MEASURED] = "runs", [ROW_POSTED] = "means", [ROW_COUNTED] = "counts"
	};
	const char *workload = compare->pairs.items[row->pair].base->workload;

	(void)json_object_set_new(object, "workload", report_text(workload));
	if (row->job)
		(void)json_object_set_new(object, "job",
					  json_pack("{s:o, s:I}", "name",
						    report_text(row->job->name), "ordinal",
						    (json_int_t)row->job->ordinal));
	(void)json_object_set_new(object, "group", report_text(row->group.name));
	(void)json_object_set_new(object, "primary", json_boolean(row->use == ROW_PRIMARY));
	(void)json_object_set_new(object, "kind", json_string(kinds[row->kind]));
	(void)json_object_set_new(object, "same_as",
				  report_text(row->same_as ? row->same_as->metric : NULL));
}

static json_t *row_json(const struct compare *compare, const struct metric_row *row)
{
	const struct comparison *comparison = &row->comparison;
	json_t *object = json_pack("{s:o, s:s, s:o, s:o}", "metric", report_text(row->metric),
				   "unit", row->unit, "base", side_json(compare, row, false), "new",
				   side_json(compare, row, true));

	report_add_effect(object, &comparison->decision);
	(void)json_object_set_new(object, "adjusted_p",
				  comparison->decision.is_tested
					  ? report_number(comparison->adjusted_p)
					  : json_null());
	(void)json_object_set_new(object, "alpha", json_real(compare->config->alpha));
	(void)json_object_set_new(object, "min_effect", json_real(row->min_effect));
	(void)json_object_set_new(object, "verdict", json_string(verdict_name(row->verdict)));
	add_identity(compare, object, row);
	return object;
}

static json_t *rows_json(const struct compare *compare)
{
	json_t *array = json_array();

	for (size_t i = 0; i < compare->table.nr; i++)
		(void)json_array_append_new(array, row_json(compare, &compare->table.rows[i]));
	return array;
}

/* ---- percentiles ---- */

static json_t *quantile_json(const struct shift_row *row)
{
	json_t *object = json_pack("{s:f, s:I}", "quantile", row->quantile, "runs_with_too_few_ios",
				   (json_int_t)row->nr_few);
	json_t *base, *new;

	if (!row->is_present)
		return object;
	base = json_object();
	new = json_object();
	report_add_summary(base, &row->comparison.a);
	report_add_summary(new, &row->comparison.b);
	(void)json_object_set_new(object, "base", base);
	(void)json_object_set_new(object, "new", new);
	report_add_effect(object, &row->comparison.decision);
	(void)json_object_set_new(object, "adjusted_p",
				  row->comparison.decision.is_tested
					  ? report_number(row->comparison.adjusted_p)
					  : json_null());
	(void)json_object_set_new(object, "verdict", json_string(verdict_name(row->verdict)));
	return object;
}

static json_t *shift_json(const struct compare *compare, size_t pair,
			  const struct cohort_latency *base, const struct cohort_latency *new)
{
	struct shift_sample samples[2] = { { base->runs.items, base->runs.nr },
					   { new->runs.items, new->runs.nr } };
	json_t *quantiles = json_array();
	struct shift shift;

	shift_compare(&compare->table.rule, &samples[0], &samples[1], &shift);
	for (size_t i = 0; i < SHIFT_NR_QUANTILES; i++)
		(void)json_array_append_new(quantiles, quantile_json(&shift.rows[i]));
	return json_pack("{s:o, s:o, s:s, s:s, s:s, s:s, s:o}", "new",
			 report_text(compare_new_label(compare, pair)), "workload",
			 report_text(compare->pairs.items[pair].base->workload), "direction",
			 io_dir_name(base->dir), "latency", latency_kind_name(base->kind), "unit",
			 "ns", "finding", shift_finding_name(shift.finding), "quantiles",
			 quantiles);
}

static json_t *shifts_json(const struct compare *compare)
{
	json_t *array = json_array();

	for (size_t i = 0; i < compare->pairs.nr; i++) {
		const struct cohort_pair *pair = &compare->pairs.items[i];

		if (!pair->base || !pair->new)
			continue;
		VEC_FOREACH (&pair->base->latencies, latency) {
			const struct cohort_latency *other =
				cohort_find_latency(pair->new, latency->dir, latency->kind);

			if (other && compare_shows_shift(compare, latency))
				(void)json_array_append_new(array,
							    shift_json(compare, i, latency, other));
		}
	}
	return array;
}

char *compare_report_json(const struct compare *compare)
{
	char reason[LABEL_REASON_LEN];
	json_t *root = json_pack("{s:s, s:i, s:o, s:o}", "schema", "regio.compare", "version",
				 COMPARE_JSON_VERSION, "base", report_text(compare->sides[0].label),
				 "new", report_text(compare->sides[1].label));

	if (compare->nr_sides > 2)
		(void)json_object_set_new(root, "new2", report_text(compare->sides[2].label));
	label_reason_text(&compare->base_choice, reason);
	if (compare->is_base_chosen)
		(void)json_object_set_new(root, "base_reason",
					  report_text(*reason ? reason : "it stands first"));
	(void)json_object_set_new(root, "alpha", json_real(compare->config->alpha));
	(void)json_object_set_new(root, "min_effect", json_real(compare->config->min_effect));
	(void)json_object_set_new(root, "verdict",
				  json_string(verdict_name(metric_table_verdict(&compare->table))));
	(void)json_object_set_new(root, "metrics", rows_json(compare));
	(void)json_object_set_new(root, "percentiles", shifts_json(compare));
	(void)json_object_set_new(
		root, "environment",
		env_report_json(&compare->sides[0], &compare->sides[1], compare->nr_sides - 1));
	(void)json_object_set_new(root, "notes", report_notes(&compare->notes));
	return report_dump(root);
}
