/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_check: numbers of a job that contradict each other or the run are taken out with a note. */
#include "import/fio_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/fio_given.h"

/* The largest midpoints of fio's histograms, in us until 2.21 and in ns since: what was slower is
 * in the last bucket. */
#define OLD_LAST_BUCKET_NS 16711680e3
#define LAST_BUCKET_NS 17112760320.0
#define BUCKET_ERROR 0.02     /* of a percentile: half a bucket, and how the unit was rounded */
#define LATENCY_SLACK_NS 60e9 /* a run may wait for its last I/O after the runtime */
#define UNLIKE_FACTOR 10      /* lat beside the slat and clat it consists of */
#define UNLIKE_SLACK_NS 10e6

struct latency_check {
	struct fio_run *run;
	struct given_list *given;
	const char *job;
	const char *prefix; /* "read.lat_ns" */

	/* what was taken out of a line and not noted yet */
	struct strbuf refused; /* "max 10m24s, mean 4m27s" */
	const char *reason;
	unsigned line;
};

static const struct given_metric *find(const struct latency_check *check, const char *rest)
{
	char name[2 * FIO_NAME_LEN];

	(void)snprintf(name, sizeof(name), "%s.%s", check->prefix, rest);
	return given_find(check->given, name);
}

static double value_of(const struct latency_check *check, const char *rest)
{
	const struct given_metric *metric = find(check, rest);

	return metric ? metric->value : (double)NAN;
}

/* One note for all numbers of a line that were taken out. */
static void flush_note(struct latency_check *check)
{
	if (check->refused.len)
		fio_run_refuse(check->run, check->line, "job '%s': %s: %s %s", check->job,
			       check->prefix, strbuf_str(&check->refused), check->reason);
	strbuf_reset(&check->refused);
}

static void refuse(struct latency_check *check, const char *rest, const char *reason)
{
	const struct given_metric *metric = find(check, rest);
	char name[2 * FIO_NAME_LEN];
	char time[FIO_TIME_LEN];

	if (!metric)
		return;
	if (metric->line != check->line)
		flush_note(check);
	if (check->refused.len && reason != check->reason)
		strbuf_printf(&check->refused, " %s; ", check->reason);
	else if (check->refused.len)
		strbuf_add_str(&check->refused, ", ");
	check->reason = reason;
	check->line = metric->line;
	strbuf_printf(&check->refused, "%s %s", rest, fio_time_text(metric->value, time));
	(void)snprintf(name, sizeof(name), "%s.%s", check->prefix, rest);
	(void)given_remove(check->given, name);
}

/* The unit that a set of numbers was printed in. */
static double unit_of(double a, double b)
{
	static const double units[] = { 1e9, 1e6, 1e3 };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (fmod(a, units[i]) == 0 && (isnan(b) || fmod(b, units[i]) == 0))
			return units[i];
	}
	return 1;
}

/* No I/O takes much longer than the run. */
static void check_against_runtime(struct latency_check *check, double runtime_ms)
{
	static const char *const rests[] = { "min", "max", "mean" };
	double limit_ns = runtime_ms * 2e6 + LATENCY_SLACK_NS;

	for (size_t i = 0; i < sizeof(rests) / sizeof(rests[0]); i++) {
		if (value_of(check, rests[i]) > limit_ns)
			refuse(check, rests[i], "last longer than the run");
	}
}

/* lat is slat and clat together; clock and queueing faults of old versions show here. */
static void check_against_parts(struct latency_check *lat, const char *dir)
{
	static const char *const rests[] = { "max", "mean" };

	for (size_t i = 0; i < sizeof(rests) / sizeof(rests[0]); i++) {
		char name[2 * FIO_NAME_LEN];
		const struct given_metric *slat, *clat;
		double parts;

		(void)snprintf(name, sizeof(name), "%s.slat_ns.%s", dir, rests[i]);
		slat = given_find(lat->given, name);
		(void)snprintf(name, sizeof(name), "%s.clat_ns.%s", dir, rests[i]);
		clat = given_find(lat->given, name);
		if (!clat)
			continue;
		parts = clat->value + (slat ? slat->value : 0);
		if (value_of(lat, rests[i]) > parts * UNLIKE_FACTOR + UNLIKE_SLACK_NS)
			refuse(lat, rests[i], "do not fit slat and clat");
	}
}

static void check_order(struct latency_check *check)
{
	double min = value_of(check, "min");
	double max = value_of(check, "max");
	double mean = value_of(check, "mean");
	double stddev = value_of(check, "stddev");
	double unit = unit_of(isnan(min) ? 0 : min, isnan(max) ? 0 : max);

	if (min > max) {
		refuse(check, "min", "contradict each other");
		refuse(check, "max", "contradict each other");
	} else if (mean < min - unit || mean > max * 1.001 + unit) {
		refuse(check, "mean", "lies outside minimum and maximum");
	} else if (stddev > (max - min) * 1.001 + unit) {
		refuse(check, "stddev", "exceeds the range");
	}
	if (!find(check, "mean"))
		refuse(check, "stddev", "belongs to such a mean");
}

/* ---- percentiles ---- */

struct percentile {
	double share, value;
	unsigned line;
};

struct percentile_list VEC_BODY(struct percentile);

static int compare_percentiles(const void *a, const void *b)
{
	const struct percentile *left = a;
	const struct percentile *right = b;

	return (left->share > right->share) - (left->share < right->share);
}

static void collect(const struct latency_check *check, struct percentile_list *list)
{
	size_t len = strlen(check->prefix);

	for (size_t i = 0; i < check->given->nr; i++) {
		const struct given_metric *metric = &check->given->items[i];
		const char *digits = metric->name + len + 2;

		if (strncmp(metric->name, check->prefix, len) != 0 ||
		    strncmp(metric->name + len, ".p", 2) != 0)
			continue;
		vec_push(list, (struct percentile){ .share = strtod(digits, NULL) / 100,
						    .value = metric->value,
						    .line = metric->line });
	}
	if (list->nr)
		qsort(list->items, list->nr, sizeof(list->items[0]), compare_percentiles);
}

static void refuse_percentiles(const struct latency_check *check,
			       const struct percentile_list *list, const char *reason)
{
	fio_run_refuse(check->run, list->items[0].line, "job '%s': percentiles of %s %s",
		       check->job, check->prefix, reason);
	for (size_t i = 0; i < list->nr; i++) {
		char name[2 * FIO_NAME_LEN];

		(void)snprintf(name, sizeof(name), "%s.p%.9g", check->prefix,
			       list->items[i].share * 100);
		(void)given_remove(check->given, name);
	}
}

static bool is_saturated(double value, double max)
{
	double last = value > OLD_LAST_BUCKET_NS * 1.01 ? LAST_BUCKET_NS : OLD_LAST_BUCKET_NS;

	return value >= last * 0.999 && value <= last * 1.001 && max > last * 1.01;
}

/* What is wrong with the list as a whole; NULL = nothing. */
static const char *percentile_fault(const struct latency_check *check,
				    const struct percentile_list *list)
{
	double min = value_of(check, "min");
	double max = value_of(check, "max");
	double mean = value_of(check, "mean");
	double unit = unit_of(list->items[0].value, list->items[list->nr - 1].value);

	for (size_t i = 0; i < list->nr; i++) {
		double value = list->items[i].value;
		double most = value * (1 + BUCKET_ERROR) + unit;
		double share = list->items[i].share;

		if (i && value < list->items[i - 1].value)
			return "do not ascend";
		if (value > max * (1 + BUCKET_ERROR) + unit + unit_of(max, min))
			return "are above the maximum";
		if (most < min)
			return "are below the minimum";
		/* At best all above it is the maximum. */
		if (mean > share * most + (1 - share) * max * 1.001 + unit_of(max, min))
			return "lie too low for the mean";
	}
	return NULL;
}

static void check_percentiles(struct latency_check *check)
{
	struct percentile_list list = VEC_INIT;
	double max = value_of(check, "max");
	const char *fault;

	collect(check, &list);
	for (size_t i = list.nr; i > 0 && is_saturated(list.items[i - 1].value, max); i--) {
		char rest[FIO_NAME_LEN];

		(void)snprintf(rest, sizeof(rest), "p%.9g", list.items[i - 1].share * 100);
		refuse(check, rest, "are the end of the histogram");
		list.nr = i - 1;
	}
	fault = list.nr ? percentile_fault(check, &list) : NULL;
	if (fault)
		refuse_percentiles(check, &list, fault);
	vec_release(&list);
}

/* ---- a job ---- */

static double longest_runtime_ms(const struct given_list *given)
{
	double longest_ms = NAN;

	for (size_t i = 0; i < given->nr; i++) {
		const char *dot = strrchr(given->items[i].name, '.');

		if (dot && !strcmp(dot, ".runtime_ms"))
			longest_ms = fmax(longest_ms, given->items[i].value);
	}
	return longest_ms;
}

void fio_check_job(struct fio_run *run, struct job_result *job)
{
	static const char *const dirs[] = { "read", "write", "trim", "mixed", "sync" };
	double runtime_ms = longest_runtime_ms(&job->given);

	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++) {
		for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++) {
			const char *name = latency_kind_name((enum latency_kind)kind);
			char prefix[FIO_NAME_LEN];
			struct latency_check check = {
				.run = run, .given = &job->given, .job = job->name, .prefix = prefix
			};

			(void)snprintf(prefix, sizeof(prefix), "%s.%s_ns", dirs[i], name);
			check_against_runtime(&check, runtime_ms);
			if (kind == LATENCY_LAT)
				check_against_parts(&check, dirs[i]);
			check_order(&check);
			check_percentiles(&check);
			flush_note(&check);
			strbuf_release(&check.refused);
		}
	}
}
