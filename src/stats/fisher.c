/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fisher: exact comparison of two shares. */
#include "stats/fisher.h"

#include <assert.h>
#include <math.h>

#include "stats/distribution.h"

/* Two tables that are equally probable by symmetry may differ by rounding. */
#define EQUAL_SLACK 1e-7

double fisher_p(size_t nr_hits_a, size_t nr_a, size_t nr_hits_b, size_t nr_b)
{
	size_t nr_hits = nr_hits_a + nr_hits_b;
	size_t first = nr_hits > nr_b ? nr_hits - nr_b : 0;
	size_t last = nr_hits < nr_a ? nr_hits : nr_a;
	double seen, limit;
	double p = 0.0;

	assert(nr_hits_a <= nr_a && nr_hits_b <= nr_b);
	seen = hypergeometric_pmf(nr_hits_a, nr_a, nr_b, nr_hits);
	limit = seen * (1.0 + EQUAL_SLACK);
	for (size_t hits_a = first; hits_a <= last; hits_a++) {
		double pmf = hypergeometric_pmf(hits_a, nr_a, nr_b, nr_hits);

		if (pmf <= limit)
			p += pmf;
	}
	return fmin(1.0, p);
}
