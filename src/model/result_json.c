/* SPDX-License-Identifier: GPL-2.0-or-later */
/* result_json: the archive form of a result, written and read by the same tables of fields. */
#include "model/result_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/given_json.h"
#include "model/json_field.h"
#include "model/result.h"
#include "model/result_fields.h"
#include "model/steady_json.h"
#include "model/timeline_json.h"

#define SCHEMA "regio.result"
#define MAX_PERCENTILES 1000 /* far above what any program lists; bounds the work of readers */
#define MAX_NOTES 10000	     /* note_add looks at all of them */
#define MAX_ERRNO 4095	     /* as the kernel */

/* ---- writing ---- */

/* [bucket, count, bucket, count ..] of the buckets that are not empty. */
static json_t *write_hist(const struct hist *hist)
{
	json_t *array = json_array();

	for (size_t i = 0; i < HIST_NR_BUCKETS; i++) {
		if (!hist->counts[i])
			continue;
		(void)json_array_append_new(array, json_from_u64(i));
		(void)json_array_append_new(array, json_from_u64(hist->counts[i]));
	}
	return array;
}

/* An empty latency has no member. */
static void write_latency(json_t *object, const char *key, const struct latency *latency)
{
	json_t *value;

	if (!latency->moments.n && !latency->hist)
		return;
	value = json_object();
	json_write_fields(value, &result_json_moments_fields, &latency->moments);
	if (latency->hist)
		(void)json_object_set_new(value, "hist", write_hist(latency->hist));
	(void)json_object_set_new(object, key, value);
}

static void write_running(json_t *object, const char *key, const struct running *running)
{
	json_t *value;

	if (!running->n)
		return;
	value = json_object();
	json_write_fields(value, &result_json_running_fields, running);
	(void)json_object_set_new(object, key, value);
}

static json_t *write_dir(const struct dir_result *dir)
{
	json_t *object = json_object();

	json_write_fields(object, &result_json_dir_fields, dir);
	for (size_t kind = 0; kind < LATENCY_NR_KINDS; kind++)
		write_latency(object, latency_kind_name((enum latency_kind)kind),
			      &dir->latency[kind]);
	write_running(object, "bw_kib_per_sec", &dir->bw_kib_per_sec);
	write_running(object, "iops", &dir->iops);
	return object;
}

/* An array of [key, value]: keys may repeat and keep their order. */
static json_t *write_pairs(const struct result_pair *pairs, size_t nr)
{
	json_t *array = json_array();

	for (size_t i = 0; i < nr; i++) {
		json_t *pair = json_array();

		(void)json_array_append_new(pair, json_from_text(pairs[i].key));
		(void)json_array_append_new(pair, json_from_text(pairs[i].value));
		(void)json_array_append_new(array, pair);
	}
	return array;
}

static json_t *write_job(const struct job_result *job)
{
	json_t *object = json_object();
	json_t *percentiles = json_array();

	json_write_fields(object, &result_json_job_fields, job);
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++)
		(void)json_object_set_new(object, io_dir_name((enum io_dir)dir),
					  write_dir(&job->dir[dir]));
	write_latency(object, "sync", &job->sync);
	for (size_t i = 0; i < job->nr_percentiles; i++)
		(void)json_array_append_new(percentiles, json_from_real(job->percentiles[i]));
	(void)json_object_set_new(object, "percentiles", percentiles);
	(void)json_object_set_new(object, "options", write_pairs(job->options, job->nr_options));
	steady_write(object, job);
	given_write(object, &job->given);
	return object;
}

static json_t *write_disk(const struct disk_result *disk)
{
	json_t *object = json_object();

	(void)json_object_set_new(object, "name", json_from_text(disk->name));
	json_write_fields(object, &result_json_disk_fields, disk);
	return object;
}

static json_t *write_note(const struct note *note)
{
	json_t *object = json_object();

	(void)json_object_set_new(object, "id", json_string(note_kind(note->id)->name));
	(void)json_object_set_new(object, "text", json_from_text(note->text));
	return object;
}

static json_t *write_result(const struct result *result)
{
	json_t *object = json_object();
	json_t *jobs = json_array();
	json_t *disks = json_array();
	json_t *notes = json_array();

	(void)json_object_set_new(object, "schema", json_string(SCHEMA));
	(void)json_object_set_new(object, "version", json_integer(RESULT_JSON_VERSION));
	json_write_fields(object, &result_json_fields, result);
	for (size_t i = 0; i < result->nr_jobs; i++)
		(void)json_array_append_new(jobs, write_job(&result->jobs[i]));
	(void)json_object_set_new(object, "jobs", jobs);
	for (size_t i = 0; i < result->nr_disks; i++)
		(void)json_array_append_new(disks, write_disk(&result->disks[i]));
	(void)json_object_set_new(object, "disks", disks);
	timelines_write(object, result);
	(void)json_object_set_new(object, "settings",
				  write_pairs(result->settings, result->nr_settings));
	if (result->nr_global_options)
		(void)json_object_set_new(
			object, "global_options",
			write_pairs(result->global_options, result->nr_global_options));
	(void)json_object_set_new(object, "env", write_pairs(result->env, result->nr_env));
	if (result->nr_attachments)
		(void)json_object_set_new(object, "attachments",
					  write_pairs(result->attachments, result->nr_attachments));
	given_write(object, &result->given);
	given_write_values(object, "monitored", &result->monitored);
	for (size_t i = 0; i < result->notes.nr; i++)
		(void)json_array_append_new(notes, write_note(&result->notes.items[i]));
	(void)json_object_set_new(object, "notes", notes);
	return object;
}

char *result_to_json(const struct result *result, int pretty)
{
	json_t *object = write_result(result);
	char *text = json_dumps(object, pretty ? JSON_INDENT(2) : JSON_COMPACT);

	json_decref(object);
	if (!text)
		out_of_memory(0);
	return text;
}

/* ---- reading ---- */

static int read_hist(const json_t *array, struct latency *latency, const struct json_place *place,
		     struct err *err)
{
	struct hist *hist = latency_need_hist(latency);
	unsigned long long total = 0, bucket = 0, next_bucket = 0, count = 0;
	size_t len = json_array_size(array);

	if (len % 2)
		return json_refuse(place, err, "not pairs of bucket and count");
	for (size_t i = 0; i < len; i += 2) {
		const struct json_place at_bucket = { .parent = place, .index = i };
		const struct json_place at_count = { .parent = place, .index = i + 1 };
		int ret = json_to_u64(json_array_get(array, i), &bucket, &at_bucket, err);

		if (ret == 0)
			ret = json_to_u64(json_array_get(array, i + 1), &count, &at_count, err);
		if (ret < 0)
			return ret;
		if (bucket < next_bucket || bucket >= HIST_NR_BUCKETS)
			return json_refuse(&at_bucket, err, "bucket %llu is not one of %llu to %d",
					   bucket, next_bucket, HIST_NR_BUCKETS - 1);
		if (__builtin_add_overflow(total, count, &total))
			return json_refuse(&at_count, err, "the counts exceed 64 bits");
		hist->counts[bucket] = count;
		next_bucket = bucket + 1;
	}
	if (latency->moments.n && total != latency->moments.n)
		return json_refuse(place, err, "the counts add up to %llu, but n is %llu", total,
				   (unsigned long long)latency->moments.n);
	return 0;
}

static int read_latency(const json_t *parent, const char *key, struct latency *latency,
			const struct json_place *place, struct err *err)
{
	const struct json_place here = { .parent = place, .key = key };
	const struct json_place at_hist = { .parent = &here, .key = "hist" };
	const json_t *object = NULL;
	const json_t *hist = NULL;
	int ret = json_get_object(parent, key, 0, &object, place, err);

	if (ret < 0 || !object)
		return ret;
	ret = json_read_fields(object, &result_json_moments_fields, &latency->moments, &here, err);
	if (ret < 0)
		return ret;
	if (latency->moments.min > latency->moments.max)
		return json_refuse(&here, err, "min is above max");
	ret = json_get_array(object, "hist", 0, &hist, &here, err);
	if (ret < 0 || !hist)
		return ret;
	return read_hist(hist, latency, &at_hist, err);
}

static int read_running(const json_t *parent, const char *key, struct running *running,
			const struct json_place *place, struct err *err)
{
	const struct json_place here = { .parent = place, .key = key };
	const json_t *object = NULL;
	int ret = json_get_object(parent, key, 0, &object, place, err);

	if (ret < 0 || !object)
		return ret;
	return json_read_fields(object, &result_json_running_fields, running, &here, err);
}

static int read_dir(const json_t *parent, enum io_dir dir, struct dir_result *into,
		    const struct json_place *place, struct err *err)
{
	const struct json_place here = { .parent = place, .key = io_dir_name(dir) };
	const json_t *object = NULL;
	int ret = json_get_object(parent, here.key, 1, &object, place, err);

	if (ret == 0)
		ret = json_read_fields(object, &result_json_dir_fields, into, &here, err);
	for (size_t kind = 0; kind < LATENCY_NR_KINDS && ret == 0; kind++)
		ret = read_latency(object, latency_kind_name((enum latency_kind)kind),
				   &into->latency[kind], &here, err);
	if (ret == 0)
		ret = read_running(object, "bw_kib_per_sec", &into->bw_kib_per_sec, &here, err);
	if (ret == 0)
		ret = read_running(object, "iops", &into->iops, &here, err);
	return ret;
}

static int read_percentiles(const json_t *parent, struct job_result *job,
			    const struct json_place *place, struct err *err)
{
	const struct json_place here = { .parent = place, .key = "percentiles" };
	const json_t *array = NULL;
	double last = 0;
	size_t nr;
	int ret = json_get_array(parent, here.key, 1, &array, place, err);

	if (ret < 0)
		return ret;
	nr = json_array_size(array);
	if (nr > MAX_PERCENTILES)
		return json_refuse(&here, err, "%zu are more than %d", nr, MAX_PERCENTILES);
	job->percentiles = nr ? xcalloc(nr, sizeof(*job->percentiles)) : NULL;
	for (size_t i = 0; i < nr; i++) {
		const struct json_place item = { .parent = &here, .index = i };
		double percent;

		ret = json_to_real(json_array_get(array, i), &percent, &item, err);
		if (ret < 0)
			return ret;
		if (!(percent >= last && percent <= 100))
			return json_refuse(&item, err, "not ascending within 0 to 100");
		job->percentiles[i] = last = percent;
	}
	job->nr_percentiles = nr;
	return 0;
}

typedef void (*pair_adder)(void *into, const char *key, const char *value);

static void add_option(void *into, const char *key, const char *value)
{
	job_result_add_option(into, key, value);
}

static void add_global_option(void *into, const char *key, const char *value)
{
	result_add_global_option(into, key, value);
}

static void add_setting(void *into, const char *key, const char *value)
{
	result_add_setting(into, key, value);
}

static void add_env(void *into, const char *key, const char *value)
{
	result_add_env(into, key, value);
}

static void add_attachment(void *into, const char *key, const char *value)
{
	result_add_attachment(into, key, value);
}

static int read_pairs(const json_t *parent, const char *name, pair_adder add, void *into,
		      const struct json_place *place, struct err *err)
{
	const struct json_place here = { .parent = place, .key = name };
	const json_t *array = NULL;
	int ret = json_get_array(parent, name, 1, &array, place, err);

	for (size_t i = 0; ret == 0 && i < json_array_size(array); i++) {
		const struct json_place item = { .parent = &here, .index = i };
		const json_t *pair = json_array_get(array, i);
		CLEANUP(free) char *key = NULL;
		CLEANUP(free) char *value = NULL;

		if (json_array_size(pair) != 2) /* 0 for what is no array */
			return json_refuse(&item, err, "not [key, value]");
		ret = json_to_text(json_array_get(pair, 0), &key, &item, err);
		if (ret == 0)
			ret = json_to_text(json_array_get(pair, 1), &value, &item, err);
		if (ret == 0)
			add(into, key, value);
	}
	return ret;
}

static int check_job(const struct job_result *job, const struct json_place *place, struct err *err)
{
	if (job->error < 0 || job->error > MAX_ERRNO)
		return json_refuse(place, err, "error %d is not one of 0 to %d", job->error,
				   MAX_ERRNO);
	if (job->kb_base != 0 && job->kb_base != 1000 && job->kb_base != 1024)
		return json_refuse(place, err, "kb_base %u is neither 1000 nor 1024", job->kb_base);
	return 0;
}

static int read_job(const json_t *object, struct result *result, const struct json_place *place,
		    struct err *err)
{
	struct job_result *job = result_add_job(result);
	int ret = 0;

	if (!json_is_object(object))
		return json_refuse(place, err, "not an object");
	ret = json_read_fields(object, &result_json_job_fields, job, place, err);
	if (ret == 0)
		ret = check_job(job, place, err);
	for (size_t dir = 0; dir < IO_NR_DATA_DIRS && ret == 0; dir++)
		ret = read_dir(object, (enum io_dir)dir, &job->dir[dir], place, err);
	if (ret == 0)
		ret = read_latency(object, "sync", &job->sync, place, err);
	if (ret == 0)
		ret = read_percentiles(object, job, place, err);
	if (ret == 0)
		ret = read_pairs(object, "options", add_option, job, place, err);
	if (ret == 0)
		ret = steady_read(object, job, place, err);
	if (ret == 0)
		ret = given_read(object, &job->given, place, err);
	return ret;
}

static int read_disk(const json_t *object, struct result *result, const struct json_place *place,
		     struct err *err)
{
	const struct json_place at_name = { .parent = place, .key = "name" };
	CLEANUP(free) char *name = NULL;
	int ret = json_to_text(json_object_get(object, "name"), &name, &at_name, err);

	if (ret < 0)
		return ret;
	return json_read_fields(object, &result_json_disk_fields, result_add_disk(result, name, -1),
				place, err);
}

/* A kind that a later version knows keeps its words. */
static int read_note(const json_t *object, struct result *result, const struct json_place *place,
		     struct err *err)
{
	const struct json_place at_id = { .parent = place, .key = "id" };
	const struct json_place at_text = { .parent = place, .key = "text" };
	CLEANUP(free) char *name = NULL;
	CLEANUP(free) char *text = NULL;
	int ret = json_to_text(json_object_get(object, "id"), &name, &at_id, err);
	int id;

	if (place->index >= MAX_NOTES)
		return json_refuse(place, err, "more than %d notes", MAX_NOTES);
	if (ret == 0)
		ret = json_to_text(json_object_get(object, "text"), &text, &at_text, err);
	if (ret < 0)
		return ret;
	id = note_id_by_name(name);
	if (id < 0)
		note_add(&result->notes, NOTE_OPTION_WARNING, "%s: %s", name, text);
	else
		note_add(&result->notes, (enum note_id)id, "%s", text);
	return 0;
}

typedef int (*item_reader)(const json_t *item, struct result *result,
			   const struct json_place *place, struct err *err);

static int read_each(const json_t *parent, const char *key, item_reader read, struct result *result,
		     struct err *err)
{
	const struct json_place here = { .key = key };
	const json_t *array = NULL;
	int ret = json_get_array(parent, key, 1, &array, NULL, err);

	for (size_t i = 0; ret == 0 && i < json_array_size(array); i++) {
		const struct json_place item = { .parent = &here, .index = i };

		ret = read(json_array_get(array, i), result, &item, err);
	}
	return ret;
}

static int check_disks(const struct result *result, struct err *err)
{
	const struct json_place here = { .key = "disks" };

	for (size_t i = 0; i < result->nr_disks; i++) {
		const struct json_place item = { .parent = &here, .index = i };
		int parent = result->disks[i].parent;

		if (parent < -1 || parent >= (int)result->nr_disks || parent == (int)i)
			return json_refuse(&item, err, "parent %d is no other disk", parent);
	}
	return 0;
}

static int check_head(const json_t *object, struct err *err)
{
	const json_t *schema = json_object_get(object, "schema");
	const json_t *version = json_object_get(object, "version");

	if (!json_is_string(schema) || strcmp(json_string_value(schema), SCHEMA) != 0)
		return err_set(err, ERR_INPUT, "not a result: \"schema\" is not \"" SCHEMA "\"");
	if (!json_is_integer(version) || json_integer_value(version) < 1)
		return err_set(err, ERR_INPUT, "version: not a whole number from 1");
	if (json_integer_value(version) > RESULT_JSON_VERSION)
		return err_set(err, ERR_INPUT,
			       "version %lld was written by a later regio; this one knows up to %d",
			       (long long)json_integer_value(version), RESULT_JSON_VERSION);
	return 0;
}

static int read_result(const json_t *object, struct result *result, struct err *err)
{
	int ret = check_head(object, err);

	if (ret == 0)
		ret = json_read_fields(object, &result_json_fields, result, NULL, err);
	if (ret == 0)
		ret = read_each(object, "jobs", read_job, result, err);
	if (ret == 0)
		ret = read_each(object, "disks", read_disk, result, err);
	if (ret == 0)
		ret = check_disks(result, err);
	if (ret == 0 && json_object_get(object, "global_options"))
		ret = read_pairs(object, "global_options", add_global_option, result, NULL, err);
	if (ret == 0)
		ret = timelines_read(object, result, err);
	if (ret == 0)
		ret = read_pairs(object, "settings", add_setting, result, NULL, err);
	if (ret == 0)
		ret = read_pairs(object, "env", add_env, result, NULL, err);
	if (ret == 0 && json_object_get(object, "attachments"))
		ret = read_pairs(object, "attachments", add_attachment, result, NULL, err);
	if (ret == 0)
		ret = given_read(object, &result->given, NULL, err);
	if (ret == 0)
		ret = given_read_values(object, "monitored", &result->monitored, NULL, err);
	if (ret == 0)
		ret = read_each(object, "notes", read_note, result, err);
	return ret;
}

/* jansson quotes what it stopped at, line ends included. */
static void make_one_line(char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ')
			*text = ' ';
	}
}

int result_from_json(const char *text, size_t len, struct result *ret_result, struct err *err)
{
	struct result result = { .label = NULL };
	json_error_t where;
	json_t *object = json_loadb(text, len, JSON_REJECT_DUPLICATES, &where);
	int ret;

	if (!object) {
		make_one_line(where.text);
		return err_set(err, ERR_INPUT, "line %d: %s", where.line, where.text);
	}
	ret = read_result(object, &result, err);
	json_decref(object);
	if (ret < 0) {
		result_release(&result);
		return ret;
	}
	*ret_result = result;
	return 0;
}
