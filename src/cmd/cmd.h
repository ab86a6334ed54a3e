/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_CMD_H
#define REGIO_CMD_CMD_H

/*
 * The commands of regio. Adding one: a file cmd_x.c that defines a const struct command, its
 * row in cmd.c, man/regio-x.1.scd and tests/cli/x.sh. Help and completion come from the row
 * and from its option rows.
 */

struct args_spec;
struct err;

struct command {
	const char *name, *summary;
	/* Option rows, for --help, completion and the man page check. */
	const struct args_spec *spec;
	/*
	 * argv[0] is the first word after the command. Returns the exit status of a decision
	 * (0, 1, 10), or a negative err_code with *err filled. Prints results to stdout only.
	 */
	int (*run)(int argc, char *const *argv, struct err *err);
};

/* NULL if there is none of that name. */
const struct command *command_find(const char *name);
/* The table, NULL-terminated. */
const struct command *const *command_table(void);

#endif
