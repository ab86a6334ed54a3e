/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_given: sets the metrics of a run of fio, and notes the numbers that are not taken. */
#include "import/fio_given.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "model/given.h"
#include "model/note.h"

#define MAX_TIME_NS 1e18 /* 30 years: no time at all */

void fio_given_set(struct given_list *given, const char *prefix, const char *rest, double value,
		   unsigned line)
{
	char name[FIO_GIVEN_NAME_LEN];
	char *end;

	if (strlen(prefix) + strlen(rest) + 2 > sizeof(name))
		return;
	end = stpcpy(name, prefix);
	*end++ = '.';
	(void)stpcpy(end, rest);
	given_append(given, name, value, line);
}

double fio_exact_rate(double printed, double step, double amount, double runtime_ms)
{
	double exact = amount * 1000 / runtime_ms;
	/* Amounts in whole KiB add an error of their own. */
	double tolerance = step + printed * 0.001;

	return runtime_ms > 0 && fabs(exact - printed) <= tolerance ? exact : printed;
}

const char *fio_time_text(double value_ns, char ret_text[static FIO_TIME_LEN])
{
	if (value_ns >= 0 && value_ns < MAX_TIME_NS)
		return units_print_duration_ns((uint64_t)value_ns, ret_text, FIO_TIME_LEN);
	(void)snprintf(ret_text, FIO_TIME_LEN, "%.6g ns", value_ns);
	return ret_text;
}

void fio_refuse(struct note_list *notes, struct fio_refusals *refusals, unsigned line,
		const char *format, ...)
{
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	va_list args;

	if (refusals->nr++ >= FIO_MAX_REFUSED)
		return;
	va_start(args, format);
	strbuf_vprintf(&text, format, args);
	va_end(args);
	note_add(notes, NOTE_NUMBER_REFUSED, "line %u: %s", line, strbuf_str(&text));
}

void fio_refusals_finish(struct note_list *notes, const struct fio_refusals *refusals)
{
	if (refusals->nr > FIO_MAX_REFUSED)
		note_add(notes, NOTE_NUMBER_REFUSED, "%u more numbers like these",
			 refusals->nr - FIO_MAX_REFUSED);
}

/* ---- latencies ---- */

static void set_moments(const struct fio_times_target *target, const struct fio_times *times,
			double runtime_ms)
{
	const struct {
		const char *rest;
		double value_ns;
		unsigned line, part;
	} rows[] = {
		{ "mean", times->mean_ns, times->mean_line, FIO_TIMES_MEAN },
		{ "stddev", times->stddev_ns, times->stddev_line, FIO_TIMES_STDDEV },
		{ "min", times->min_ns, times->min_line, FIO_TIMES_MIN },
		{ "max", times->max_ns, times->max_line, FIO_TIMES_MAX },
	};
	unsigned parts = 0;
	char time[FIO_TIME_LEN];
	const char *fault = fio_times_fault(times, runtime_ms, &parts);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (isnan(rows[i].value_ns))
			continue;
		if (parts & rows[i].part)
			fio_refuse(target->notes, target->refusals, rows[i].line,
				   "job '%s': %s.%s: %s %s", target->job, target->prefix,
				   rows[i].rest, fio_time_text(rows[i].value_ns, time), fault);
		else
			fio_given_set(target->given, target->prefix, rows[i].rest, rows[i].value_ns,
				      rows[i].line);
	}
}

/* "p99.9": without zeros at its end. Those that fio lists by default need no printf. */
static const char *percent_name(double percent, char name[static 32])
{
	static const struct {
		double percent;
		const char *name;
	} rows[] = {
		{ 1, "p1" },	     { 5, "p5" },	{ 10, "p10" },	   { 20, "p20" },
		{ 30, "p30" },	     { 40, "p40" },	{ 50, "p50" },	   { 60, "p60" },
		{ 70, "p70" },	     { 80, "p80" },	{ 90, "p90" },	   { 95, "p95" },
		{ 99, "p99" },	     { 99.5, "p99.5" }, { 99.9, "p99.9" }, { 99.95, "p99.95" },
		{ 99.99, "p99.99" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].percent == percent)
			return rows[i].name;
	}
	(void)snprintf(name, 32, "p%.9g", percent);
	return name;
}

static void refuse_percentiles(const struct fio_times_target *target,
			       const struct fio_percentile *first, const char *why)
{
	fio_refuse(target->notes, target->refusals, first->line,
		   "job '%s': percentiles of %s from %.9g on %s", target->job, target->prefix,
		   first->percent, why);
}

static void set_percentiles(const struct fio_times_target *target, struct fio_times times)
{
	const char *fault;
	char name[32];
	size_t nr;

	fio_times_unsaturated(&times, &nr);
	if (nr < times.nr_percentiles)
		refuse_percentiles(target, &times.percentiles[nr], "are the end of the histogram");
	times.nr_percentiles = nr;
	fault = fio_percentiles_fault(&times);
	if (fault) {
		refuse_percentiles(target, &times.percentiles[0], fault);
		return;
	}
	for (size_t i = 0; i < nr; i++) {
		const struct fio_percentile *percentile = &times.percentiles[i];

		fio_given_set(target->given, target->prefix,
			      percent_name(percentile->percent, name), percentile->value_ns,
			      percentile->line);
	}
}

void fio_times_set(const struct fio_times_target *target, const struct fio_times *times,
		   double runtime_ms)
{
	set_moments(target, times, runtime_ms);
	if (times->nr_percentiles)
		set_percentiles(target, *times);
}
