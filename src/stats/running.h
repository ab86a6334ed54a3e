/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STATS_RUNNING_H
#define REGIO_STATS_RUNNING_H

#include <stdint.h>

/*
 * Running mean and sum of squared deviations of real numbers, such as the bandwidth and IOPS
 * samples of a job. Zero is the valid empty value; min and max mean nothing while n is 0.
 */
struct running {
	uint64_t n;
	double mean;
	double sum_sq_dev;
	double min;
	double max;
};

/* Welford 1962. */
void running_add(struct running *running, double value);

/* Chan, Golub & LeVeque 1979: as if all values of from had been added to into. */
void running_merge(struct running *into, const struct running *from);

/* Sample standard deviation (divisor n - 1), 0 for fewer than two values. */
double running_stddev(const struct running *running);

#endif
