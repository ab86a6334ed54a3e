/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_COHORT_MATCH_H
#define REGIO_ANALYSIS_COHORT_MATCH_H

/* Which workload of one side is compared with which of the other. */

#include <stddef.h>

#include "base/vec.h"

struct cohort;
struct side;

enum cohort_match {
	COHORT_MATCH_SAME,    /* word for word */
	COHORT_MATCH_RENAMED, /* but for the names of jobs */
	COHORT_MATCH_OTHER,   /* another workload that has the same directions or metrics */
};

struct cohort_pair {
	const struct cohort *base; /* NULL: only the new side has it */
	const struct cohort *new;  /* NULL: only the base has it */
	enum cohort_match match;
};

struct cohort_pairs VEC_BODY(struct cohort_pair);

/* Appends pairs in the order of the base, then what is left over. */
void cohorts_match(const struct side *base, const struct side *new, struct cohort_pairs *pairs);

#endif
