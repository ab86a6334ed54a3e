/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_json_latency: one kind of latency in fio's JSON, its percentiles and the bins of JSON+. */
#include "import/fio_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PERCENTILES 100		       /* fio lists up to 20 */
#define MAX_COUNT_BITS 52		       /* so that sums of all bins fit */
#define MAX_BINS ((size_t)2 * HIST_NR_BUCKETS) /* what is more is no histogram of fio's */

void fio_json_clear_latency(struct fio_latency *latency)
{
	latency->min = latency->max = latency->mean = latency->stddev = latency->n =
		(struct fio_number){ .line = 0 };
	latency->has_indexed_bins = false;
	vec_clear(&latency->percentiles);
	vec_clear(&latency->bins);
}

/* ---- reading ---- */

/* "99.990000": the unused entries until 3.3 are all "0.00". */
static bool read_percentiles(struct fio_json *json, void *into, const struct fio_member *member)
{
	struct fio_latency *latency = into;
	const struct json_scan *scan = &json->text.scan;

	(void)member;
	if (json->event != JSON_OBJECT)
		return fio_json_pass(json);
	while (fio_json_next(json) && json->event != JSON_CLOSE) {
		struct fio_number number = fio_json_take_number(json);
		double percent = 0;

		if (number.line && json_number(scan->key, scan->key_len, &percent) && percent > 0 &&
		    percent <= 100 && latency->percentiles.nr < MAX_PERCENTILES)
			vec_push(&latency->percentiles,
				 (struct fio_percentile){ .percent = percent,
							  .value_ns =
								  number.value * latency->unit_ns,
							  .line = number.line });
		if (!fio_json_pass(json))
			return false;
	}
	return json->event == JSON_CLOSE;
}

/* "25216" : 17; until 2.21 the number of the bucket, and three sizes of the histogram. */
static bool read_bins(struct fio_json *json, void *into, const struct fio_member *member)
{
	struct fio_latency *latency = into;
	const struct json_scan *scan = &json->text.scan;

	(void)member;
	if (json->event != JSON_OBJECT)
		return fio_json_pass(json);
	while (fio_json_next(json) && json->event != JSON_CLOSE) {
		struct fio_bin bin;

		if (json_scan_is_key(scan, "FIO_IO_U_PLAT_NR"))
			latency->has_indexed_bins = true;
		if (json->event == JSON_NUMBER &&
		    json_number_u64(scan->key, scan->key_len, &bin.value) &&
		    json_number_u64(scan->text, scan->len, &bin.count) && bin.count &&
		    latency->bins.nr < MAX_BINS)
			vec_push(&latency->bins, bin);
		if (!fio_json_pass(json))
			return false;
	}
	if (json->event != JSON_CLOSE)
		vec_clear(&latency->bins); /* half a histogram is none */
	return json->event == JSON_CLOSE;
}

bool fio_json_read_latency(struct fio_json *json, void *into, const struct fio_member *member)
{
	static const struct fio_member rows[] = {
		{ "min", fio_json_number, offsetof(struct fio_latency, min) },
		{ "max", fio_json_number, offsetof(struct fio_latency, max) },
		{ "mean", fio_json_number, offsetof(struct fio_latency, mean) },
		{ "stddev", fio_json_number, offsetof(struct fio_latency, stddev) },
		{ "N", fio_json_number, offsetof(struct fio_latency, n) },
		{ "percentile", read_percentiles, 0 },
		{ "bins", read_bins, 0 },
	};
	static const struct fio_members members = FIO_MEMBERS(rows);
	struct fio_json_dir_state *state = into;
	struct fio_latency *latency = &state->latency[member->offset];
	bool is_ns = json->text.scan.key[json->text.scan.key_len - 1] == 's';

	if (json->event != JSON_OBJECT)
		return fio_json_pass(json);
	fio_json_clear_latency(latency);
	latency->unit_ns = is_ns ? 1 : 1000; /* us until 2.21 */
	return fio_json_members(json, &members, latency);
}

/* ---- finishing ---- */

static int compare_percentiles(const void *a, const void *b)
{
	const struct fio_percentile *left = a;
	const struct fio_percentile *right = b;

	return (left->percent > right->percent) - (left->percent < right->percent);
}

/* Ascending, each once: another program may have sorted the keys as text. */
static void sort_percentiles(struct fio_latency *latency)
{
	struct fio_percentile *items = latency->percentiles.items;
	bool is_sorted = true;
	size_t kept = 0;

	for (size_t i = 1; i < latency->percentiles.nr; i++)
		is_sorted &= items[i - 1].percent < items[i].percent;
	if (is_sorted)
		return;
	qsort(items, latency->percentiles.nr, sizeof(*items), compare_percentiles);
	for (size_t i = 0; i < latency->percentiles.nr; i++) {
		if (!kept || items[i].percent > items[kept - 1].percent)
			items[kept++] = items[i];
	}
	latency->percentiles.nr = kept;
}

static double in_ns(const struct fio_latency *latency, const struct fio_number *number)
{
	return number->line ? number->value * latency->unit_ns : (double)NAN;
}

/* Where the model keeps the histogram; NULL for mixed I/O. */
static struct latency *histogram_of(struct fio_json *json, enum latency_kind kind)
{
	struct job_result *job = fio_json_job(json);

	if (json->dir.dir == FIO_JSON_SYNC)
		return &job->sync;
	if (json->dir.dir < IO_NR_DATA_DIRS)
		return &job->dir[json->dir.dir].latency[kind];
	return NULL;
}

static void set_histogram(struct fio_json *json, const struct fio_latency *latency,
			  enum latency_kind kind)
{
	struct latency *into = histogram_of(json, kind);
	struct hist *hist;

	if (!into || !latency->bins.nr)
		return;
	hist = latency_need_hist(into);
	for (size_t i = 0; i < latency->bins.nr; i++) {
		struct fio_bin bin = latency->bins.items[i];
		uint64_t *count;

		if (latency->has_indexed_bins) {
			if (bin.value >= HIST_NR_BUCKETS)
				continue;
			bin.value = hist_value(bin.value);
		}
		if (__builtin_mul_overflow(bin.value, (uint64_t)latency->unit_ns, &bin.value))
			bin.value = UINT64_MAX;
		count = &hist->counts[hist_index(bin.value)];
		if (__builtin_add_overflow(*count, bin.count, count) || *count >> MAX_COUNT_BITS) {
			fio_refuse(&json->doc.result.notes, &json->doc.refusals, latency->max.line,
				   "a bin of %llu latencies", (unsigned long long)bin.count);
			free(into->hist);
			into->hist = NULL;
			return;
		}
	}
}

void fio_json_finish_latency(struct fio_json *json, enum latency_kind kind, double runtime_ms)
{
	struct fio_latency *latency = &json->dir.latency[kind];
	struct job_result *job = fio_json_job(json);
	char prefix[32];
	const struct fio_times_target target = {
		.given = &job->given,
		.prefix = prefix,
		.job = job->name ? job->name : "",
		.notes = &json->doc.result.notes,
		.refusals = &json->doc.refusals,
	};
	struct fio_times times;

	/* Not measured: gtod_reduce, disable_clat, or slat of a synchronous engine. */
	if (latency->max.value == 0 && latency->mean.value == 0)
		return;
	(void)snprintf(prefix, sizeof(prefix), "%s.%s_ns", fio_json_dir_names[json->dir.dir],
		       latency_kind_name(kind));
	sort_percentiles(latency);
	times = (struct fio_times){
		.min_ns = in_ns(latency, &latency->min),
		.max_ns = in_ns(latency, &latency->max),
		.mean_ns = in_ns(latency, &latency->mean),
		.stddev_ns = in_ns(latency, &latency->stddev),
		.min_line = latency->min.line,
		.max_line = latency->max.line,
		.mean_line = latency->mean.line,
		.stddev_line = latency->stddev.line,
		.step_ns = latency->unit_ns,
		.percentiles = latency->percentiles.items,
		.nr_percentiles = latency->percentiles.nr,
	};
	fio_times_set(&target, &times, runtime_ms);
	set_histogram(json, latency, kind);
}
