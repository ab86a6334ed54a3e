/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env: the table of areas, and all of them in order. What there is to know is theirs. */
#include "env/env.h"

#include "env/env_table.h"
#include "env/facts.h"

/* The order of facts in a result, and so in lists of what differs between two. */
static const struct env_area *const table[] = {
	&env_stack,  &env_kernel,  &env_cpu,	  &env_memory,
	&env_sysctl, &env_machine, &env_software, NULL,
};

const struct env_area *const *env_table(void)
{
	return table;
}

void env_collect(const struct env_context *context, struct result *result)
{
	struct facts facts = { .context = context, .result = result };

	for (size_t i = 0; table[i]; i++)
		table[i]->collect(&facts);
}
