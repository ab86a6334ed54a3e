/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_GIT_BISECT_H
#define REGIO_CMD_GIT_BISECT_H

/* The exit status that `git bisect run` understands. */

#include <stdbool.h>

#define GIT_BISECT_HELP "exit status for git bisect run: 0 good, 1 bad, 125 everything else"

/* Of a deciding command's return value: 0, 1, or 125, "this commit cannot be judged"; above 128,
 * which ends the bisection, if a signal ended it. */
int git_bisect_status(int ret);

/*
 * Return value after args_parse failed. No commit can be judged with a wrong command line: if
 * --git-bisect is among the words the bisection ends.
 */
int git_bisect_usage(int argc, char *const *argv, int ret);

#endif
