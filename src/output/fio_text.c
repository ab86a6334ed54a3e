/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_text: the parts of fio's normal text that hold latencies, rates and disk counters. */
#include "output/fio_text.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>

#include "model/result.h"
#include "output/fio_group.h"
#include "output/fio_number.h"
#include "output/fio_stat.h"
#include "output/fio_view.h"

#define LINE_COLUMNS 80
#define LINE_INDENT 7

void fio_text_plain(const char *text, FILE *to)
{
	for (; text && *text; text++)
		(void)fputc(iscntrl((unsigned char)*text) ? '?' : *text, to);
}

struct latency_unit {
	const char *name;
	uint64_t ns;
	unsigned nr_thousands;
};

static const struct latency_unit nsec = { "nsec", 1, 0 };
static const struct latency_unit usec = { "usec", 1000, 1 };
static const struct latency_unit msec = { "msec", 1000000, 2 };

/* Coarse enough for the largest value and fine enough for the smallest. */
static const struct latency_unit *unit_for(uint64_t min_ns, uint64_t max_ns)
{
	if (min_ns > 2000000 && max_ns > 99999999)
		return &msec;
	if (min_ns > 2000 && max_ns > 99999)
		return &usec;
	return &nsec;
}

static void print_latency(const char *name, const struct fio_latency_view *latency, FILE *to)
{
	const struct latency_unit *unit = unit_for(latency->min_ns, latency->max_ns);
	char min[FIO_NUMBER_LEN], max[FIO_NUMBER_LEN];

	if (latency->n == 0)
		return;
	if (unit == &msec && latency->stddev_ns <= 1000000)
		unit = &usec;
	if (unit == &usec && latency->stddev_ns <= 1000)
		unit = &nsec;
	(void)fprintf(to, "    %s (%s): min=%s, max=%s, avg=%5.02f, stdev=%5.02f\n", name,
		      unit->name,
		      fio_number_text(latency->min_ns / unit->ns, FIO_LATENCY_DIGITS, FIO_PREFIX_SI,
				      FIO_UNIT_NONE, min),
		      fio_number_text(latency->max_ns / unit->ns, FIO_LATENCY_DIGITS, FIO_PREFIX_SI,
				      FIO_UNIT_NONE, max),
		      latency->mean_ns / (double)unit->ns, latency->stddev_ns / (double)unit->ns);
}

static unsigned nr_digits(uint64_t value)
{
	unsigned nr = 1;

	for (; value >= 10; value /= 10)
		nr++;
	return nr;
}

static uint64_t divide_up(uint64_t value, unsigned nr_thousands)
{
	while (nr_thousands--)
		value = (value + 999) / 1000;
	return value;
}

/* values_ns are ascending. */
static void print_percentile_cells(const struct fio_view *view, const uint64_t *values_ns,
				   const struct latency_unit *unit, FILE *to)
{
	size_t nr = view->nr_list;
	int decimals = (int)fio_percentile_decimals(view->job, view->list, nr);
	unsigned digits = nr_digits(values_ns[nr - 1] / unit->ns);
	int width = digits > 5 ? (int)digits : 5;
	size_t per_line = (size_t)((LINE_COLUMNS - LINE_INDENT) / (decimals + 10 + width));

	for (size_t i = 0; i < nr; i++) {
		bool is_last = i + 1 == nr;

		if (i % per_line == 0)
			(void)fputs("     |", to);
		(void)fprintf(to, " %*.*fth=[%*llu]%s", decimals + 3, decimals, view->list[i],
			      width,
			      (unsigned long long)divide_up(values_ns[i], unit->nr_thousands),
			      is_last ? "\n" : ",");
		if (!is_last && i % per_line == per_line - 1)
			(void)fputc('\n', to);
	}
}

static void print_percentiles(const char *name, const struct fio_view *view,
			      const struct fio_latency_view *latency, FILE *to)
{
	const uint64_t *values_ns = latency->percentiles_ns;
	size_t nr = view->nr_list;
	const struct latency_unit *unit;

	if (nr == 0 || latency->n == 0 || !values_ns)
		return;
	unit = unit_for(values_ns[0], values_ns[nr - 1]);
	(void)fprintf(to, "    %s percentiles (%s):\n", name, unit->name);
	print_percentile_cells(view, values_ns, unit, to);
}

static unsigned long long whole(double value)
{
	if (!(value > 0)) /* or no number */
		return 0;
	return value < 0x1p64 ? (unsigned long long)value : ULLONG_MAX;
}

static void print_samples(const struct fio_dir_view *dir, const struct fio_group *group, FILE *to)
{
	const struct fio_samples_view *bw = &dir->bw;
	const struct fio_samples_view *iops = &dir->iops_samples;
	bool is_si = group->kb_base == 1000;
	double kb_base = is_si ? 1000.0 : 1024.0;
	bool is_large = bw->mean > kb_base * kb_base;
	double divisor = is_large ? kb_base : 1.0;
	const char *label = is_large ? "MiB" : is_si ? "kB" : "KiB";

	if (bw->n)
		(void)fprintf(to,
			      "   bw (%5s/s): min=%5llu, max=%5llu, per=%3.2f%%, avg=%5.02f, "
			      "stdev=%5.02f, samples=%llu\n",
			      label, whole(bw->min / divisor), whole(bw->max / divisor),
			      dir->bw_agg_percent, bw->mean / divisor, bw->stddev / divisor,
			      (unsigned long long)bw->n);
	if (iops->n)
		(void)fprintf(to,
			      "   iops        : min=%5llu, max=%5llu, avg=%5.02f, stdev=%5.02f, "
			      "samples=%llu\n",
			      whole(iops->min), whole(iops->max), iops->mean, iops->stddev,
			      (unsigned long long)iops->n);
}

static void print_rate(const struct fio_dir_view *dir, enum fio_dir index,
		       const struct fio_group *group, FILE *to)
{
	const unsigned digits = fio_group_digits(group);
	const enum fio_prefix prefix = fio_prefix_of(group->kb_base);
	const enum fio_unit unit = fio_group_rate_unit(group);
	char iops_text[FIO_NUMBER_LEN], bw_text[FIO_NUMBER_LEN], other_text[FIO_NUMBER_LEN];
	char io_text[FIO_NUMBER_LEN];

	(void)fprintf(to, "  %s: IOPS=%s, BW=%s (%s)(%s/%llumsec)%s\n", fio_dir_name(index),
		      fio_number_text((uint64_t)dir->iops, digits, FIO_PREFIX_SI, FIO_UNIT_NONE,
				      iops_text),
		      fio_number_text(dir->bw_bytes_per_sec, digits, prefix, unit, bw_text),
		      fio_number_text(dir->bw_bytes_per_sec, digits, fio_prefix_other(prefix), unit,
				      other_text),
		      fio_number_text(dir->io_bytes, digits, prefix, FIO_UNIT_BYTE, io_text),
		      (unsigned long long)dir->runtime_ms,
		      index == FIO_WRITE ? "; 0 zone resets" : "");
}

void fio_text_dir(const struct fio_view *view, enum fio_dir dir, const struct fio_group *group,
		  FILE *to)
{
	const struct fio_dir_view *numbers = &view->dir[dir];
	const struct fio_latency_view *latency = numbers->latency;

	if (!fio_view_has(view, dir) || numbers->io_bytes == 0 || numbers->runtime_ms == 0)
		return;
	print_rate(numbers, dir, group, to);
	print_latency("slat", &latency[LATENCY_SLAT], to);
	print_latency("clat", &latency[LATENCY_CLAT], to);
	print_latency(" lat", &latency[LATENCY_LAT], to);
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
		print_percentiles(latency_kind_name((enum latency_kind)kind), view, &latency[kind],
				  to);
	print_samples(numbers, group, to);
}

static void print_lat_dist(const char *unit, const double *percents, size_t nr, FILE *to)
{
	static const char *const names[FIO_NR_LAT_MS] = { "2",	 "4",	 "10",	 "20",
							  "50",	 "100",	 "250",	 "500",
							  "750", "1000", "2000", ">=2000" };
	unsigned on_line = 0;

	for (size_t i = 0; i < nr; i++) {
		if (percents[i] <= 0)
			continue;
		if (on_line == 5) {
			(void)fputc('\n', to);
			on_line = 0;
		}
		if (on_line == 0)
			(void)fprintf(to, "  lat (%s)   : ", unit);
		(void)fprintf(to, "%s%s=%3.2f%%", on_line ? ", " : "", names[i], percents[i]);
		on_line++;
	}
	if (on_line)
		(void)fputc('\n', to);
}

void fio_text_lat_dist(const struct fio_view *view, FILE *to)
{
	print_lat_dist("nsec", view->lat_ns, FIO_NR_LAT_NS, to);
	print_lat_dist("usec", view->lat_us, FIO_NR_LAT_NS, to);
	print_lat_dist("msec", view->lat_ms, FIO_NR_LAT_MS, to);
}

void fio_text_sync(const struct fio_view *view, FILE *to)
{
	if (view->sync.n == 0)
		return;
	(void)fputs("  fsync/fdatasync/sync_file_range:\n", to);
	print_latency("sync", &view->sync, to);
	print_percentiles("sync", view, &view->sync, to);
}

static void print_disk(const struct result *result, size_t index, FILE *to)
{
	const struct disk_result *disk = &result->disks[index];
	struct fio_disk_sum sum;

	fio_disk_sum(result, index, &sum);
	(void)fputs(sum.nr ? "    " : "  ", to);
	fio_text_plain(disk->name, to);
	(void)fprintf(
		to,
		": ios=%llu/%llu, merge=%llu/%llu, ticks=%llu/%llu, in_queue=%llu, util=%3.2f%%",
		(unsigned long long)disk->ios[0], (unsigned long long)disk->ios[1],
		(unsigned long long)disk->merges[0], (unsigned long long)disk->merges[1],
		(unsigned long long)disk->ticks_ms[0], (unsigned long long)disk->ticks_ms[1],
		(unsigned long long)disk->in_queue_ms,
		fio_disk_util_percent(disk->io_ticks_ms, disk->wall_ms));
	if (sum.nr)
		(void)fprintf(to,
			      ", aggrios=%llu/%llu, aggrmerge=%llu/%llu, aggrticks=%llu/%llu, "
			      "aggrin_queue=%llu, aggrutil=%3.2f%%",
			      (unsigned long long)(sum.ios[0] / sum.nr),
			      (unsigned long long)(sum.ios[1] / sum.nr),
			      (unsigned long long)(sum.merges[0] / sum.nr),
			      (unsigned long long)(sum.merges[1] / sum.nr),
			      (unsigned long long)(sum.ticks_ms[0] / sum.nr),
			      (unsigned long long)(sum.ticks_ms[1] / sum.nr),
			      (unsigned long long)(sum.in_queue_ms / sum.nr), sum.max_util_percent);
	(void)fputc('\n', to);
}

void fio_text_disks(const struct result *result, FILE *to)
{
	if (result->nr_disks == 0)
		return;
	(void)fputs("\nDisk stats (read/write):\n", to);
	for (size_t i = 0; i < result->nr_disks; i++)
		print_disk(result, i, to);
}
