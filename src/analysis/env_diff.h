/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_ENV_DIFF_H
#define REGIO_ANALYSIS_ENV_DIFF_H

/* What differs between the machines, kernels and settings of two samples. */

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

struct result_pair;

/* Facts of one side; a key may stand there with several values: its runs differ. */
struct env_facts {
	const struct result_pair *env;
	size_t nr_env;
	const struct result_pair *settings; /* changed on purpose */
	size_t nr_settings;
	const struct result_pair *attachments; /* texts; of the kernel's configuration, lines */
	size_t nr_attachments;
};

struct env_diff_row {
	char *key;
	char *base; /* "a | b" where the runs of a side differ; NULL = the side does not say */
	char *new;
	bool is_meant;	     /* a setting, or what a setting changes */
	bool is_unsteady;    /* it changed while a side was measured */
	const char *setting; /* the key of the setting that it follows from, or NULL */
};

/*
 * Settings first, then what follows from them, then what nobody asked for; the facts that matter
 * most stand first in each. A disk that has another name on the other side is compared by its place
 * in the stack, under the name that it has in the base.
 */
struct env_diff {
	struct env_diff_row *rows;
	size_t nr;
	size_t nr_settings; /* of the rows */
	size_t nr_meant;    /* of the rows, settings included */
	bool is_comparable; /* both sides say something of the same kind */
};

/*
 * Keys of which both sides know the part before the first dot; who has recorded nothing about
 * disks does not differ in them. The facts must outlive the diff.
 */
void env_diff_init(struct env_diff *diff, const struct env_facts *base,
		   const struct env_facts *new);
void env_diff_release(struct env_diff *diff);
CLEANUP_DEFINE(env_diff, struct env_diff, env_diff_release)

/*
 * How many independent things differ: attributes of one kernel are one, what follows from a setting
 * belongs to it. More than one, and the effect cannot be assigned.
 */
size_t env_diff_nr_things(const struct env_diff *diff);

#endif
