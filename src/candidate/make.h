/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CANDIDATE_MAKE_H
#define REGIO_CANDIDATE_MAKE_H

/* Private to src/candidate: the user's command that makes a candidate ready. */

#include <stdatomic.h>
#include <stdint.h>

struct err;
struct strbuf;

struct make {
	const char *what;      /* "build", for messages */
	const char *command;   /* for the shell */
	const char *candidate; /* $REGIO_CANDIDATE */
	const char *tree;      /* working folder and $REGIO_TREE; NULL = the current one */
	uint64_t timeout_ns;   /* 0 = none */
	const atomic_bool *stop;
};

/*
 * That the command fails is no error: *ret_why is how, with the last line that it printed, else
 * NULL (caller frees). ret_output: what it printed; may be NULL.
 */
int make_run(const struct make *make, char **ret_why, struct strbuf *ret_output, struct err *err);

#endif
