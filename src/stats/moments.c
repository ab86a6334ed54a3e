/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moments: mean and deviation from exact integer sums, without cancellation. */
#include "stats/moments.h"

#include <math.h>

void moments_merge(struct moments *into, const struct moments *from)
{
	if (from->n == 0)
		return;
	if (into->n == 0) {
		*into = *from;
		return;
	}
	into->n += from->n;
	into->sum += from->sum;
	into->sum_sq += from->sum_sq;
	into->min = from->min < into->min ? from->min : into->min;
	into->max = from->max > into->max ? from->max : into->max;
}

double moments_mean(const struct moments *moments)
{
	if (moments->n == 0)
		return 0.0;
	return (double)((long double)moments->sum / (long double)moments->n);
}

/*
 * With the whole-number mean m = sum div n and rest r = sum mod n, the sum of squares about m,
 * Q = sum_sq - 2 m sum + n m^2, is a whole number that fits 128 bits whenever sum_sq does (the
 * intermediate terms may wrap, their total does not), and the sum of squares about the true mean
 * is Q - r^2 / n. n Q - r^2 is taken exactly if it fits; if not, Q exceeds r^2 / n by so much
 * that nothing can cancel.
 */
double moments_stddev(const struct moments *moments)
{
	unsigned __int128 n = moments->n;
	unsigned __int128 mean, rest, about_mean, scaled;
	long double variance;

	if (moments->n < 2)
		return 0.0;

	mean = moments->sum / moments->n;
	rest = moments->sum % moments->n;
	about_mean = moments->sum_sq - 2 * mean * moments->sum + n * mean * mean;
	if (__builtin_mul_overflow(n, about_mean, &scaled))
		variance = ((long double)about_mean - (long double)(rest * rest) / (long double)n) /
			   (long double)(n - 1);
	else
		variance =
			(long double)(scaled - rest * rest) / (long double)n / (long double)(n - 1);
	return (double)sqrtl(variance);
}
