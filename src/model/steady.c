/* SPDX-License-Identifier: GPL-2.0-or-later */
/* steady: slope and deviation of the samples of a job that is to settle. */
#include "model/steady.h"

#include <math.h>
#include <stdlib.h>

const char *steady_metric_name(unsigned metric)
{
	static const char *const names[STEADY_NR_METRICS] = { "iops", "bw", "lat" };

	return names[metric < STEADY_NR_METRICS ? metric : 0];
}

uint64_t steady_value(const struct steady_sample *sample, unsigned metric)
{
	switch (metric) {
	case STEADY_BW:
		return sample->bw_bytes_per_sec;
	case STEADY_LAT:
		return sample->lat_ns;
	default:
		return sample->iops;
	}
}

double steady_mean(const struct steady_result *result, unsigned metric)
{
	double sum = 0;

	for (size_t i = 0; i < result->nr; i++)
		sum += (double)steady_value(&result->samples[i], metric);
	return result->nr ? sum / (double)result->nr : 0;
}

static double largest_deviation(const struct steady_result *result, double mean)
{
	double largest = 0;

	for (size_t i = 0; i < result->nr; i++) {
		double value = (double)steady_value(&result->samples[i], result->rule.metric);

		largest = fmax(largest, fabs(value - mean));
	}
	return largest;
}

/* Least squares (Draper & Smith 1998, eq. 1.2.9), with the number of the sample as time. */
static double slope(const struct steady_result *result, double mean)
{
	double middle = ((double)result->nr - 1) / 2;
	double sum_xy = 0, sum_xx = 0;

	for (size_t i = 0; i < result->nr; i++) {
		double x = (double)i - middle;
		double value = (double)steady_value(&result->samples[i], result->rule.metric);

		sum_xy += x * (value - mean);
		sum_xx += x * x;
	}
	return sum_xx > 0 ? sum_xy / sum_xx : 0;
}

bool steady_judge(struct steady_result *result)
{
	double mean = steady_mean(result, result->rule.metric);

	result->spread =
		result->rule.is_slope ? slope(result, mean) : largest_deviation(result, mean);
	result->criterion = result->spread;
	if (result->rule.is_percent)
		result->criterion = mean > 0 ? 100 * result->spread / mean : 0;
	return fabs(result->criterion) < result->rule.limit;
}

void steady_result_free(struct steady_result *result)
{
	if (!result)
		return;
	free(result->samples);
	free(result);
}
