/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_json_job: the entries of "jobs" and "client_stats" in fio's JSON. */
#include "import/fio_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define MAX_OPTIONS 1000 /* of a job; fio has 330 */
#define MAX_ERRNO 4095	 /* as the kernel */
#define SUM_ENTRY "All clients"

/* Numbers that are not kept as they are. */
struct job_numbers {
	struct fio_number groupid, error, job_start, elapsed;
	struct fio_number usr_cpu, sys_cpu, ctx, majf, minf;
	struct fio_number total_err, latency_depth, latency_target, attained;
};

/* ---- texts ---- */

static bool read_name(struct fio_json *json, void *into, const struct fio_member *member)
{
	struct job_result *job = fio_json_job(json);

	(void)into;
	(void)member;
	free(job->name);
	job->name = fio_json_take_text(json);
	return fio_json_pass(json);
}

static bool read_description(struct fio_json *json, void *into, const struct fio_member *member)
{
	struct job_result *job = fio_json_job(json);

	(void)into;
	(void)member;
	free(job->description);
	job->description = fio_json_take_text(json);
	return fio_json_pass(json);
}

static void add_option(struct fio_json *json)
{
	const struct json_scan *scan = &json->text.scan;
	struct job_result *job = fio_json_job(json);
	CLEANUP(free) char *key = xstrndup(scan->key ? scan->key : "", scan->key_len);
	CLEANUP(free) char *value = fio_json_take_text(json);

	if (*key && value && job->nr_options < MAX_OPTIONS)
		job_result_add_option(job, key, value);
}

static bool read_options(struct fio_json *json, void *into, const struct fio_member *member)
{
	(void)into;
	(void)member;
	if (json->event != JSON_OBJECT)
		return fio_json_pass(json);
	while (fio_json_next(json) && json->event != JSON_CLOSE) {
		add_option(json);
		if (!fio_json_pass(json))
			return false;
	}
	return json->event == JSON_CLOSE;
}

/* Which server an entry is from. */
static bool read_host(struct fio_json *json, void *into, const struct fio_member *member)
{
	(void)into;
	(void)member;
	add_option(json);
	return fio_json_pass(json);
}

/* ---- shares ---- */

/* "iodepth_level" : { "1" : 100.0, ">=64" : 0.0 }; member->offset is the index here. */
static const struct share_row {
	const char *key, *prefix, *unit;
} share_rows[] = {
	{ "iodepth_level", "depth", "" },	{ "iodepth_submit", "submit", "" },
	{ "iodepth_complete", "complete", "" }, { "latency_ns", "latency", "ns" },
	{ "latency_us", "latency", "us" },	{ "latency_ms", "latency", "ms" },
};

/* Adds a share, unless the object has it already; `first` is its first metric in the list. */
static void add_share(struct fio_json *json, const struct share_row *row, size_t first)
{
	const struct json_scan *scan = &json->text.scan;
	struct given_list *given = &fio_json_job(json)->given;
	struct fio_number number = fio_json_take_number(json);
	bool is_rest = scan->key_len > 2 && !strncmp(scan->key, ">=", 2);
	size_t skipped = is_rest ? 2 : 0;
	size_t prefix_len = strlen(row->prefix) + 1;
	char rest[32];
	char *end;

	if (!number.line || scan->key_len > 8)
		return;
	end = stpcpy(rest, is_rest ? "ge" : "");
	end = mempcpy(end, scan->key + skipped, scan->key_len - skipped);
	(void)stpcpy(stpcpy(end, row->unit), "_percent");
	for (size_t i = first; i < given->nr; i++) {
		const char *other = given->items[i].name + prefix_len;

		if (*other == *rest && !strcmp(other, rest))
			return;
	}
	fio_given_set(given, row->prefix, rest, number.value, number.line);
}

static bool read_shares(struct fio_json *json, void *into, const struct fio_member *member)
{
	size_t first = fio_json_job(json)->given.nr;
	unsigned bit = 1U << (FIO_JSON_NR_DIRS + member->offset);

	(void)into;
	if (json->event != JSON_OBJECT || json->seen & bit)
		return fio_json_pass(json);
	json->seen |= bit;
	while (fio_json_next(json) && json->event != JSON_CLOSE) {
		add_share(json, &share_rows[member->offset], first);
		if (!fio_json_pass(json))
			return false;
	}
	return json->event == JSON_CLOSE;
}

/* ---- a job ---- */

static bool read_steady(struct fio_json *json, void *into, const struct fio_member *member)
{
	static const struct fio_member rows[] = {
		{ "attained", fio_json_number, offsetof(struct job_numbers, attained) },
	};
	static const struct fio_members members = FIO_MEMBERS(rows);

	(void)member;
	return json->event == JSON_OBJECT ? fio_json_members(json, &members, into)
					  : fio_json_pass(json);
}

#define NUMBER(key_, field)                                                                        \
	{                                                                                          \
		key_, fio_json_number, offsetof(struct job_numbers, field)                         \
	}

/* In the order of fio 3.x. */
static const struct fio_member rows[] = {
	{ "jobname", read_name, 0 },
	NUMBER("groupid", groupid),
	NUMBER("job_start", job_start),
	NUMBER("error", error),
	NUMBER("elapsed", elapsed),
	{ "job options", read_options, 0 },
	{ "read", fio_json_read_dir, FIO_JSON_READ },
	{ "write", fio_json_read_dir, FIO_JSON_WRITE },
	{ "trim", fio_json_read_dir, FIO_JSON_TRIM },
	{ "sync", fio_json_read_dir, FIO_JSON_SYNC },
	{ "mixed", fio_json_read_dir, FIO_JSON_MIXED },
	NUMBER("usr_cpu", usr_cpu),
	NUMBER("sys_cpu", sys_cpu),
	NUMBER("ctx", ctx),
	NUMBER("majf", majf),
	NUMBER("minf", minf),
	{ "iodepth_level", read_shares, 0 },
	{ "iodepth_submit", read_shares, 1 },
	{ "iodepth_complete", read_shares, 2 },
	{ "latency_ns", read_shares, 3 },
	{ "latency_us", read_shares, 4 },
	{ "latency_ms", read_shares, 5 },
	NUMBER("total_err", total_err),
	NUMBER("latency_depth", latency_depth),
	NUMBER("latency_target", latency_target),
	{ "steadystate", read_steady, 0 },
	{ "desc", read_description, 0 },
	{ "hostname", read_host, 0 },
};

static unsigned to_unsigned(double value)
{
	return value < 1e9 ? (unsigned)value : 0;
}

static void set(struct fio_json *json, const char *prefix, const char *rest,
		struct fio_number number)
{
	if (number.line)
		fio_given_set(&fio_json_job(json)->given, prefix, rest, number.value, number.line);
}

static void finish_job(struct fio_json *json, const struct job_numbers *numbers)
{
	struct job_result *job = fio_json_job(json);
	struct fio_json_progress *progress = &json->doc.progress.items[json->job];

	job->group_id = to_unsigned(numbers->groupid.value);
	job->error = numbers->error.value <= MAX_ERRNO ? (int)numbers->error.value : MAX_ERRNO;
	job->nr_errors = (uint64_t)numbers->total_err.value;
	progress->start_ms = (uint64_t)numbers->job_start.value;
	if (numbers->elapsed.line)
		json->doc.elapsed_ms = numbers->elapsed.value * 1000;
	set(json, "cpu", "usr_percent", numbers->usr_cpu);
	set(json, "cpu", "sys_percent", numbers->sys_cpu);
	set(json, "cpu", "ctx", numbers->ctx);
	set(json, "cpu", "major_faults", numbers->majf);
	set(json, "cpu", "minor_faults", numbers->minf);
	if (numbers->latency_target.value > 0)
		set(json, "latency_target", "depth", numbers->latency_depth);
	set(json, "steadystate", "attained", numbers->attained);
	json->doc.has_sum = job->name && !strcmp(job->name, SUM_ENTRY);
}

/* Notes once that a job is passed over. */
static void note_too_many(struct fio_json *json)
{
	note_add(&json->doc.result.notes, NOTE_INPUT_INCOMPLETE,
		 "more than %d jobs: the others were left out", FIO_JSON_MAX_JOBS);
}

static bool read_job(struct fio_json *json)
{
	static const struct fio_members members = FIO_MEMBERS(rows);
	struct job_numbers numbers = { .groupid = { .line = 0 } };
	bool is_whole;

	(void)result_add_job(&json->doc.result);
	vec_push(&json->doc.progress, (struct fio_json_progress){ .start_ms = 0 });
	json->job = json->doc.result.nr_jobs - 1;
	json->seen = 0;
	is_whole = fio_json_members(json, &members, &numbers);
	finish_job(json, &numbers);
	return is_whole;
}

bool fio_json_read_jobs(struct fio_json *json, void *into, const struct fio_member *member)
{
	(void)into;
	(void)member;
	if (json->event != JSON_ARRAY)
		return fio_json_pass(json);
	json->doc.is_fio = true;
	while (fio_json_next(json) && json->event != JSON_CLOSE) {
		bool is_full = json->doc.result.nr_jobs == FIO_JSON_MAX_JOBS;
		bool is_job = json->event == JSON_OBJECT && !is_full;

		if (is_full)
			note_too_many(json);
		if (!(is_job ? read_job(json) : fio_json_pass(json)))
			return false;
	}
	return json->event == JSON_CLOSE;
}
