/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare_env: what differs between the machines and settings of two sides, as table and JSON. */
#include "cmd/compare_env.h"

#include <jansson.h>

#include "cmd/compare.h"
#include "cmd/report_json.h"
#include "output/doc.h"

static struct env_facts facts_of(const struct side *side)
{
	return (struct env_facts){ .env = side->env.items,
				   .nr_env = side->env.nr,
				   .settings = side->settings.items,
				   .nr_settings = side->settings.nr };
}

void compare_env_diff(const struct compare *compare, size_t side, struct env_diff *ret_diff)
{
	struct env_facts base = facts_of(&compare->sides[0]);
	struct env_facts new = facts_of(&compare->sides[side]);

	env_diff_init(ret_diff, &base, &new);
}

size_t compare_add_environment(const struct compare *compare, size_t side, struct doc *doc)
{
	static const struct doc_column columns[] = {
		{ "differs", DOC_LEFT },
		{ "base", DOC_LEFT },
		{ "new", DOC_LEFT },
		{ "on purpose", DOC_LEFT },
	};
	CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };
	struct doc_table *table;

	compare_env_diff(compare, side, &diff);
	if (diff.nr == 0)
		return 0;
	doc_heading(doc, "differences between %s and %s", compare->sides[0].label,
		    compare->sides[side].label);
	table = doc_table(doc, "environment", columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < diff.nr; i++) {
		doc_row(table);
		doc_text(table, "%s", diff.rows[i].key);
		doc_text(table, "%s", diff.rows[i].base ? diff.rows[i].base : "-");
		doc_text(table, "%s", diff.rows[i].new ? diff.rows[i].new : "-");
		doc_text(table, "%s", diff.rows[i].is_meant ? "yes" : "no");
	}
	return diff.nr;
}

json_t *compare_environment_json(const struct compare *compare)
{
	json_t *array = json_array();

	for (size_t side = 1; side < compare->nr_sides; side++) {
		CLEANUP(env_diff) struct env_diff diff = { .nr = 0 };

		compare_env_diff(compare, side, &diff);
		for (size_t i = 0; i < diff.nr; i++)
			(void)json_array_append_new(
				array, json_pack("{s:o, s:o, s:o, s:o, s:b}", "key",
						 report_text(diff.rows[i].key), "base",
						 report_text(diff.rows[i].base), "new",
						 report_text(diff.rows[i].new), "new_label",
						 report_text(compare->sides[side].label),
						 "on_purpose", (int)diff.rows[i].is_meant));
	}
	return array;
}
