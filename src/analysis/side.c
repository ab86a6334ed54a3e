/* SPDX-License-Identifier: GPL-2.0-or-later */
/* side: sorts the results of a label by workload. */
#include "analysis/side.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/result_workload.h"

struct cohort *side_cohort(struct side *side, const char *workload)
{
	struct cohort *cohort;

	VEC_FOREACH (&side->cohorts, it) {
		if (!strcmp((*it)->workload, workload))
			return *it;
	}
	cohort = cohort_create(workload);
	vec_push(&side->cohorts, cohort);
	return cohort;
}

static bool has_pair(const struct result_pair *pairs, size_t nr, const char *key, const char *value)
{
	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(pairs[i].key, key) && !strcmp(pairs[i].value, value))
			return true;
	}
	return false;
}

void side_add_env(struct side *side, const char *key, const char *value)
{
	char *both;

	if (!strcmp(key, RESULT_WORKLOAD_KEY))
		return;
	both = arena_printf(&side->arena, "%s=%s", key, value);
	if (name_index_find(&side->env_seen, both))
		return;
	(void)name_index_place(&side->env_seen, both, 0);
	vec_push(&side->env, (struct result_pair){ .key = xstrdup(key), .value = xstrdup(value) });
}

void side_add_setting(struct side *side, const char *key, const char *value)
{
	if (has_pair(side->settings.items, side->settings.nr, key, value))
		return;
	vec_push(&side->settings,
		 (struct result_pair){ .key = xstrdup(key), .value = xstrdup(value) });
}

void side_add_attachment(struct side *side, const char *name, const char *text)
{
	if (has_pair(side->attachments.items, side->attachments.nr, name, text))
		return;
	vec_push(&side->attachments,
		 (struct result_pair){ .key = xstrdup(name), .value = xstrdup(text) });
}

void side_add_facts(struct side *side, const struct result *result)
{
	for (size_t i = 0; i < result->nr_env; i++) {
		const struct result_pair *pair = &result->env[i];

		if (strncmp(pair->key, COHORT_LKP_PREFIX, strlen(COHORT_LKP_PREFIX)) != 0)
			side_add_env(side, pair->key, pair->value);
	}
	for (size_t i = 0; i < result->nr_settings; i++)
		side_add_setting(side, result->settings[i].key, result->settings[i].value);
	for (size_t i = 0; i < result->nr_attachments; i++)
		side_add_attachment(side, result->attachments[i].key, result->attachments[i].value);
	if (result->tool)
		side_add_env(side, "tool.name", result->tool);
	if (result->tool_version)
		side_add_env(side, "tool.version", result->tool_version);
}

void side_add_result(struct side *side, const struct result *result, enum cohort_jobs jobs)
{
	CLEANUP(free) char *workload = result_workload(result);
	struct cohort *cohort = side_cohort(side, workload);

	cohort_add_result(cohort, result, jobs);
	for (size_t i = 0; i < result->nr_env; i++) {
		const struct result_pair *pair = &result->env[i];

		if (!strncmp(pair->key, COHORT_LKP_PREFIX, strlen(COHORT_LKP_PREFIX)))
			cohort_add_lkp(cohort, pair->key, pair->value);
	}
	side_add_facts(side, result);
	note_list_append(&side->notes, &result->notes);
}

struct env_facts side_facts(const struct side *side)
{
	return (struct env_facts){ .env = side->env.items,
				   .nr_env = side->env.nr,
				   .settings = side->settings.items,
				   .nr_settings = side->settings.nr,
				   .attachments = side->attachments.items,
				   .nr_attachments = side->attachments.nr };
}

static void pairs_release(struct result_pair *pairs, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		free(pairs[i].key);
		free(pairs[i].value);
	}
	free(pairs);
}

void side_release(struct side *side)
{
	VEC_FOREACH (&side->cohorts, cohort)
		cohort_free(*cohort);
	vec_release(&side->cohorts);
	pairs_release(side->env.items, side->env.nr);
	pairs_release(side->settings.items, side->settings.nr);
	pairs_release(side->attachments.items, side->attachments.nr);
	name_index_release(&side->env_seen);
	arena_release(&side->arena);
	note_list_release(&side->notes);
	free(side->label);
	free(side->where);
	*side = (struct side){ .label = NULL };
}
