/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_stat: percentiles, distributions, group and disk totals by fio's rules, before printing. */
#include "output/fio_stat.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/units.h"
#include "model/result.h"
#include "stats/hist.h"

void fio_percentiles(const struct hist *hist, const double *list, size_t nr,
		     uint64_t *ret_values_ns)
{
	long double total = (long double)hist_total(hist);
	uint64_t sum = 0;
	size_t done = 0;

	for (size_t bucket = 0; bucket < HIST_NR_BUCKETS && done < nr; bucket++) {
		sum += hist->counts[bucket];
		while (done < nr && (long double)sum >= (long double)list[done] * total / 100.0L)
			ret_values_ns[done++] = hist_value(bucket);
	}
	for (; done < nr; done++) /* 100 and rounding: the last bucket in use */
		ret_values_ns[done] = hist_quantile(hist, 1.0);
}

static unsigned decimals_of(const char *number)
{
	size_t whole = strcspn(number, ".:");

	return number[whole] == '.' ? (unsigned)strcspn(number + whole + 1, ":") : 0;
}

static unsigned decimals_of_list(const char *list)
{
	unsigned most = 0;

	for (;;) {
		unsigned decimals = decimals_of(list);

		most = decimals > most ? decimals : most;
		list += strcspn(list, ":");
		if (!*list)
			return most;
		list++;
	}
}

unsigned fio_percentile_decimals(const struct job_result *job, const double *list, size_t nr)
{
	unsigned most = 0;

	for (size_t i = 0; i < job->nr_options; i++) {
		if (!strcmp(job->options[i].key, "percentile_list"))
			most = decimals_of_list(job->options[i].value);
	}
	for (size_t i = 0; i < nr; i++) {
		char text[64];
		unsigned decimals;

		(void)snprintf(text, sizeof(text), "%.9g", list[i]);
		decimals = decimals_of(text);
		most = decimals > most ? decimals : most;
	}
	return most > 9 ? 9 : most;
}

/* Bucket 0 is below 2, the last one is from bounds[nr - 1] on. */
static size_t bound_index(uint64_t value, size_t nr)
{
	static const uint64_t bounds[] = { 2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000 };
	size_t i = 0;

	while (i < nr && value >= bounds[i])
		i++;
	return i;
}

static void lat_dist_add(struct fio_lat_dist *dist, uint64_t value_ns, uint64_t count)
{
	if (value_ns < NS_PER_US)
		dist->ns[bound_index(value_ns, FIO_NR_LAT_NS - 1)] += count;
	else if (value_ns < NS_PER_MS)
		dist->us[bound_index(value_ns / NS_PER_US, FIO_NR_LAT_NS - 1)] += count;
	else
		dist->ms[bound_index(value_ns / NS_PER_MS, FIO_NR_LAT_MS - 1)] += count;
}

void fio_lat_dist(const struct job_result *job, struct fio_lat_dist *ret_dist)
{
	*ret_dist = (struct fio_lat_dist){ .ns = { 0 } };
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		const struct hist *hist = job->dir[dir].latency[LATENCY_CLAT].hist;

		for (size_t bucket = 0; hist && bucket < HIST_NR_BUCKETS; bucket++) {
			if (hist->counts[bucket])
				lat_dist_add(ret_dist, hist_value(bucket), hist->counts[bucket]);
		}
	}
}

void fio_percents(const uint64_t *counts, size_t nr, uint64_t total, double least,
		  double *ret_percents)
{
	for (size_t i = 0; i < nr; i++) {
		ret_percents[i] = total ? (double)counts[i] / (double)total * 100.0 : 0.0;
		if (total && counts[i] && ret_percents[i] < least)
			ret_percents[i] = least;
	}
}

uint64_t fio_total_ios(const struct job_result *job)
{
	uint64_t total = 0;

	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++)
		total += job->dir[dir].total_ios;
	return total;
}

uint64_t fio_per_sec(uint64_t amount, uint64_t runtime_ms)
{
	if (runtime_ms == 0)
		return 0;
	return (uint64_t)((unsigned __int128)amount * 1000 / runtime_ms);
}

double fio_disk_util_percent(uint64_t io_ticks_ms, uint64_t wall_ms)
{
	double util = wall_ms ? 100.0 * (double)io_ticks_ms / (double)wall_ms : 0.0;

	return util > 100.0 ? 100.0 : util;
}

void fio_disk_sum(const struct result *result, size_t master, struct fio_disk_sum *ret_sum)
{
	struct fio_disk_sum sum = { .nr = 0 };

	for (size_t i = 0; i < result->nr_disks; i++) {
		const struct disk_result *disk = &result->disks[i];
		double util = fio_disk_util_percent(disk->io_ticks_ms, disk->wall_ms);

		if (disk->parent < 0 || (size_t)disk->parent != master)
			continue;
		sum.nr++;
		for (size_t dir = 0; dir < 2; dir++) {
			sum.ios[dir] += disk->ios[dir];
			sum.merges[dir] += disk->merges[dir];
			sum.ticks_ms[dir] += disk->ticks_ms[dir];
		}
		sum.in_queue_ms += disk->in_queue_ms;
		sum.max_util_percent = util > sum.max_util_percent ? util : sum.max_util_percent;
	}
	*ret_sum = sum;
}
