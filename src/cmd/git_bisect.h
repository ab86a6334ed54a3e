/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_GIT_BISECT_H
#define REGIO_CMD_GIT_BISECT_H

/* The exit status that `git bisect run` understands. */

#include <stdbool.h>

#define GIT_BISECT_HELP "exit status for git bisect run: 0 good, 1 bad, 125 skip, 128 stop"

/* Whether it is among the words: asked where args_parse did not come to an end. */
bool git_bisect_is_asked(int argc, char *const *argv);

/*
 * Of a deciding command's return value: 0, 1, or 125, "this commit cannot be judged". Above 128,
 * which ends the bisection: a signal, or an error that every other commit would meet as well. git
 * would pass over all of them without a word. is_of_commit: an error may be this commit's alone.
 */
int git_bisect_status(int ret, bool is_of_commit);

#endif
