/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_SIDE_H
#define REGIO_ANALYSIS_SIDE_H

/* All results under one label: a cohort for each workload, and what they say about the machine. */

#include "analysis/cohort.h"
#include "analysis/env_diff.h"
#include "base/arena.h"
#include "base/cleanup.h"
#include "base/name_index.h"
#include "base/vec.h"
#include "model/note.h"
#include "model/result.h"

/* What else is known of the runs of a label, each different pair once. */
struct side {
	char *label;
	char *where; /* "file.txt:12", "store: experiment 7"; for people */
	VEC(struct cohort *) cohorts;
	VEC(struct result_pair) env;
	VEC(struct result_pair) settings;
	VEC(struct result_pair) attachments;
	struct name_index env_seen; /* "KEY=VALUE" */
	struct arena arena;
	struct note_list notes;
};

/* Keys of result.env that name a sample as LKP does, and say nothing of the machine. */
#define COHORT_LKP_PREFIX "lkp."

/* The cohort of that workload, made if there is none. Valid until the side is released. */
struct cohort *side_cohort(struct side *side, const char *workload);

/* Adds a result to the cohort that it belongs to, and what it says about its environment. */
void side_add_result(struct side *side, const struct result *result, enum cohort_jobs jobs);
/* Only the latter. */
void side_add_facts(struct side *side, const struct result *result);
void side_add_env(struct side *side, const char *key, const char *value);
void side_add_setting(struct side *side, const char *key, const char *value);
void side_add_attachment(struct side *side, const char *name, const char *text);
/* What env_diff wants. Valid until something is added. */
struct env_facts side_facts(const struct side *side);

void side_release(struct side *side);
CLEANUP_DEFINE(side, struct side, side_release)

#endif
