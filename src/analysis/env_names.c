/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_names: one name for each place of a stack, over all trials. */
#include "analysis/env_names.h"

#include <stdlib.h>

#include "analysis/disk_names.h"
#include "base/arena.h"
#include "model/result.h"

static void pairs_free(struct result_pair *pairs, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		free(pairs[i].key);
		free(pairs[i].value);
	}
	free(pairs);
}

static struct result_pair *pairs_map(const struct disk_names *names, const struct result *result)
{
	struct result_pair *pairs = xcalloc(result->nr_env + 1, sizeof(*pairs));

	for (size_t i = 0; i < result->nr_env; i++) {
		const struct result_pair *pair = &result->env[i];

		pairs[i].key = disk_names_key(names, pair->key);
		pairs[i].value = disk_names_value(names, pair->key, pair->value);
	}
	return pairs;
}

void env_names_apply(struct env_names *names, const struct result *result, struct result *ret_view)
{
	CLEANUP(disk_names) struct disk_names found = { .nr = 0 };

	if (!names->first) {
		names->first = pairs_map(&found, result);
		names->nr_first = result->nr_env;
	}
	disk_names_match(&found, names->first, names->nr_first, result->env, result->nr_env);
	pairs_free(names->mapped, names->nr_mapped);
	names->mapped = pairs_map(&found, result);
	names->nr_mapped = result->nr_env;
	*ret_view = *result;
	ret_view->env = names->mapped;
}

void env_names_release(struct env_names *names)
{
	pairs_free(names->first, names->nr_first);
	pairs_free(names->mapped, names->nr_mapped);
	*names = (struct env_names){ .first = NULL };
}
