/* SPDX-License-Identifier: GPL-2.0-or-later */
/* running: one-pass mean and deviation of real samples, mergeable pairwise. */
#include "stats/running.h"

#include <math.h>

void running_add(struct running *running, double value)
{
	double before = value - running->mean;

	if (running->n == 0 || value < running->min)
		running->min = value;
	if (running->n == 0 || value > running->max)
		running->max = value;
	running->n++;
	running->mean += before / (double)running->n;
	running->sum_sq_dev += before * (value - running->mean);
}

void running_merge(struct running *into, const struct running *from)
{
	double n_into = (double)into->n;
	double n_from = (double)from->n;
	double delta = from->mean - into->mean;

	if (from->n == 0)
		return;
	if (into->n == 0) {
		*into = *from;
		return;
	}
	into->n += from->n;
	into->mean += delta * n_from / (n_into + n_from);
	into->sum_sq_dev += from->sum_sq_dev + delta * delta * n_into * n_from / (n_into + n_from);
	into->min = fmin(into->min, from->min);
	into->max = fmax(into->max, from->max);
}

double running_stddev(const struct running *running)
{
	if (running->n < 2)
		return 0.0;
	return sqrt(running->sum_sq_dev / (double)(running->n - 1));
}
