/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_json_facts: the options that fio printed, as facts of the environment. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/name_index.h"
#include "base/vec.h"
#include "import/fio_json.h"

#define PREFIX "job."

/* An option, over all jobs. */
struct option_use {
	const char *key, *value; /* of the first job that has it */
	size_t nr_jobs, last_job;
	bool is_one_value;
};

struct uses {
	VEC(struct option_use) list;
	struct name_index by_key;
};

/* What tells jobs apart and changes nothing that they do. */
static bool is_name(const char *key)
{
	return !strcmp(key, "name") || !strcmp(key, "description") || !strcmp(key, "hostname");
}

static void count_option(struct uses *uses, const struct result_pair *option, size_t job)
{
	size_t place = *name_index_place(&uses->by_key, option->key, uses->list.nr);
	struct option_use *use;

	if (place == uses->list.nr)
		vec_push(&uses->list, (struct option_use){ .key = option->key,
							   .value = option->value,
							   .last_job = SIZE_MAX,
							   .is_one_value = true });
	use = &uses->list.items[place];
	use->is_one_value &= !strcmp(use->value, option->value);
	use->nr_jobs += use->last_job != job;
	use->last_job = job;
}

static void count_options(struct uses *uses, const struct result *result)
{
	for (size_t i = 0; i < result->nr_jobs; i++) {
		const struct job_result *job = &result->jobs[i];

		for (size_t j = 0; j < job->nr_options; j++)
			count_option(uses, &job->options[j], i);
	}
}

/* In place of what the global options say. */
static void set_fact(struct result *result, const char *name, const char *value)
{
	CLEANUP(free) char *key = xasprintf(PREFIX "%s", name);

	for (size_t i = result->nr_env; i > 0; i--) {
		struct result_pair *pair = &result->env[i - 1];

		if (strcmp(pair->key, key) != 0)
			continue;
		free(pair->value);
		pair->value = xstrdup(value);
		return;
	}
	result_add_env(result, key, value);
}

/* Clones have one name: the first one says it. */
static void add_own_facts(struct result *result, const struct uses *uses,
			  const struct job_result *job, struct name_index *seen,
			  struct arena *arena)
{
	for (size_t i = 0; i < job->nr_options; i++) {
		const struct result_pair *option = &job->options[i];
		const struct option_use *use =
			&uses->list.items[*name_index_find(&uses->by_key, option->key)];
		const char *key;

		if (is_name(option->key) || (use->is_one_value && use->nr_jobs == result->nr_jobs))
			continue;
		key = arena_printf(arena, "job[%s].%s", job->name, option->key);
		if (*name_index_place(seen, key, result->nr_env) == result->nr_env)
			result_add_env(result, key, option->value);
	}
}

void fio_json_add_facts(struct result *result)
{
	struct uses uses = { .by_key = { .nr = 0 } };
	CLEANUP(name_index) struct name_index seen = { .nr = 0 };
	CLEANUP(arena) struct arena arena = ARENA_INIT;

	count_options(&uses, result);
	VEC_FOREACH (&uses.list, use) {
		if (use->is_one_value && use->nr_jobs == result->nr_jobs && !is_name(use->key))
			set_fact(result, use->key, use->value);
	}
	for (size_t i = 0; i < result->nr_jobs; i++)
		add_own_facts(result, &uses, &result->jobs[i], &seen, &arena);
	vec_release(&uses.list);
	name_index_release(&uses.by_key);
}
