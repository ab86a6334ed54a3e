/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Refuses a job whose options contradict each other. Limits of single values are in keys.c, what
 * depends on files, devices and engines is left to src/load. */
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "job/keys.h"
#include "job/number.h"
#include "job/parser.h"

/* The one of two keys whose value is to blame for a contradiction: the one given last. */
static const char *later_key(const struct draft *draft, const char *first, const char *second)
{
	const struct place *a = draft_place(draft, first);
	const struct place *b = draft_place(draft, second);

	if (a->rank != b->rank)
		return a->rank > b->rank ? first : second;
	return a->line > b->line ? first : second;
}

static int check_filename(const struct draft *draft, struct err *err)
{
	const struct job *job = &draft->job;
	struct short_text quoted;

	if (!job->filename)
		return 0;
	if (job->nr_files == 0)
		return draft_refuse(draft, "filename", err, "'%s' names no file",
				    short_text(job->filename, &quoted));
	if (!strcmp(job->filename, "-"))
		return place_refuse(
			draft_place(draft, "filename"), ERR_UNSUPPORTED, err,
			"filename: '-' (standard input or output) is not supported yet");
	return 0;
}

/* The smallest I/O of the directions that the job does. */
static uint64_t smallest_bs(const struct job *job)
{
	uint64_t smallest = UINT64_MAX;

	for (int dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		if (job_does(job, (enum io_dir)dir) && job->bs_min_bytes[dir] < smallest)
			smallest = job->bs_min_bytes[dir];
	}
	return smallest;
}

static int check_size(const struct draft *draft, struct err *err)
{
	const struct job *job = &draft->job;
	const uint64_t bs_bytes = smallest_bs(job);

	const char *bs_key = later_key(draft, "bs", "bsrange");

	if (!job->size.is_set || job->size.percent || job->size.bytes >= bs_bytes)
		return 0;
	if (later_key(draft, bs_key, "size") == bs_key)
		return draft_refuse(draft, bs_key, err,
				    "%" PRIu64 " is more than the size of %" PRIu64, bs_bytes,
				    job->size.bytes);
	return draft_refuse(draft, "size", err,
			    "%" PRIu64 " is less than the block size of %" PRIu64, job->size.bytes,
			    bs_bytes);
}

static bool has_any(const uint64_t values[IO_NR_DATA_DIRS])
{
	return values[IO_READ] || values[IO_WRITE] || values[IO_TRIM];
}

static int check_rates(const struct draft *draft, struct err *err)
{
	if (!has_any(draft->job.rate_bytes_per_sec) || !has_any(draft->job.rate_iops))
		return 0;
	return draft_refuse(draft, later_key(draft, "rate", "rate_iops"), err,
			    "rate and rate_iops exclude each other");
}

/* The sizes that were given as a number of zones. */
static int check_zone_units(const struct draft *draft, struct err *err)
{
	const struct job *job = &draft->job;
	const struct {
		const char *key;
		const struct size_spec *size;
	} rows[] = {
		{ "size", &job->size },		 { "io_size", &job->io_size },
		{ "offset", &job->offset },	 { "offset_increment", &job->offset_increment },
		{ "zoneskip", &job->zone_skip },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned zones = rows[i].size->zones;

		if (zones && job->zone_size_bytes == 0)
			return draft_refuse(draft, rows[i].key, err, "'%uz' needs a zonesize",
					    zones);
		if (zones && (rows[i].size->bytes / zones != job->zone_size_bytes ||
			      rows[i].size->bytes > INT64_MAX))
			return draft_refuse(draft, rows[i].key, err, "'%uz' is too large", zones);
	}
	return 0;
}

static int check_zones(const struct draft *draft, struct err *err)
{
	const struct job *job = &draft->job;

	if (job->zonemode == ZONEMODE_NONE)
		return 0;
	if (job->zone_size_bytes == 0)
		return draft_refuse(draft, "zonemode", err, "strided needs a zonesize");
	if (job->zone_range_bytes < smallest_bs(job))
		return draft_refuse(draft, "zonerange", err,
				    "%" PRIu64 " is less than the block size of %" PRIu64,
				    job->zone_range_bytes, smallest_bs(job));
	return 0;
}

#define STEADY_MIN_INTERVAL_NS UINT64_C(10000000) /* shorter ones would cost the workers time */

static int check_steady(const struct draft *draft, struct err *err)
{
	const struct job *job = &draft->job;

	if (job->steady_interval_ns < STEADY_MIN_INTERVAL_NS)
		return draft_refuse(draft, "steadystate_check_interval", err,
				    "less than 10 ms are not possible");
	if (job->steady_duration_ns / job->steady_interval_ns > STEADY_MAX_SAMPLES)
		return draft_refuse(draft, "steadystate_duration", err,
				    "more than %d samples (steadystate_check_interval)",
				    STEADY_MAX_SAMPLES);
	return 0;
}

/* An option that only some engines have: refused where the job itself asks for it. */
static int check_engine_keys(const struct draft *draft, struct err *err)
{
	size_t nr_rows;
	const struct key_row *rows = keys_table(&nr_rows);
	const struct job *job = &draft->job;
	struct short_text quoted;

	for (size_t i = 0; i < nr_rows; i++) {
		const char *key = rows[i].info.name;

		if (!key_is_of_engine(&rows[i], job->ioengine) && job_option_find(job, key))
			return draft_refuse(draft, key, err,
					    "ioengine '%s' has no such option (of: %s)",
					    short_text(job->ioengine, &quoted), rows[i].engines);
	}
	return 0;
}

int draft_check(const struct draft *draft, struct err *err)
{
	static int (*const checks[])(const struct draft *draft, struct err *err) = {
		check_filename, check_zone_units, check_size,	     check_rates,
		check_zones,	check_steady,	  check_engine_keys,
	};

	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		int ret = checks[i](draft, err);

		if (ret < 0)
			return ret;
	}
	return 0;
}
