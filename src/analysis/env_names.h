/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_ENV_NAMES_H
#define REGIO_ANALYSIS_ENV_NAMES_H

/*
 * Trials that build their devices anew get other numbers (loop9, then loop10) for what is the same
 * place of the same stack. Here every trial is seen under the names of the first one.
 */

#include <stddef.h>

#include "base/cleanup.h"

struct result;
struct result_pair;

/* Zero is empty: no trial yet. */
struct env_names {
	struct result_pair *first; /* environment of the first trial */
	size_t nr_first;
	struct result_pair *mapped; /* of the latest one */
	size_t nr_mapped;
};

/* *ret_view is the result with the environment under the first names; it borrows everything and
 * is valid until the next call. */
void env_names_apply(struct env_names *names, const struct result *result, struct result *ret_view);
void env_names_release(struct env_names *names);
CLEANUP_DEFINE(env_names, struct env_names, env_names_release)

#endif
