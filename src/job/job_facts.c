/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_facts: what the jobs really had, not only what was asked for. */
#include "job/job_facts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/vec.h"
#include "job/keys.h"
#include "model/job.h"
#include "model/result.h"

static const struct job_option *find_given(const struct job *job, const char *key)
{
	for (size_t i = 0; i < job->effective.nr; i++) {
		if (!strcmp(job->effective.items[i].key, key))
			return &job->effective.items[i];
	}
	return NULL;
}

/* Options by which a field is set. */
struct field {
	const struct key_row *row;
	struct VEC_BODY(const struct key_row *) others; /* bsrange, which sets what bs sets */
};

static void field_init(struct field *field, const struct key_row *row)
{
	size_t nr;
	const struct key_row *rows = keys_table(&nr);

	*field = (struct field){ .row = row };
	for (size_t i = 0; i < nr; i++) {
		if (&rows[i] != row && rows[i].offset == row->offset)
			vec_push(&field->others, &rows[i]);
	}
}

/* Another option was given, so that this one has no default. */
static bool is_set_by_another(const struct job *job, const struct field *field)
{
	VEC_FOREACH (&field->others, other) {
		if (find_given(job, (*other)->info.name))
			return true;
	}
	return false;
}

/* The value in force; NULL if the option is off or is none of this job's. */
static const char *value_of(const struct job *job, const struct field *field)
{
	const struct key_row *row = field->row;
	const struct job_option *given = find_given(job, row->info.name);

	if (given)
		return *given->value ? given->value : "1";
	if (!row->info.default_text || !*row->info.default_text ||
	    !key_is_of_engine(row, job->ioengine) || is_set_by_another(job, field))
		return NULL;
	return row->info.default_text;
}

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static void add_field(const struct job_set *jobs, const struct field *field, struct result *result)
{
	const char *first = value_of(&jobs->jobs[0], field);
	CLEANUP(free) char *key = xasprintf("job.%s", field->row->info.name);
	bool is_common = true;

	for (size_t i = 1; i < jobs->nr && is_common; i++)
		is_common = is_same(first, value_of(&jobs->jobs[i], field));
	if (is_common && first)
		result_add_env(result, key, first);
	for (size_t i = 0; i < jobs->nr && !is_common; i++) {
		const struct job *job = &jobs->jobs[i];
		const char *value = value_of(job, field);
		CLEANUP(free)
		char *own = xasprintf("job[%s].%s", job->section, field->row->info.name);

		if (value && !result_env(result, own))
			result_add_env(result, own, value);
	}
}

void job_facts_add(const struct job_set *jobs, struct result *result)
{
	static const char *const names[] = { "name", "description" };
	size_t nr;
	const struct key_row *rows = keys_table(&nr);

	for (size_t i = 0; i < nr && jobs->nr; i++) {
		struct field field;

		if (!strcmp(rows[i].info.name, names[0]) || !strcmp(rows[i].info.name, names[1]))
			continue;
		field_init(&field, &rows[i]);
		add_field(jobs, &field, result);
		vec_release(&field.others);
	}
}
