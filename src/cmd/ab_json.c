/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an A/B comparison says: the stable JSON form, schema regio.ab. */
#include <jansson.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "cmd/ab.h"
#include "cmd/ab_table.h"
#include "cmd/env_report.h"
#include "cmd/report_json.h"

#define AB_JSON_VERSION 1

static json_t *sample_json(const struct ab *ab, enum campaign_side side,
			   const struct summary *summary, const struct ab_row *row)
{
	CLEANUP(free) char *label = setting_list_text(&ab->sides[side].settings);
	json_t *object =
		json_pack("{s:s, s:o}", "side", side_name(side), "label", report_text(label));

	report_add_summary(object, summary);
	(void)json_object_set_new(object, "values", report_values(row->values[side], row->nr));
	return object;
}

static json_t *row_json(const struct ab *ab, const struct ab_row *row)
{
	const struct comparison *comparison = &row->comparison;
	json_t *object = json_pack("{s:s, s:s, s:o, s:o}", "metric", row->metric, "unit",
				   metric_unit(row->metric), "base",
				   sample_json(ab, SIDE_A, &comparison->a, row), "new",
				   sample_json(ab, SIDE_B, &comparison->b, row));

	report_add_effect(object, &comparison->decision);
	(void)json_object_set_new(object, "verdict", json_string(verdict_name(row->verdict)));
	if (!row->is_deciding)
		(void)json_object_set_new(object, "adjusted_p",
					  report_number(comparison->adjusted_p));
	return object;
}

char *ab_finish_json(const struct ab *ab, json_t *root, json_t *other_metrics)
{
	(void)json_object_set_new(root, "min_effect", json_real(ab->config->min_effect));
	(void)json_object_set_new(root, "seed", json_integer((json_int_t)ab->session.seed));
	(void)json_object_set_new(root, "other_metrics", other_metrics);
	(void)json_object_set_new(
		root, "environment",
		env_report_json(&ab->sides[SIDE_A].facts, &ab->sides[SIDE_B].facts, 1));
	(void)json_object_set_new(root, "notes", report_notes(&ab->notes));
	if (ab->session.store)
		(void)json_object_set_new(root, "session",
					  json_integer((json_int_t)ab->session.experiment));
	(void)json_object_set_new(root, "repeat_command", report_text(ab->command));
	return report_dump(root);
}

char *ab_report_json(const struct ab *ab)
{
	json_t *root = json_pack("{s:s, s:i}", "schema", "regio.ab", "version", AB_JSON_VERSION);
	json_t *others = json_array();
	struct ab_table table = { .nr = 0 };

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
	(void)json_object_set_new(root, "pairs",
				  json_integer((json_int_t)ab->campaign.look.nr_pairs));
	(void)json_object_set_new(root, "max_pairs", json_integer(ab->config->max_pairs));
	(void)json_object_set_new(root, "paired",
				  json_boolean(ab->campaign.look.mode == STOP_PAIRED));
	(void)json_object_set_new(root, "verdict", json_string(ab_verdict_name(ab)));
	ab_table_release(&table);
	return ab_finish_json(ab, root, others);
}
