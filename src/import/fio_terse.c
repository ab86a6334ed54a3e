/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_terse: the fields of fio's terse output, versions 2 to 5. */
#include "import/fio_terse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json_scan.h"

#define KIB 1024.0
#define US 1000.0		      /* ns */
#define WRAPPED 9223372036854775808.0 /* 2^63: a counter that went below zero */
#define MAX_PERCENTILES 40
#define NR_SLOTS 20	   /* for percentiles */
#define COARSE_NS 100000.0 /* below it a step of 1 us is more than 1 % */
#define COARSE_IOPS 100.0
#define NR_DISK_FIELDS 9
#define NR_SLAVE_FIELDS 8
#define REPORT_GROWTH 0.05 /* from one status report to the next, at least */
#define MAX_ERRNO 4095	   /* as the kernel */

void fio_terse_entry_release(struct fio_terse_entry *entry)
{
	job_result_release(&entry->job);
	free(entry->tool_version);
	free(entry->disk_text);
	given_list_release(&entry->disks);
	note_list_release(&entry->notes);
	*entry = (struct fio_terse_entry){ .line = 0 };
}

/* ---- lines ---- */

unsigned fio_terse_version(const char *text)
{
	unsigned version = (unsigned)(text[0] - '0');

	if (version < 2 || version > 5 || text[1] != ';')
		return 0;
	/* Version 2 has no "fio-2.0" there: the number of fields must tell. */
	return version == 2 || strncmp(text + 2, "fio-", 4) == 0 ? version : 0;
}

unsigned fio_terse_count_fields(const char *text)
{
	unsigned nr = 1;

	for (; (text = strchr(text, ';')); text++)
		nr++;
	return nr;
}

unsigned fio_terse_min_fields(unsigned version)
{
	const unsigned per_dir = version == 5 ? 47 : 41;
	const unsigned nr_dirs = version == 3 ? 2 : 3;
	const unsigned head = version == 2 ? 4 : 5;

	return head + nr_dirs * per_dir + 5 + 7 + 10 + 12;
}

/* ---- fields ---- */

struct fields {
	const char *at;	  /* NULL at the end */
	unsigned nr_left; /* that are whole; the last one of a cut line is not */
	struct fio_terse_entry *entry;
};

struct field {
	const char *text; /* not terminated */
	size_t len;
};

static struct field next_field(struct fields *fields)
{
	struct field field = { .text = "", .len = 0 };

	if (!fields->nr_left || !fields->at)
		return field;
	fields->nr_left--;
	field.text = fields->at;
	field.len = strcspn(field.text, ";");
	fields->at = field.text[field.len] ? field.text + field.len + 1 : NULL;
	return field;
}

static double to_number(struct fields *fields, const char *text, size_t len)
{
	double value;

	if (len && text[len - 1] == '%')
		len--;
	if (!len || !json_number(text, len, &value))
		return (double)NAN;
	if (value < 0 || value >= WRAPPED) {
		fio_refuse(&fields->entry->notes, &fields->entry->refusals, fields->entry->line,
			   "field '%.*s' %s zero", (int)len, text,
			   value < 0 ? "is below" : "went below");
		return (double)NAN;
	}
	return value;
}

/* NAN where there is none, or it cannot be true. */
static double next_number(struct fields *fields)
{
	struct field field = next_field(fields);

	return to_number(fields, field.text, field.len);
}

static char *next_text(struct fields *fields)
{
	struct field field = next_field(fields);

	return xstrndup(field.text, field.len);
}

static void set(struct fields *fields, const char *prefix, const char *rest, double value)
{
	if (!isnan(value))
		fio_given_set(&fields->entry->job.given, prefix, rest, value, fields->entry->line);
}

/* ---- a direction ---- */

struct times {
	double min, max, mean, stddev; /* us */
};

static struct times next_times(struct fields *fields)
{
	struct times times;

	times.min = next_number(fields);
	times.max = next_number(fields);
	times.mean = next_number(fields);
	times.stddev = next_number(fields);
	return times;
}

struct percentiles {
	struct fio_percentile items[MAX_PERCENTILES];
	size_t nr;
};

/* What is below 1 us is printed as 0: not known. */
static double positive(double value)
{
	return value > 0 ? value : (double)NAN;
}

/* "99.000000%=1544"; unused ones are "0%=0". */
static void next_percentiles(struct fields *fields, struct percentiles *list)
{
	list->nr = 0;
	for (size_t i = 0; i < NR_SLOTS; i++) {
		struct field field = next_field(fields);
		const char *mark = memmem(field.text, field.len, "%=", 2);
		double percent, value;

		if (!mark)
			continue;
		percent = to_number(fields, field.text, (size_t)(mark - field.text));
		value = to_number(fields, mark + 2, (size_t)(field.text + field.len - mark - 2));
		if (percent > 0 && percent <= 100 && value > 0 &&
		    (!list->nr || percent > list->items[list->nr - 1].percent))
			list->items[list->nr++] =
				(struct fio_percentile){ .percent = percent,
							 .value_ns = value * US,
							 .line = fields->entry->line };
	}
}

static void set_times(struct fields *fields, const char *dir, const char *kind,
		      const struct times *times, const struct percentiles *percentiles,
		      double runtime_ms)
{
	struct fio_terse_entry *entry = fields->entry;
	char prefix[32];
	const struct fio_times_target target = {
		.given = &entry->job.given,
		.prefix = prefix,
		.job = entry->job.name,
		.notes = &entry->notes,
		.refusals = &entry->refusals,
	};
	const struct fio_times in_ns = {
		.min_ns = positive(times->min) * US,
		.max_ns = positive(times->max) * US,
		.mean_ns = times->mean * US,
		.stddev_ns = times->stddev * US,
		.min_line = entry->line,
		.max_line = entry->line,
		.mean_line = entry->line,
		.stddev_line = entry->line,
		.step_ns = US,
		.percentiles = percentiles ? percentiles->items : NULL,
		.nr_percentiles = percentiles ? percentiles->nr : 0,
	};

	if (!(times->max > 0) && !(times->mean > 0))
		return; /* not measured */
	(void)snprintf(prefix, sizeof(prefix), "%s.%s_ns", dir, kind);
	fio_times_set(&target, &in_ns, runtime_ms);
}

static void set_samples(struct fields *fields, const char *dir, unsigned version)
{
	static const char *const rests[] = { "min", "max", "mean", "stddev", "nr" };
	char prefix[32];
	double values[10];
	size_t i = 0;

	values[i++] = next_number(fields) * KIB;
	values[i++] = next_number(fields) * KIB;
	(void)next_number(fields); /* share of the group */
	values[i++] = next_number(fields) * KIB;
	values[i++] = next_number(fields) * KIB;
	while (i < 10)
		values[i++] = version == 5 ? next_number(fields) : (double)NAN;
	/* Without samples all of them are 0. */
	(void)snprintf(prefix, sizeof(prefix), "%s.bw_samples", dir);
	for (i = 0; i < 5 && values[1] > 0; i++)
		set(fields, prefix, rests[i], values[i]);
	(void)snprintf(prefix, sizeof(prefix), "%s.iops_samples", dir);
	for (i = 5; i < 10 && values[6] > 0; i++)
		set(fields, prefix, rests[i - 5], values[i]);
}

static void note_rounded(struct fields *fields, const char *dir, double iops,
			 const struct percentiles *percentiles)
{
	struct fio_terse_entry *entry = fields->entry;

	if (iops > 0 && iops < COARSE_IOPS)
		note_add(&entry->notes, NOTE_ROUNDED, "line %u: %s.iops is a whole number",
			 entry->line, dir);
	if (percentiles->nr && percentiles->items[0].value_ns < COARSE_NS)
		note_add(&entry->notes, NOTE_ROUNDED,
			 "line %u: percentiles of %s.clat_ns are in whole us", entry->line, dir);
}

static void read_dir(struct fields *fields, const char *dir, unsigned version)
{
	double io_kib = next_number(fields);
	double bw_kib = next_number(fields);
	double iops = next_number(fields);
	double runtime_ms = next_number(fields);
	struct times slat = next_times(fields);
	struct times clat = next_times(fields);
	struct percentiles percentiles;
	struct times lat;

	next_percentiles(fields, &percentiles);
	lat = next_times(fields);
	if (!(io_kib > 0) && !(iops > 0)) { /* it did nothing */
		for (unsigned i = 0; i < (version == 5 ? 11U : 5U); i++)
			(void)next_field(fields);
		return;
	}
	set(fields, dir, "iops", iops);
	set(fields, dir, "bw_bytes_per_sec",
	    fio_exact_rate(bw_kib * KIB, KIB, io_kib * KIB, runtime_ms));
	set(fields, dir, "io_bytes", io_kib * KIB);
	set(fields, dir, "runtime_ms", runtime_ms);
	set_times(fields, dir, "slat", &slat, NULL, runtime_ms);
	set_times(fields, dir, "clat", &clat, &percentiles, runtime_ms);
	set_times(fields, dir, "lat", &lat, NULL, runtime_ms);
	set_samples(fields, dir, version);
	note_rounded(fields, dir, iops, &percentiles);
}

/* ---- the rest ---- */

static void read_shares(struct fields *fields)
{
	static const char *const depths[] = { "1", "2", "4", "8", "16", "32", "ge64" };
	static const char *const small[] = { "2",   "4",   "10",  "20",	 "50",
					     "100", "250", "500", "750", "1000" };
	static const char *const large[] = { "2",   "4",   "10",  "20",	  "50",	  "100",
					     "250", "500", "750", "1000", "2000", "ge2000" };
	char rest[32];

	for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++) {
		(void)snprintf(rest, sizeof(rest), "%s_percent", depths[i]);
		set(fields, "depth", rest, next_number(fields));
	}
	for (size_t i = 0; i < sizeof(small) / sizeof(small[0]); i++) {
		(void)snprintf(rest, sizeof(rest), "%sus_percent", small[i]);
		set(fields, "latency", rest, next_number(fields));
	}
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++) {
		(void)snprintf(rest, sizeof(rest), "%sms_percent", large[i]);
		set(fields, "latency", rest, next_number(fields));
	}
}

/* True if nr fields from here on are those of a disk: numbers, of which the last is a share. */
static bool is_disk(const struct fields *fields, unsigned nr_names, unsigned nr)
{
	struct fields ahead = *fields;

	if (ahead.nr_left < nr)
		return false;
	for (unsigned i = 0; i < nr; i++) {
		struct field field = next_field(&ahead);
		bool is_share = field.len > 1 && field.text[field.len - 1] == '%';
		double value;

		if (i < nr_names)
			continue;
		if (!json_number(field.text, field.len - is_share, &value) ||
		    is_share != (i + 1 == nr))
			return false;
	}
	return true;
}

static void read_disk_numbers(struct fields *fields, const char *name, const char *aggregate)
{
	static const char *const rests[] = { "read_ios",     "write_ios",     "read_merges",
					     "write_merges", "read_ticks_ms", "write_ticks_ms",
					     "in_queue_ms",  "util_percent" };

	for (size_t i = 0; i < sizeof(rests) / sizeof(rests[0]); i++) {
		double value = next_number(fields);
		CLEANUP(free) char *metric = xasprintf("disk.%s.%s%s", name, aggregate, rests[i]);

		if (!isnan(value) && strlen(metric) < FIO_GIVEN_NAME_LEN)
			(void)given_set(&fields->entry->disks, metric, value, fields->entry->line);
	}
}

static void read_disks(struct fields *fields)
{
	const char *start = fields->at;
	size_t len;

	while (is_disk(fields, 1, NR_DISK_FIELDS)) {
		CLEANUP(free) char *name = next_text(fields);
		struct fields ahead;

		read_disk_numbers(fields, name, "");
		ahead = *fields;
		if (!strncmp(ahead.at ? ahead.at : "", "slaves;", 7)) {
			(void)next_field(&ahead);
			if (!is_disk(&ahead, 0, NR_SLAVE_FIELDS))
				continue;
			*fields = ahead;
			read_disk_numbers(fields, name, "aggr_");
		}
	}
	len = start ? (fields->at ? (size_t)(fields->at - start) : strlen(start)) : 0;
	fields->entry->disk_text = xstrndup(start ? start : "", len);
}

/* Errors that were passed over, if it counts them, and a description, which may hold anything. */
static void read_end(struct fields *fields)
{
	struct fields ahead = *fields;
	struct job_result *job = &fields->entry->job;
	struct field total = next_field(&ahead);
	struct field first = next_field(&ahead);
	uint64_t nr_errors, first_error;

	if (json_number_u64(total.text, total.len, &nr_errors) &&
	    json_number_u64(first.text, first.len, &first_error) && first_error <= MAX_ERRNO) {
		job->nr_errors = nr_errors;
		*fields = ahead;
	}
	if (fields->at && *fields->at && !fields->entry->is_cut)
		job->description = xstrdup(fields->at);
}

static void read_head(struct fields *fields, unsigned version)
{
	struct job_result *job = &fields->entry->job;
	double group, error;

	(void)next_field(fields);
	if (version > 2) {
		CLEANUP(free) char *text = next_text(fields);
		const char *digits = text + strcspn(text, "0123456789");

		fields->entry->tool_version = xstrdup(*digits ? digits : text);
	}
	job->name = next_text(fields);
	group = next_number(fields);
	error = next_number(fields);
	job->group_id = group < 1e9 ? (unsigned)group : 0;
	job->phase = job->group_id; /* groups run one after the other */
	job->error = error <= MAX_ERRNO ? (int)error : 0;
	job->nr_clones = 1;
}

void fio_terse_read(const char *text, unsigned line, struct fio_terse_entry *entry)
{
	unsigned version = (unsigned)(text[0] - '0');
	unsigned nr = fio_terse_count_fields(text);
	struct fields fields = { .at = text, .nr_left = nr, .entry = entry };

	/* The last field of the shortest line is a share; cut, it may lack its end. */
	entry->line = line;
	entry->is_cut |= nr < fio_terse_min_fields(version) ||
			 (nr == fio_terse_min_fields(version) && text[strlen(text) - 1] != '%');
	if (entry->is_cut) {
		fields.nr_left--;
		note_add(&entry->notes, NOTE_INPUT_INCOMPLETE,
			 "line %u: the line is cut in field %u", line, nr);
	}
	read_head(&fields, version);
	read_dir(&fields, "read", version);
	read_dir(&fields, "write", version);
	if (version != 3)
		read_dir(&fields, "trim", version);
	set(&fields, "cpu", "usr_percent", next_number(&fields));
	set(&fields, "cpu", "sys_percent", next_number(&fields));
	set(&fields, "cpu", "ctx", next_number(&fields));
	set(&fields, "cpu", "major_faults", next_number(&fields));
	set(&fields, "cpu", "minor_faults", next_number(&fields));
	read_shares(&fields);
	read_disks(&fields);
	read_end(&fields);
	fio_refusals_finish(&entry->notes, &entry->refusals);
}

/* ---- reports of one run ---- */

static double value_of(const struct fio_terse_entry *entry, const char *name)
{
	const struct given_metric *metric = given_find(&entry->job.given, name);

	return metric ? metric->value : 0;
}

static double longest_ms(const struct fio_terse_entry *entry)
{
	return fmax(fmax(value_of(entry, "read.runtime_ms"), value_of(entry, "write.runtime_ms")),
		    value_of(entry, "trim.runtime_ms"));
}

static double bytes_of(const struct fio_terse_entry *entry)
{
	return value_of(entry, "read.io_bytes") + value_of(entry, "write.io_bytes") +
	       value_of(entry, "trim.io_bytes");
}

bool fio_terse_goes_on(const struct fio_terse_entry *before, const struct fio_terse_entry *after,
		       bool is_known)
{
	static const char *const growing[] = {
		"read.io_bytes",    "write.io_bytes",	"trim.io_bytes",     "read.runtime_ms",
		"write.runtime_ms", "trim.runtime_ms",	"read.clat_ns.max",  "write.clat_ns.max",
		"trim.clat_ns.max", "read.slat_ns.max", "write.slat_ns.max", "cpu.ctx",
	};
	static const char *const falling[] = { "read.clat_ns.min", "write.clat_ns.min" };
	double grown_ms = longest_ms(after) - longest_ms(before);

	for (size_t i = 0; i < sizeof(growing) / sizeof(growing[0]); i++) {
		if (value_of(after, growing[i]) < value_of(before, growing[i]))
			return false;
	}
	for (size_t i = 0; i < sizeof(falling) / sizeof(falling[0]); i++) {
		if (value_of(before, falling[i]) > 0 &&
		    value_of(after, falling[i]) > value_of(before, falling[i]))
			return false;
	}
	if (is_known)
		return true;
	/* Repeats of a run are alike in their runtime or in their amount of I/O. */
	return grown_ms > longest_ms(after) * REPORT_GROWTH &&
	       bytes_of(after) > bytes_of(before) * (1 + REPORT_GROWTH);
}
