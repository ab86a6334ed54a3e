/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an A/B comparison says: the stable JSON form, schema regio.ab. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "cmd/ab.h"
#include "cmd/ab_table.h"

#define AB_JSON_VERSION 1

/* JSON has no infinity: what is not known is null. */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *values_json(const double *values, size_t nr)
{
	json_t *array = json_array();

	for (size_t i = 0; i < nr; i++)
		(void)json_array_append_new(array,
					    number(values[i])); /* out of memory: seen at dump */
	return array;
}

static json_t *sample_json(const struct ab *ab, enum side side, const struct summary *summary,
			   const struct ab_row *row)
{
	CLEANUP(free) char *label = setting_list_text(&ab->sides[side].settings);

	return json_pack("{s:s, s:s, s:I, s:o, s:o, s:o, s:o}", "side", side_name(side), "label",
			 label, "n", (json_int_t)row->nr, "median", number(summary->median), "mean",
			 number(summary->mean), "stddev_percent",
			 number(100 * summary->stddev / fabs(summary->mean)), "values",
			 values_json(row->values[side], row->nr));
}

static json_t *interval_json(struct interval interval)
{
	return json_pack("[o, o]", number(interval.lo), number(interval.hi));
}

/* A ratio, or a difference in points for percentages: the key says which. */
static void add_effect(json_t *object, const struct decision *decision)
{
	const char *key = decision->scale == SCALE_RATIO ? "ratio" : "difference";

	(void)json_object_set_new(object, key, number(decision->effect));
	(void)json_object_set_new(object, "interval", interval_json(decision_interval(decision)));
	(void)json_object_set_new(object, "p", number(decision->p));
	(void)json_object_set_new(object, "confidence", number(decision_confidence(decision)));
}

static json_t *row_json(const struct ab *ab, const struct ab_row *row)
{
	const struct comparison *comparison = &row->comparison;
	json_t *object = json_pack("{s:s, s:s, s:o, s:o}", "metric", row->metric, "unit",
				   metric_unit(row->metric), "base",
				   sample_json(ab, SIDE_A, &comparison->a, row), "new",
				   sample_json(ab, SIDE_B, &comparison->b, row));

	add_effect(object, &comparison->decision);
	(void)json_object_set_new(object, "verdict", json_string(verdict_name(row->verdict)));
	if (!row->is_deciding)
		(void)json_object_set_new(object, "adjusted_p", number(comparison->adjusted_p));
	return object;
}

static json_t *notes_json(const struct note_list *notes)
{
	json_t *array = json_array();

	for (size_t i = 0; i < notes->nr; i++) {
		const struct note_kind *kind = note_kind(notes->items[i].id);

		(void)json_array_append_new(array, json_pack("{s:s, s:s, s:s}", "id", kind->name,
							     "text", notes->items[i].text, "advice",
							     kind->advice));
	}
	return array;
}

char *ab_report_json(const struct ab *ab)
{
	json_t *root = json_pack("{s:s, s:i}", "schema", "regio.ab", "version", AB_JSON_VERSION);
	json_t *others = json_array();
	struct ab_table table = { .nr = 0 };
	char *text;

	if (ab->metric)
		ab_table_init(&table, ab, true);
	if (table.nr) {
		json_t *deciding = row_json(ab, &table.rows[0]);

		(void)json_object_update(root, deciding);
		json_decref(deciding);
	}
	for (size_t i = 1; i < table.nr; i++)
		(void)json_array_append_new(others, row_json(ab, &table.rows[i]));
	(void)json_object_set_new(root, "alpha", json_real(ab->config->alpha));
	(void)json_object_set_new(root, "min_effect", json_real(ab->config->min_effect));
	(void)json_object_set_new(root, "pairs",
				  json_integer((json_int_t)ab->campaign.look.nr_pairs));
	(void)json_object_set_new(root, "max_pairs", json_integer(ab->config->max_pairs));
	(void)json_object_set_new(root, "paired",
				  json_boolean(ab->campaign.look.mode == STOP_PAIRED));
	(void)json_object_set_new(root, "seed", json_integer((json_int_t)ab->session.seed));
	(void)json_object_set_new(root, "verdict", json_string(ab_verdict_name(ab)));
	(void)json_object_set_new(root, "other_metrics", others);
	(void)json_object_set_new(root, "notes", notes_json(&ab->notes));
	(void)json_object_set_new(root, "repeat_command", json_string(ab->command));
	text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
	json_decref(root);
	ab_table_release(&table);
	return text ? text : xstrdup("{}");
}
