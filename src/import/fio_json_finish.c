/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_json_finish: what only a whole document of fio's JSON shows about its jobs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/units.h"
#include "import/fio_json.h"

#define START_SLACK_MS 100    /* between the end of a job and the start of the next one */
#define ELAPSED_SLACK_MS 2000 /* fio's whole seconds, and the time to start */

/* ---- "All clients" ---- */

/*
 * It adds up jobs that ran side by side and one after the other alike, and has no percentiles:
 * the sums of the entries are the better ones.
 */
static void drop_sum(struct fio_json_doc *doc)
{
	struct result *result = &doc->result;
	struct job_result *sum;

	if (!doc->has_sum || result->nr_jobs < 2)
		return;
	sum = &result->jobs[result->nr_jobs - 1];
	note_add(&result->notes, NOTE_INPUT_AMBIGUOUS,
		 "'%s' is the sum of the %zu entries above it and not counted again", sum->name,
		 result->nr_jobs - 1);
	job_result_release(sum);
	result->nr_jobs--;
	doc->progress.nr--;
}

/* ---- phases ---- */

struct group {
	unsigned id;
	uint64_t start_ms, end_ms; /* of its first and last job; 0 = not printed */
	double longest_ms;
	unsigned phase;
	bool is_after;	/* its first job waits for those before it: stonewall */
	bool is_beside; /* .. or does not: new_group */
};

struct group_list VEC_BODY(struct group);

static bool has_option(const struct job_result *job, const char *key)
{
	for (size_t i = 0; i < job->nr_options; i++) {
		if (!strcmp(job->options[i].key, key) && strcmp(job->options[i].value, "0") != 0)
			return true;
	}
	return false;
}

static struct group *group_of(struct group_list *groups, unsigned id)
{
	for (size_t i = groups->nr; i > 0; i--) {
		if (groups->items[i - 1].id == id)
			return &groups->items[i - 1];
	}
	vec_push(groups, (struct group){ .id = id });
	return vec_last(groups);
}

static void collect_groups(const struct fio_json_doc *doc, struct group_list *groups)
{
	for (size_t i = 0; i < doc->result.nr_jobs; i++) {
		const struct fio_json_progress *progress = &doc->progress.items[i];
		const struct job_result *job = &doc->result.jobs[i];
		struct group *group = group_of(groups, job->group_id);
		uint64_t end_ms = progress->start_ms + (uint64_t)progress->longest_ms;

		group->longest_ms = fmax(group->longest_ms, progress->longest_ms);
		group->is_after |=
			has_option(job, "stonewall") || has_option(job, "wait_for_previous");
		group->is_beside |= has_option(job, "new_group") && !group->is_after;
		if (!progress->start_ms)
			continue;
		if (!group->start_ms || progress->start_ms < group->start_ms)
			group->start_ms = progress->start_ms;
		if (end_ms > group->end_ms)
			group->end_ms = end_ms;
	}
}

/*
 * Groups follow each other (stonewall) unless their times show that they ran side by side
 * (new_group). Before 3.42 neither option is printed where it was given without a value.
 */
static void set_phases(const struct fio_json_doc *doc, struct group_list *groups)
{
	double sum_ms = 0;
	bool has_starts = true;

	VEC_FOREACH (groups, group) {
		sum_ms += group->longest_ms;
		has_starts &= group->start_ms != 0 || group->longest_ms == 0;
	}
	for (size_t i = 1; i < groups->nr; i++) {
		const struct group *before = &groups->items[i - 1];
		struct group *group = &groups->items[i];
		bool is_after = !(sum_ms > doc->elapsed_ms + ELAPSED_SLACK_MS);

		if (has_starts)
			is_after = group->start_ms + START_SLACK_MS >= before->end_ms;
		if (group->is_after || group->is_beside)
			is_after = group->is_after;
		group->phase = before->phase + is_after;
	}
}

static void find_phases(struct fio_json_doc *doc)
{
	struct group_list groups = VEC_INIT;

	collect_groups(doc, &groups);
	set_phases(doc, &groups);
	for (size_t i = 0; i < doc->result.nr_jobs; i++) {
		struct job_result *job = &doc->result.jobs[i];

		job->phase = group_of(&groups, job->group_id)->phase;
	}
	vec_release(&groups);
}

/* ---- parameters ---- */

static const char *option_of(const struct result *result, const struct job_result *job,
			     const char *key)
{
	for (size_t i = job->nr_options; i > 0; i--) {
		if (!strcmp(job->options[i - 1].key, key))
			return job->options[i - 1].value;
	}
	for (size_t i = result->nr_env; i > 0; i--) {
		const struct result_pair *pair = &result->env[i - 1];

		if (!strncmp(pair->key, "job.", 4) && !strcmp(pair->key + 4, key))
			return pair->value;
	}
	return NULL;
}

/* "4k", "4k,8k" (read, write), "4k-16k". What is not understood stays 0. */
static void set_block_sizes(struct job_result *job, const char *text)
{
	uint64_t min_bytes = 0, max_bytes = 0;

	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		size_t len = strcspn(text, ",");
		CLEANUP(free) char *part = xstrndup(text, len);
		char *dash = strchr(part, '-');

		if (dash)
			*dash++ = '\0';
		if (len && (units_parse_size(part, 1024, &min_bytes, NULL) != 0 ||
			    units_parse_size(dash ? dash : part, 1024, &max_bytes, NULL) != 0))
			return;
		job->bs_min_bytes[dir] = min_bytes;
		job->bs_max_bytes[dir] = max_bytes;
		if (text[len]) /* else the last one is for the other directions too */
			text += len + 1;
	}
}

static unsigned number_option(const struct result *result, const struct job_result *job,
			      const char *key)
{
	const char *text = option_of(result, job, key);
	uint64_t value;

	if (!text || units_parse_u64(text, &value, NULL) != 0 || value > 1000000)
		return 0;
	return (unsigned)value;
}

/* Clones that report for themselves have one entry each. */
static unsigned count_clones(const struct result *result, const struct job_result *job)
{
	unsigned nr_clones = number_option(result, job, "numjobs");
	unsigned nr_entries = 0;

	if (nr_clones < 2)
		return 1;
	for (size_t i = 0; i < result->nr_jobs && nr_entries < 2; i++) {
		const struct job_result *other = &result->jobs[i];

		nr_entries += other->group_id == job->group_id && other->name && job->name &&
			      !strcmp(other->name, job->name);
	}
	return nr_entries == 1 ? nr_clones : 1;
}

/* Options that are not printed were not given, and have fio's default. */
static void set_parameters(const struct result *result, struct job_result *job)
{
	bool has_options = job->nr_options || result->nr_env;
	const char *rw = option_of(result, job, "rw");
	const char *bs = option_of(result, job, "bs");
	const char *ioengine = option_of(result, job, "ioengine");

	if (!rw)
		rw = option_of(result, job, "readwrite");
	if (!bs)
		bs = option_of(result, job, "blocksize");
	if (!rw && has_options)
		rw = "read";
	if (!bs && has_options)
		bs = "4k";
	job->rw = rw ? xstrdup(rw) : NULL;
	job->ioengine = ioengine ? xstrdup(ioengine) : NULL;
	if (bs)
		set_block_sizes(job, bs);
	job->iodepth = number_option(result, job, "iodepth");
	if (!option_of(result, job, "iodepth") && has_options)
		job->iodepth = 1;
	job->nr_clones = count_clones(result, job);
	job->group_reporting = job->nr_clones > 1;
}

/* ---- the whole ---- */

static void finish_job(struct fio_json_doc *doc, size_t index)
{
	struct job_result *job = &doc->result.jobs[index];

	if (!job->name)
		job->name = xstrdup("unnamed");
	job->ended_at_unix_s = (int64_t)(doc->time_ms / 1000);
	set_parameters(&doc->result, job);
	if (job->error)
		note_add(&doc->result.notes, NOTE_JOB_ERROR, "job '%s' ended with error %d",
			 job->name, job->error);
}

static void set_times(struct fio_json_doc *doc)
{
	struct result *result = &doc->result;
	uint64_t start_ms = 0;

	for (size_t i = 0; i < doc->progress.nr; i++) {
		uint64_t job_start_ms = doc->progress.items[i].start_ms;

		if (job_start_ms && (!start_ms || job_start_ms < start_ms))
			start_ms = job_start_ms;
	}
	if (!isnan(doc->elapsed_ms))
		result->elapsed_ms = (uint64_t)fmin(doc->elapsed_ms, 1e15);
	if (!start_ms && doc->time_ms > result->elapsed_ms)
		start_ms = doc->time_ms - result->elapsed_ms;
	result->started_at_unix_ms = (int64_t)start_ms;
}

void fio_json_finish(struct fio_json_doc *doc)
{
	drop_sum(doc);
	find_phases(doc);
	for (size_t i = 0; i < doc->result.nr_jobs; i++)
		finish_job(doc, i);
	fio_json_add_facts(&doc->result);
	set_times(doc);
	fio_refusals_finish(&doc->result.notes, &doc->refusals);
}
