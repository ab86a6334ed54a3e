/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_json_dir: "read", "write", "trim", "mixed" and "sync" of a job in fio's JSON. */
#include "import/fio_json.h"

#include <math.h>
#include <string.h>

#define KIB 1024.0

/* ---- reading ---- */

static void clear(struct fio_json_dir_state *state, enum fio_json_dir dir)
{
	state->dir = dir;
	state->numbers = (struct fio_dir_numbers){ .io_bytes = { .line = 0 } };
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
		fio_json_clear_latency(&state->latency[kind]);
}

#define NUMBER(key_, field)                                                                        \
	{                                                                                          \
		key_, fio_json_number, offsetof(struct fio_json_dir_state, numbers.field)          \
	}

/* In the order of fio 3.x. */
static const struct fio_member rows[] = {
	NUMBER("io_bytes", io_bytes),
	NUMBER("io_kbytes", io_kbytes),
	NUMBER("bw_bytes", bw_bytes),
	NUMBER("bw", bw),
	NUMBER("iops", iops),
	NUMBER("runtime", runtime),
	NUMBER("total_ios", total_ios),
	NUMBER("short_ios", short_ios),
	NUMBER("drop_ios", drop_ios),
	{ "slat_ns", fio_json_read_latency, LATENCY_SLAT },
	{ "clat_ns", fio_json_read_latency, LATENCY_CLAT },
	{ "lat_ns", fio_json_read_latency, LATENCY_LAT },
	{ "slat", fio_json_read_latency, LATENCY_SLAT },
	{ "clat", fio_json_read_latency, LATENCY_CLAT },
	{ "lat", fio_json_read_latency, LATENCY_LAT },
	NUMBER("bw_min", bw_min),
	NUMBER("bw_max", bw_max),
	NUMBER("bw_mean", bw_mean),
	NUMBER("bw_dev", bw_dev),
	NUMBER("bw_samples", bw_samples),
	NUMBER("iops_min", iops_min),
	NUMBER("iops_max", iops_max),
	NUMBER("iops_mean", iops_mean),
	NUMBER("iops_stddev", iops_stddev),
	NUMBER("iops_samples", iops_samples),
};

/* ---- units ---- */

/* NAN where it was not printed. */
static double value_of(struct fio_number number)
{
	return number.line ? number.value : (double)NAN;
}

/* "io_bytes" was in KiB until 2.20; where no version is known, bandwidth and runtime tell. */
static bool is_io_in_kib(struct fio_json *json, const struct fio_dir_numbers *numbers)
{
	double kib = numbers->bw.value * numbers->runtime.value / 1000;
	bool looks_like_kib = numbers->io_bytes.value < 32 * kib;

	if (numbers->io_kbytes.line || numbers->bw_bytes.line)
		return false;
	if (json->doc.major)
		return json->doc.major < 2 || (json->doc.major == 2 && json->doc.minor <= 20);
	if (kib > 0 && looks_like_kib)
		note_add(&json->doc.result.notes, NOTE_UNIT_CONVERTED,
			 "line %u: io_bytes is in KiB, as bandwidth and runtime show",
			 numbers->io_bytes.line);
	return kib > 0 && looks_like_kib;
}

static struct fio_number io_bytes(struct fio_json *json, const struct fio_dir_numbers *numbers)
{
	struct fio_number bytes = numbers->io_bytes;

	if (bytes.line && is_io_in_kib(json, numbers))
		bytes.value *= KIB;
	if (!bytes.line && numbers->io_kbytes.line)
		bytes = (struct fio_number){ .value = numbers->io_kbytes.value * KIB,
					     .line = numbers->io_kbytes.line };
	return bytes;
}

/*
 * Bytes per second were printed since 3.2; before that whole KiB, which are too coarse for slow
 * jobs. The exact quotient is taken if it rounds to what was printed.
 */
static struct fio_number bandwidth(const struct fio_dir_numbers *numbers, struct fio_number bytes)
{
	struct fio_number bw = { .line = numbers->bw.line };

	if (numbers->bw_bytes.line || !bw.line)
		return numbers->bw_bytes;
	bw.value = fio_exact_rate(numbers->bw.value * KIB, KIB, value_of(bytes),
				  value_of(numbers->runtime));
	return bw;
}

/* The same for I/Os: they have six decimals but in the oldest versions. */
static struct fio_number iops(const struct fio_dir_numbers *numbers)
{
	struct fio_number printed = numbers->iops;

	if (printed.line && printed.value == floor(printed.value))
		printed.value = fio_exact_rate(printed.value, 1, value_of(numbers->total_ios),
					       value_of(numbers->runtime));
	return printed;
}

/* ---- finishing ---- */

static void set(struct given_list *given, const char *prefix, const char *rest,
		struct fio_number number)
{
	if (number.line)
		fio_given_set(given, prefix, rest, number.value, number.line);
}

static void set_samples(struct given_list *given, const char *dir, const struct fio_dir_numbers *n)
{
	const struct {
		const char *name, *rest;
		struct fio_number number;
		double unit;
	} samples[] = {
		{ "bw_samples", "mean", n->bw_mean, KIB },
		{ "bw_samples", "stddev", n->bw_dev, KIB },
		{ "bw_samples", "min", n->bw_min, KIB },
		{ "bw_samples", "max", n->bw_max, KIB },
		{ "bw_samples", "nr", n->bw_samples, 1 },
		{ "iops_samples", "mean", n->iops_mean, 1 },
		{ "iops_samples", "stddev", n->iops_stddev, 1 },
		{ "iops_samples", "min", n->iops_min, 1 },
		{ "iops_samples", "max", n->iops_max, 1 },
		{ "iops_samples", "nr", n->iops_samples, 1 },
	};

	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++) {
		bool is_bw = i < 5;
		char prefix[32];

		/* A job of less than half a second has no samples: all of them are 0. */
		if (!samples[i].number.line ||
		    (is_bw ? n->bw_max.value == 0 : n->iops_max.value == 0))
			continue;
		(void)stpcpy(stpcpy(stpcpy(prefix, dir), "."), samples[i].name);
		fio_given_set(given, prefix, samples[i].rest,
			      samples[i].number.value * samples[i].unit, samples[i].number.line);
	}
}

/* For the question whether another document goes on with the same run. */
static void remember_progress(struct fio_json *json, struct fio_number bytes)
{
	const struct fio_json_dir_state *state = &json->dir;
	const struct fio_latency *lat = &state->latency[LATENCY_LAT];
	const struct fio_latency *clat = &state->latency[LATENCY_CLAT];
	struct fio_json_progress *progress = &json->doc.progress.items[json->job];

	progress->runtime_ms[state->dir] = state->numbers.runtime.value;
	progress->ios[state->dir] = state->numbers.total_ios.value;
	progress->bytes[state->dir] = bytes.value;
	progress->mean_ns[state->dir] = lat->mean.line ? lat->mean.value : clat->mean.value;
	progress->longest_ms = fmax(progress->longest_ms, state->numbers.runtime.value);
}

static bool is_active(const struct fio_dir_numbers *numbers)
{
	return numbers->io_bytes.value > 0 || numbers->io_kbytes.value > 0 ||
	       numbers->total_ios.value > 0 || numbers->iops.value > 0 || numbers->bw.value > 0;
}

/* A direction that did nothing, and the sum of others, are not there. */
static bool is_wanted(struct fio_json *json)
{
	const unsigned data = 1 << FIO_JSON_READ | 1 << FIO_JSON_WRITE | 1 << FIO_JSON_TRIM;
	unsigned dir = 1U << json->dir.dir;

	if (!is_active(&json->dir.numbers) || json->seen & dir ||
	    (json->dir.dir == FIO_JSON_MIXED && json->seen & data))
		return false;
	json->seen |= dir;
	return true;
}

static void finish(struct fio_json *json)
{
	const struct fio_dir_numbers *numbers = &json->dir.numbers;
	const char *dir = fio_json_dir_names[json->dir.dir];
	struct given_list *given = &fio_json_job(json)->given;
	double runtime_ms = numbers->runtime.line ? numbers->runtime.value : (double)NAN;
	struct fio_number bytes;

	if (!is_wanted(json))
		return;
	bytes = io_bytes(json, numbers);
	set(given, dir, "iops", iops(numbers));
	set(given, dir, "bw_bytes_per_sec", bandwidth(numbers, bytes));
	set(given, dir, "total_ios", numbers->total_ios);
	set(given, dir, "io_bytes", bytes);
	set(given, dir, "runtime_ms", numbers->runtime);
	set(given, dir, "short_ios", numbers->short_ios);
	set(given, dir, "drop_ios", numbers->drop_ios);
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
		fio_json_finish_latency(json, (enum latency_kind)kind, runtime_ms);
	set_samples(given, dir, numbers);
	remember_progress(json, bytes);
}

bool fio_json_read_dir(struct fio_json *json, void *into, const struct fio_member *member)
{
	static const struct fio_members members = FIO_MEMBERS(rows);
	bool is_whole;

	(void)into;
	if (json->event != JSON_OBJECT)
		return fio_json_pass(json);
	clear(&json->dir, (enum fio_json_dir)member->offset);
	is_whole = fio_json_members(json, &members, &json->dir);
	finish(json);
	return is_whole;
}
