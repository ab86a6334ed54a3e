/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_ANALYSIS_SAMPLES_H
#define REGIO_TESTS_UNIT_ANALYSIS_SAMPLES_H

/* Imported results with a few numbers, for tests of everything that compares samples. */

#include "analysis/side.h"
#include "base/arena.h"
#include "model/result.h"

struct number {
	const char *name;
	double value;
};

/* A result of no job, as of a program that regio does not know from inside. */
static inline void samples_add(struct side *side, const char *workload,
			       const struct number *numbers, size_t nr)
{
	CLEANUP(result) struct result result = { .nr_jobs = 0 };

	for (size_t i = 0; i < nr; i++)
		(void)given_append(&result.given, numbers[i].name, numbers[i].value, 1);
	if (workload)
		result_add_env(&result, "workload", workload);
	side_add_result(side, &result, COHORT_JOBS_USUAL);
}

/* One run for each value of a single metric. */
static inline void samples_add_values(struct side *side, const char *metric, const double *values,
				      size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		samples_add(side, NULL, &(struct number){ metric, values[i] }, 1);
}

#endif
