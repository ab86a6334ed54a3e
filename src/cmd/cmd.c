/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of commands. */
#include "cmd/cmd.h"

#include <stddef.h>
#include <string.h>

extern const struct command cmd_ab;
extern const struct command cmd_bisect;
extern const struct command cmd_compare;
extern const struct command cmd_doctor;
extern const struct command cmd_env;
extern const struct command cmd_import;
extern const struct command cmd_matrix;
extern const struct command cmd_restore;
extern const struct command cmd_run;
extern const struct command cmd_verdict;
extern const struct command cmd_vm;

/* clang-format off */
static const struct command *const commands[] = {
	&cmd_run,
	&cmd_ab,
	&cmd_matrix,
	&cmd_bisect,
	&cmd_compare,
	&cmd_verdict,
	&cmd_import,
	&cmd_env,
	&cmd_doctor,
	&cmd_restore,
	&cmd_vm,
	NULL,
};
/* clang-format on */

const struct command *const *command_table(void)
{
	return commands;
}

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++) {
		if (!strcmp(commands[i]->name, name))
			return commands[i];
	}
	return NULL;
}
