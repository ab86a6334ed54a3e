/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of targets: where a trial can run. */
#include "target/target.h"

#include <string.h>

extern const struct target_ops target_vm;

static const struct target_ops *const targets[] = {
	&target_local,
	&target_vm,
	NULL,
};

const struct target_ops *const *target_table(void)
{
	return targets;
}

const struct target_ops *target_find(const char *name)
{
	for (size_t i = 0; targets[i]; i++) {
		if (!strcmp(targets[i]->name, name))
			return targets[i];
	}
	return NULL;
}
