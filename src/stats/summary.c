/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary: what one sample looks like, with intervals that hold for any noise. */
#include "stats/summary.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "stats/distribution.h"
#include "stats/sorted.h"

/* Order-statistic interval of the median, Hahn & Meeker 1991, section 5.2. */
size_t median_interval_rank(size_t n, double alpha)
{
	size_t k = 0;

	while (k < n / 2 && 2.0 * coin_cdf(k, n) <= alpha)
		k++;
	return k;
}

double median_interval_level(size_t n, size_t k)
{
	assert(k > 0);
	return 1.0 - 2.0 * coin_cdf(k - 1, n);
}

static void summary_order(struct summary *summary, const double *values, size_t nr)
{
	double *sorted = sorted_copy(values, nr);
	size_t k = median_interval_rank(nr, 0.05);

	if (k == 0)
		k = 1;
	summary->min = sorted[0];
	summary->max = sorted[nr - 1];
	summary->median = sorted_median(sorted, nr);
	summary->median_interval = (struct interval){ .lo = sorted[k - 1], .hi = sorted[nr - k] };
	summary->median_level = nr > 1 ? median_interval_level(nr, k) : 0.0;

	for (size_t i = 0; i < nr; i++)
		sorted[i] = fabs(sorted[i] - summary->median);
	sort_doubles(sorted, nr);
	summary->mad = sorted_median(sorted, nr);
	free(sorted);
}

void summary_init(struct summary *summary, const double *values, size_t nr)
{
	double sum = 0.0;
	double sum_sq_dev = 0.0;

	assert(nr > 0);
	for (size_t i = 0; i < nr; i++)
		sum += values[i];
	summary->n = nr;
	summary->mean = sum / (double)nr;
	for (size_t i = 0; i < nr; i++)
		sum_sq_dev += (values[i] - summary->mean) * (values[i] - summary->mean);
	summary->stddev = nr > 1 ? sqrt(sum_sq_dev / (double)(nr - 1)) : NAN;
	summary->stddev_population = sqrt(sum_sq_dev / (double)nr);
	summary_order(summary, values, nr);
}

double summary_robust_cv(const struct summary *summary)
{
	return SUMMARY_MAD_TO_STDDEV * summary->mad / fabs(summary->median);
}

double summary_percent_stddev(const struct summary *summary)
{
	return 100.0 * summary->stddev_population / summary->mean;
}

struct interval summary_mean_interval(const struct summary *summary, double level)
{
	double half;

	if (summary->n < 2)
		return INTERVAL_UNBOUNDED;
	half = student_t_quantile(0.5 + 0.5 * level, (double)(summary->n - 1)) * summary->stddev /
	       sqrt((double)summary->n);
	return (struct interval){ .lo = summary->mean - half, .hi = summary->mean + half };
}

bool summary_is_skewed(const struct summary *summary)
{
	return fabs(summary->mean - summary->median) > SUMMARY_SKEW_SHARE * fabs(summary->median);
}
