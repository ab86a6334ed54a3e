/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CANDIDATE_GIT_H
#define REGIO_CANDIDATE_GIT_H

/* Private to src/candidate: the program git. */

#include <stdatomic.h>
#include <stdbool.h>

#include "base/strbuf.h"

struct err;

#define GIT_MAX_WORDS 16
#define GIT_NAME_LEN 12 /* of a hash, for people */

/*
 * A call of git in the folder dir, whatever repository the environment names. It runs no hooks,
 * asks nothing, and says what it says in English.
 */
struct git_call {
	const char *dir;
	const char *words[GIT_MAX_WORDS]; /* "log", "--oneline"; ends with a NULL */
	const atomic_bool *stop;
};

/* Any end but status 0 is an error with the last line that it printed; what: its subject. */
int git_run(const struct git_call *call, const char *what, struct strbuf *ret_out, struct err *err);
/* The exit status, 0 or 1; any other end is an error. */
int git_ask(const struct git_call *call, const char *what, bool *ret_yes, struct err *err);

#endif
