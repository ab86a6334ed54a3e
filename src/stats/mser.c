/* SPDX-License-Identifier: GPL-2.0-or-later */
/* mser: finds where the warm-up inside a run ends. */
#include "stats/mser.h"

#include <math.h>

#include "base/arena.h"

#define BATCH_LEN 5

static double mean_of(const double *values, size_t nr)
{
	double sum = 0.0;

	for (size_t i = 0; i < nr; i++)
		sum += values[i];
	return nr ? sum / (double)nr : NAN;
}

/* Squared standard error of the mean of the batches from `first` on, but for a factor. */
static double marginal_error(const double *batches, size_t nr, size_t first)
{
	double nr_kept = (double)(nr - first);
	double mean = mean_of(batches + first, nr - first);
	double sum_sq = 0.0;

	for (size_t i = first; i < nr; i++)
		sum_sq += (batches[i] - mean) * (batches[i] - mean);
	return sum_sq / (nr_kept * nr_kept);
}

struct mser mser5(const double *samples, size_t nr)
{
	size_t nr_batches = nr / BATCH_LEN;
	CLEANUP(free) double *batches = xcalloc(nr_batches ? nr_batches : 1, sizeof(*batches));
	size_t best = 0;
	double best_error = INFINITY;

	if (nr_batches < 2)
		return (struct mser){ .is_steady = true, .mean_after = mean_of(samples, nr) };

	for (size_t i = 0; i < nr_batches; i++)
		batches[i] = mean_of(samples + i * BATCH_LEN, BATCH_LEN);
	for (size_t first = 0; first <= nr_batches / 2; first++) {
		double error = marginal_error(batches, nr_batches, first);

		if (error < best_error) {
			best_error = error;
			best = first;
		}
	}
	return (struct mser){
		.nr_drop = best * BATCH_LEN,
		.is_steady = best < nr_batches / 2,
		.mean_after = mean_of(samples + best * BATCH_LEN, nr - best * BATCH_LEN),
	};
}
