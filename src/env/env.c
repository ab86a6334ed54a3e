/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env: the table of areas, and all of them in order. What there is to know is theirs. */
#include "env/env.h"

#include <string.h>

#include "env/env_table.h"
#include "env/facts.h"
#include "model/note.h"
#include "model/result.h"

/* The order of facts in a result, and so in lists of what differs between two. */
static const struct env_area *const table[] = {
	&env_stack,  &env_kernel,  &env_cpu,	  &env_memory,
	&env_sysctl, &env_machine, &env_software, NULL,
};

const struct env_area *const *env_table(void)
{
	return table;
}

static void add_change(struct result *result, const struct result_pair *now, const char *before)
{
	note_add(&result->notes, NOTE_ENV_CHANGED,
		 "%s was %.80s before the jobs ran, and %.80s after", now->key,
		 before ? before : "absent", now->value);
	result_add_env(result, now->key, now->value);
}

void env_recheck(const struct env_context *context, struct result *result)
{
	CLEANUP(result) struct result now = { .nr_env = 0 };
	struct facts facts = { .context = context, .result = &now };

	for (size_t i = 0; table[i]; i++) {
		if (table[i]->is_rechecked)
			table[i]->collect(&facts);
	}
	for (size_t i = 0; i < now.nr_env; i++) {
		const char *before = result_env(result, now.env[i].key);

		if (!before || strcmp(before, now.env[i].value) != 0)
			add_change(result, &now.env[i], before);
	}
}

void env_collect(const struct env_context *context, struct result *result)
{
	struct facts facts = { .context = context, .result = result };

	for (size_t i = 0; table[i]; i++)
		table[i]->collect(&facts);
}
