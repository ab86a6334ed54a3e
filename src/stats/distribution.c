/* SPDX-License-Identifier: GPL-2.0-or-later */
/* distribution: the standard distributions; the only file that sees libRmath. */
#include "stats/distribution.h"

#include <math.h>

#define MATHLIB_STANDALONE 1
#include <Rmath.h>

enum tail { UPPER_TAIL, LOWER_TAIL };

double student_t_two_sided(double t, double df)
{
	return 2.0 * pt(-fabs(t), df, LOWER_TAIL, 0);
}

double student_t_quantile(double q, double df)
{
	return qt(q, df, LOWER_TAIL, 0);
}

double normal_two_sided(double z)
{
	return 2.0 * pnorm(fabs(z), 0.0, 1.0, UPPER_TAIL, 0);
}

double normal_quantile(double q)
{
	return qnorm(q, 0.0, 1.0, LOWER_TAIL, 0);
}

double coin_cdf(size_t k, size_t n)
{
	return pbinom((double)k, (double)n, 0.5, LOWER_TAIL, 0);
}

double hypergeometric_pmf(size_t k, size_t nr_marked, size_t nr_other, size_t drawn)
{
	return dhyper((double)k, (double)nr_marked, (double)nr_other, (double)drawn, 0);
}
