/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_plausible: contradictions within the numbers of one kind of latency. */
#include "import/fio_plausible.h"

#include <math.h>
#include <stdbool.h>

/* The largest midpoints of fio's histograms, in us until 2.21 and in ns since: what was slower is
 * in the last bucket. */
#define OLD_LAST_BUCKET_NS 16711680e3
#define LAST_BUCKET_NS 17112760320.0
#define BUCKET_ERROR 0.02     /* of a percentile: more than half a bucket */
#define PRINT_ERROR 0.001     /* of numbers with few decimals */
#define LATENCY_SLACK_NS 60e9 /* a run may wait for its last I/O after the runtime */

const char *fio_times_fault(const struct fio_times *times, double runtime_ms, unsigned *ret_parts)
{
	double limit_ns = runtime_ms * 2e6 + LATENCY_SLACK_NS;
	double step_ns = times->step_ns;
	unsigned too_long = 0;

	/* Comparisons with NAN are false. */
	too_long |= times->min_ns > limit_ns ? FIO_TIMES_MIN : 0;
	too_long |= times->max_ns > limit_ns ? FIO_TIMES_MAX : 0;
	too_long |= times->mean_ns > limit_ns ? FIO_TIMES_MEAN | FIO_TIMES_STDDEV : 0;
	if (too_long) {
		*ret_parts = too_long;
		return "last longer than the run";
	}
	if (times->min_ns > times->max_ns) {
		*ret_parts = FIO_TIMES_MIN | FIO_TIMES_MAX;
		return "contradict each other";
	}
	if (times->mean_ns < times->min_ns - step_ns ||
	    times->mean_ns > times->max_ns * (1 + PRINT_ERROR) + step_ns) {
		*ret_parts = FIO_TIMES_MEAN | FIO_TIMES_STDDEV;
		return "lie outside minimum and maximum";
	}
	if (times->stddev_ns > (times->max_ns - times->min_ns) * (1 + PRINT_ERROR) + step_ns) {
		*ret_parts = FIO_TIMES_STDDEV;
		return "exceeds the range";
	}
	return NULL;
}

static bool is_saturated(double value_ns, double max_ns, double last_ns)
{
	return fabs(value_ns - last_ns) < last_ns * PRINT_ERROR &&
	       !(max_ns <= last_ns * (1 + BUCKET_ERROR / 2));
}

void fio_times_unsaturated(const struct fio_times *times, size_t *ret_nr)
{
	double last_ns = times->step_ns > 1 ? OLD_LAST_BUCKET_NS : LAST_BUCKET_NS;
	size_t nr = times->nr_percentiles;

	while (nr && is_saturated(times->percentiles[nr - 1].value_ns, times->max_ns, last_ns))
		nr--;
	*ret_nr = nr;
}

const char *fio_percentiles_fault(const struct fio_times *times)
{
	double step_ns = times->step_ns;

	for (size_t i = 0; i < times->nr_percentiles; i++) {
		double share = times->percentiles[i].percent / 100;
		double value_ns = times->percentiles[i].value_ns;
		double most_ns = value_ns * (1 + BUCKET_ERROR) + step_ns;

		if (i && value_ns < times->percentiles[i - 1].value_ns)
			return "do not ascend";
		if (value_ns > times->max_ns * (1 + BUCKET_ERROR) + step_ns)
			return "are above the maximum";
		if (most_ns < times->min_ns)
			return "are below the minimum";
		/* At best this share is as slow as the percentile, and the rest as the maximum. */
		if (times->mean_ns >
		    share * most_ns + (1 - share) * times->max_ns * (1 + PRINT_ERROR) + step_ns)
			return "lie too low for the mean";
	}
	return NULL;
}
