/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_FIO_PLAUSIBLE_H
#define REGIO_IMPORT_FIO_PLAUSIBLE_H

/* Whether numbers that fio printed of one kind of latency can be true. Pure functions. */

#include <stddef.h>

struct fio_percentile {
	double percent; /* above 0, up to 100 */
	double value_ns;
	unsigned line;
};

/* NAN = not printed. */
struct fio_times {
	double min_ns, max_ns, mean_ns, stddev_ns;
	unsigned min_line, max_line, mean_line, stddev_line;
	double step_ns; /* in which whole values were printed: 1 or, until 2.21, 1000 */
	const struct fio_percentile *percentiles;
	size_t nr_percentiles;
};

enum fio_times_part {
	FIO_TIMES_MIN = 1 << 0,
	FIO_TIMES_MAX = 1 << 1,
	FIO_TIMES_MEAN = 1 << 2,
	FIO_TIMES_STDDEV = 1 << 3,
};

/*
 * What is wrong with minimum, maximum, mean or deviation, and in *ret_parts which of them cannot
 * be believed; NULL = nothing. runtime_ms: of the job, NAN = unknown.
 */
const char *fio_times_fault(const struct fio_times *times, double runtime_ms, unsigned *ret_parts);

/*
 * Percentiles, ascending by percent, that say only that the histogram ended: *ret_nr of them are
 * left before the first one.
 */
void fio_times_unsaturated(const struct fio_times *times, size_t *ret_nr);

/* What is wrong with the percentiles as a whole, beside the moments; NULL = nothing. */
const char *fio_percentiles_fault(const struct fio_times *times);

#endif
