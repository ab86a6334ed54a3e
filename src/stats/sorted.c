/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sorted: order, median and midranks of an array of doubles. */
#include "stats/sorted.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

static int double_compare(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

void sort_doubles(double *values, size_t nr)
{
	if (nr > 1)
		qsort(values, nr, sizeof(*values), double_compare);
}

double *sorted_copy(const double *values, size_t nr)
{
	double *copy = xcalloc(nr ? nr : 1, sizeof(*copy));

	if (nr)
		memcpy(copy, values, nr * sizeof(*copy));
	sort_doubles(copy, nr);
	return copy;
}

double sorted_median(const double *sorted, size_t nr)
{
	assert(nr > 0);
	if (nr % 2)
		return sorted[nr / 2];
	return 0.5 * (sorted[nr / 2 - 1] + sorted[nr / 2]);
}

struct ranked {
	double value;
	size_t index;
};

static int ranked_compare(const void *left, const void *right)
{
	double a = ((const struct ranked *)left)->value;
	double b = ((const struct ranked *)right)->value;

	return (a > b) - (a < b);
}

double midranks_doubled(const double *values, size_t nr, int64_t *ret_ranks)
{
	struct ranked *order = xcalloc(nr ? nr : 1, sizeof(*order));
	double tie_sum = 0.0;
	size_t end;

	for (size_t i = 0; i < nr; i++)
		order[i] = (struct ranked){ .value = values[i], .index = i };
	qsort(order, nr, sizeof(*order), ranked_compare);

	for (size_t start = 0; start < nr; start = end) {
		double nr_tied;

		end = start + 1;
		while (end < nr && order[end].value == order[start].value)
			end++;
		/* Ranks start + 1 .. end share their mean; twice that is their ends' sum. */
		for (size_t i = start; i < end; i++)
			ret_ranks[order[i].index] = (int64_t)(start + 1 + end);
		nr_tied = (double)(end - start);
		tie_sum += nr_tied * nr_tied * nr_tied - nr_tied;
	}
	free(order);
	return tie_sum;
}
