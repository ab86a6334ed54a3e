/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_LKP_SAMPLES_H
#define REGIO_ANALYSIS_LKP_SAMPLES_H

#include <stddef.h>

#include "analysis/lkp_compare.h"

struct arena;
struct result;

/*
 * Samples for LKP's comparison out of regio's numbers, under LKP's names and in its units. What
 * regio adds up itself ("total.*") LKP does not have; it is left out where a direction is there.
 */

/*
 * All runs under one label; what was posted as an average of several runs counts only where no
 * run has the metric. Of interrupted runs only failures count. Title and subject of a commit come
 * from the environment of the results, else the label is the title. Everything is in the arena.
 */
void lkp_sample_of_results(const char *label, const struct result *const *results,
			   size_t nr_results, struct arena *arena, struct lkp_sample *ret_sample);

/* The same of values[metric * nr_runs + run], NAN = that run has no such metric. */
void lkp_sample_of_values(const char *label, const char *const *metrics, size_t nr_metrics,
			  const double *values, size_t nr_runs, struct arena *arena,
			  struct lkp_sample *ret_sample);

#endif
