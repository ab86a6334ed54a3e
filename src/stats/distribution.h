/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_DISTRIBUTION_H
#define REGIO_STATS_DISTRIBUTION_H

#include <stddef.h>

/* P(|T| >= |t|) for Student's t with df > 0 degrees of freedom (df need not be whole). */
double student_t_two_sided(double t, double df);

/* t with P(T <= t) = q. */
double student_t_quantile(double q, double df);

/* P(|Z| >= |z|) for the standard normal. */
double normal_two_sided(double z);

/* z with P(Z <= z) = q. */
double normal_quantile(double q);

/* P(X <= k) for n fair coins. */
double coin_cdf(size_t k, size_t n);

/* P(X = k): k marked ones among `drawn` from a population of nr_marked + nr_other. */
double hypergeometric_pmf(size_t k, size_t nr_marked, size_t nr_other, size_t drawn);

#endif
