/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_FIO_STAT_H
#define REGIO_OUTPUT_FIO_STAT_H

/* The numbers that fio derives before it prints them, by its rules; shared by its formats. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/io.h"

struct hist;
struct job_result;
struct result;

/*
 * Value of each percentile: the first bucket at which the running count reaches p * N / 100, taken
 * in long double with p as the double nearest to what was typed. It differs from hist_quantiles
 * where p * N / 100 would be a whole number but for that rounding: of 1000 I/Os, 99.9 is the
 * last. (fio's source divides first; its -ffast-math build does not, as its output shows.) list
 * is ascending; hist is not empty.
 */
void fio_percentiles(const struct hist *hist, const double *list, size_t nr,
		     uint64_t *ret_values_ns);

/* Digits after the point with which the list was typed; at least those its values need. */
unsigned fio_percentile_decimals(const struct job_result *job, const double *list, size_t nr);

/* I/Os by completion latency; the names of the buckets are upper bounds. */
#define FIO_NR_LAT_NS 10 /* 2 4 10 20 50 100 250 500 750 1000, in ns; the same in us */
#define FIO_NR_LAT_MS 12 /* and 2000, >=2000 */

struct fio_lat_dist {
	uint64_t ns[FIO_NR_LAT_NS];
	uint64_t us[FIO_NR_LAT_NS];
	uint64_t ms[FIO_NR_LAT_MS];
};

/*
 * Taken from the histograms, since counting each I/O twice would cost time in the measuring loop.
 * A bucket that a bound cuts (half of the bounds do, by at most 1/64 of the value) counts where
 * its midpoint lies.
 */
void fio_lat_dist(const struct job_result *job, struct fio_lat_dist *ret_dist);

/* Percentages of total; what is not zero is at least `least`. All zero when total is. */
void fio_percents(const uint64_t *counts, size_t nr, uint64_t total, double least,
		  double *ret_percents);

/* Total, short.. I/Os of the three data directions. */
uint64_t fio_total_ios(const struct job_result *job);

/* bytes or I/Os * 1000 / ms, truncated; 0 when ms is 0. */
uint64_t fio_per_sec(uint64_t amount, uint64_t runtime_ms);

/* Sums over the devices directly below result->disks[master]. */
struct fio_disk_sum {
	size_t nr;
	uint64_t ios[2], merges[2], ticks_ms[2], in_queue_ms;
	double max_util_percent;
};

void fio_disk_sum(const struct result *result, size_t master, struct fio_disk_sum *ret_sum);
double fio_disk_util_percent(uint64_t io_ticks_ms, uint64_t wall_ms);

#endif
