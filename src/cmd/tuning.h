/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_TUNING_H
#define REGIO_CMD_TUNING_H

/*
 * Two environments that differ in settings, as bisect_settings searches them. What it runs are
 * subsets of the settings that have their new values; each is a candidate of the bisection, in the
 * order in which the search first asked for them: none, all, and then parts.
 */

#include <stdbool.h>
#include <stddef.h>

#include "analysis/settings_search.h"
#include "base/cleanup.h"
#include "base/vec.h"
#include "candidate/candidate.h"
#include "model/setting.h"

struct bisect;
struct bisect_config;
struct err;

enum tuning_side { TUNING_BASE, TUNING_NEW, TUNING_NR_SIDES };

/* Applied together: the attributes of a scheduler come with it. */
struct tuning_values {
	struct setting_list sides[TUNING_NR_SIDES];
};

struct tuning {
	struct candidate_list settings;	  /* what differs: key, key, "none -> bfq" */
	VEC(struct tuning_values) values; /* of each; none where a log is only looked at */
	struct candidate_list others;	  /* what differs and cannot be set */
	struct settings_search *search;
};

/*
 * What differs between two environments: JSON files of settings ({"queue.scheduler": "bfq"}), or
 * whatever regio compare takes.
 */
int tuning_load(struct tuning *tuning, const struct bisect_config *config, const char *base,
		const char *new, struct err *err);
void tuning_free(struct tuning *tuning); /* NULL is fine */

/* ---- bisect_settings ---- */

extern const struct candidate_ops tuning_candidates;

/* The settings that have their new value in a candidate, "0110". */
const char *tuning_bits(const struct bisect *bisect, size_t position);

/* ---- tuning_report ---- */

struct doc *tuning_report(struct bisect *bisect);
struct doc *tuning_visualise(struct bisect *bisect);
char *tuning_json(struct bisect *bisect);
/* "queue.scheduler, queue.nomerges" of all members. Caller frees. */
char *tuning_member_text(const struct tuning *tuning, const struct settings_answer *answer);

#endif
