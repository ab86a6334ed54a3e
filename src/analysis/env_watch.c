/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_watch: notices that a fact changed from one trial to the next. */
#include "analysis/env_watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/result.h"

static void changes_clear(struct env_watch *watch)
{
	VEC_FOREACH (&watch->changes, change) {
		free(change->key);
		free(change->before);
		free(change->after);
	}
	vec_clear(&watch->changes);
}

static void add_change(struct env_watch *watch, const char *key, const struct fact *before,
		       const struct fact *after)
{
	vec_push(&watch->changes,
		 (struct env_change){ .key = xstrdup(key),
				      .before = before ? xstrdup(before->value) : NULL,
				      .after = after ? xstrdup(after->value) : NULL });
}

static void compare(struct env_watch *watch, const struct fact_index *now)
{
	VEC_FOREACH (&watch->last.facts, before) {
		const struct fact *after = fact_index_find(now, before->key);

		if (!after || strcmp(before->value, after->value) != 0)
			add_change(watch, before->key, before, after);
	}
	VEC_FOREACH (&now->facts, after) {
		if (!fact_index_find(&watch->last, after->key))
			add_change(watch, after->key, NULL, after);
	}
}

size_t env_watch_add(struct env_watch *watch, const struct result *result)
{
	struct fact_index now = { .keys = { .nr = 0 } };

	changes_clear(watch);
	for (size_t i = 0; i < result->nr_env; i++)
		fact_index_add(&now, result->env[i].key, result->env[i].value);
	if (watch->has_last)
		compare(watch, &now);
	fact_index_release(&watch->last);
	watch->last = now;
	watch->has_last = 1;
	return watch->changes.nr;
}

void env_watch_release(struct env_watch *watch)
{
	changes_clear(watch);
	vec_release(&watch->changes);
	fact_index_release(&watch->last);
	*watch = (struct env_watch){ .has_last = 0 };
}
