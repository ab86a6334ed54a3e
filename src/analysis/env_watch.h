/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_ENV_WATCH_H
#define REGIO_ANALYSIS_ENV_WATCH_H

/*
 * Compares the environment of each trial with that of the trial of the same side before it: what
 * changes there was changed by somebody else.
 */

#include <stddef.h>

#include "analysis/fact_index.h"
#include "base/cleanup.h"
#include "base/vec.h"

struct result;

struct env_change {
	char *key;
	char *before; /* NULL = it was not there */
	char *after;  /* NULL = it is not there any more */
};

/* Zero is empty: no trial yet. */
struct env_watch {
	struct fact_index last;
	int has_last;
	VEC(struct env_change) changes; /* of the latest trial */
};

/* Looks at one more trial. Returns the number of changes. */
size_t env_watch_add(struct env_watch *watch, const struct result *result);
void env_watch_release(struct env_watch *watch);
CLEANUP_DEFINE(env_watch, struct env_watch, env_watch_release)

#endif
