/* SPDX-License-Identifier: GPL-2.0-or-later */
/* multiple: adjustment of p-values when many metrics are compared at once. */
#include "stats/multiple.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/cleanup.h"

struct indexed_p {
	double p;
	size_t index;
};

static int indexed_p_compare(const void *left, const void *right)
{
	double a = ((const struct indexed_p *)left)->p;
	double b = ((const struct indexed_p *)right)->p;

	return (a > b) - (a < b);
}

static struct indexed_p *p_sorted(const double *p, size_t nr)
{
	struct indexed_p *order = xcalloc(nr ? nr : 1, sizeof(*order));

	for (size_t i = 0; i < nr; i++)
		order[i] = (struct indexed_p){ .p = p[i], .index = i };
	qsort(order, nr, sizeof(*order), indexed_p_compare);
	return order;
}

void multiple_holm(const double *p, size_t nr, double *ret_adjusted)
{
	CLEANUP(free) struct indexed_p *order = p_sorted(p, nr);
	double largest = 0.0;

	for (size_t i = 0; i < nr; i++) {
		largest = fmax(largest, fmin(1.0, (double)(nr - i) * order[i].p));
		ret_adjusted[order[i].index] = largest;
	}
}

void multiple_benjamini_hochberg(const double *p, size_t nr, double *ret_adjusted)
{
	CLEANUP(free) struct indexed_p *order = p_sorted(p, nr);
	double smallest = 1.0;

	for (size_t i = nr; i-- > 0;) {
		smallest = fmin(smallest, (double)nr * order[i].p / (double)(i + 1));
		ret_adjusted[order[i].index] = smallest;
	}
}
