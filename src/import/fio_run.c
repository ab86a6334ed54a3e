/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_run: what all parts of the importer of fio's normal output share, and the end of a run. */
#include "import/fio_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* No entry of fio's has more; they bound the work on other text. */
#define MAX_METRICS 2000
#define MAX_NOTES 1000

void fio_run_release(struct fio_run *run)
{
	result_release(&run->result);
	free(run->message_where);
	VEC_FOREACH (&run->headers, header)
		job_result_release(&header->job);
	vec_release(&run->headers);
	vec_release(&run->group_lines);
	vec_release(&run->groups);
	vec_release(&run->rounded);
}

struct given_list *fio_run_given(struct fio_run *run)
{
	/* Lines above which the name of the job is missing belong to an entry without one. */
	if (!run->has_job) {
		struct job_result *job = result_add_job(&run->result);

		job->name = xstrdup("unnamed");
		job->nr_clones = 1;
		run->job = run->result.nr_jobs - 1;
		run->has_job = true;
	}
	return &run->result.jobs[run->job].given;
}

void fio_run_set(struct fio_run *run, const char *prefix, const char *rest, double value,
		 unsigned line)
{
	struct given_list *given = fio_run_given(run);
	char name[2 * FIO_NAME_LEN];

	(void)snprintf(name, sizeof(name), "%s.%s", prefix, rest);
	if (given->nr < MAX_METRICS)
		(void)given_set(given, name, value, line);
}

void fio_run_refuse(struct fio_run *run, unsigned line, const char *format, ...)
{
	if (run->result.notes.nr > MAX_NOTES)
		return;
	CLEANUP(strbuf) struct strbuf text = STRBUF_INIT;
	va_list args;

	va_start(args, format);
	strbuf_vprintf(&text, format, args);
	va_end(args);
	note_add(&run->result.notes, NOTE_NUMBER_REFUSED, "line %u: %s", line, strbuf_str(&text));
}

bool fio_run_set_key(struct fio_run *run, const struct fio_piece *piece, const char *key,
		     const char *prefix, const char *rest)
{
	const char *value = fio_key(piece->text, key);
	const char *at = value;
	double number;

	if (!value || !*value)
		return false;
	if (!fio_count(&at, &number) || number < 0) {
		fio_run_refuse(run, piece->line, "%s.%s is '%.*s'", prefix, rest,
			       (int)strcspn(value, ", "), value);
		return false;
	}
	fio_run_set(run, prefix, rest, number, piece->line);
	return true;
}

bool fio_run_has_content(const struct fio_run *run)
{
	return run->headers.nr || run->result.nr_jobs || run->result.given.nr || run->groups.nr ||
	       run->group_lines.nr;
}

/* ---- the end ---- */

/* A client's sum over its servers becomes the result's own; it is no job. */
static void move_total_entry(struct fio_run *run)
{
	struct result *result = &run->result;
	size_t last = result->nr_jobs - 1;
	struct job_result *total;

	if (!run->has_total_entry || result->nr_jobs < 2)
		return;
	total = &result->jobs[last];
	if (strcmp(total->name, "All clients") != 0)
		return;
	for (size_t i = 0; i < total->given.nr; i++) {
		const struct given_metric *metric = &total->given.items[i];

		if (!given_find(&result->given, metric->name))
			given_append(&result->given, metric->name, metric->value, metric->line);
	}
	note_add(&result->notes, NOTE_INPUT_AMBIGUOUS,
		 "'All clients' is the sum of the %zu entries above it and not counted again",
		 last);
	job_result_release(total);
	result->nr_jobs--;
}

/* Of its own, or of a group whose jobs are merged under the name of the first. */
static bool has_entry(const struct fio_run *run, const struct job_result *header)
{
	for (size_t i = 0; i < run->result.nr_jobs; i++) {
		const struct job_result *job = &run->result.jobs[i];

		if (job->group_id == header->group_id &&
		    (job->nr_clones > 1 || !strcmp(job->name, header->name)))
			return true;
	}
	return false;
}

/* Announced jobs of which nothing was reported. */
static void add_missing_jobs(struct fio_run *run)
{
	VEC_FOREACH (&run->headers, header) {
		struct job_result *job;

		if (has_entry(run, &header->job))
			continue;
		job = result_add_job(&run->result);
		*job = header->job; /* moved */
		header->job = (struct job_result){ .name = NULL };
		if (run->message_error && run->headers.nr == 1) {
			job->error = run->message_error;
			job->error_where = xstrdup(run->message_where);
			note_add(&run->result.notes, NOTE_JOB_ERROR,
				 "job '%s' could not begin, error %d: %s", job->name, job->error,
				 job->error_where);
			continue;
		}
		note_add(&run->result.notes, NOTE_INPUT_INCOMPLETE,
			 "nothing was reported for job '%s'", job->name);
	}
}

static bool has_group_line(const struct fio_run *run, unsigned group, const char *dir)
{
	for (size_t i = 0; i < run->group_lines.nr; i++) {
		const struct fio_group_line *line = &run->group_lines.items[i];

		if (line->group == group && !strcmp(line->dir, dir))
			return true;
	}
	return false;
}

static void note_incomplete(struct fio_run *run, const char *text)
{
	note_add(&run->result.notes, NOTE_INPUT_INCOMPLETE, "%s", text);
}

/* A direction of a job without its line in the status of the group: the output is cut there. */
static bool is_group_cut(const struct fio_run *run)
{
	static const char *const dirs[] = { "read", "write", "trim", "mixed" };

	for (size_t i = 0; i < run->result.nr_jobs; i++) {
		const struct job_result *job = &run->result.jobs[i];

		for (size_t dir = 0; dir < sizeof(dirs) / sizeof(dirs[0]); dir++) {
			char name[2 * FIO_NAME_LEN];

			(void)snprintf(name, sizeof(name), "%s.bw_bytes_per_sec", dirs[dir]);
			if (given_find(&job->given, name) &&
			    !has_group_line(run, job->group_id, dirs[dir]))
				return true;
		}
	}
	return false;
}

static void note_what_is_missing(struct fio_run *run)
{
	bool has_cut_entry = run->is_cut_entry ||
			     (run->has_job && !run->has_tail && run->stage == FIO_STAGE_JOBS);

	if (!run->result.nr_jobs)
		note_incomplete(run, "the lines of the jobs are missing");
	else if (!run->headers.nr)
		note_incomplete(run, "the lines above the first job are missing");
	if (has_cut_entry)
		note_incomplete(run, "a job's last lines are missing");
	if (!run->groups.nr)
		note_incomplete(run, "the run status of the groups is missing");
	else if (is_group_cut(run))
		note_incomplete(run, "the run status of the groups is not whole");
	if (run->has_disk_head && !run->nr_disks)
		note_incomplete(run, "the disk statistics are missing");
}

/* Of several jobs the sums are computed from exact counts. */
static void note_what_is_rounded(struct fio_run *run)
{
	if (run->result.nr_jobs != 1)
		return;
	for (size_t i = 0; i < run->rounded.nr; i++) {
		const struct fio_rounded *rounded = &run->rounded.items[i];

		note_add(&run->result.notes, NOTE_ROUNDED, "%s.%s is printed in steps of %.2g %%",
			 rounded->dir, rounded->what, 100 * rounded->step);
	}
}

void fio_run_finish(struct fio_run *run)
{
	note_what_is_missing(run);
	if (run->nr_reports)
		note_add(&run->result.notes, NOTE_INPUT_AMBIGUOUS,
			 "%u status reports of a job that went on: the last one counts",
			 run->nr_reports);
	note_what_is_rounded(run);
	for (size_t i = 0; i < run->result.nr_jobs; i++)
		fio_check_job(run, &run->result.jobs[i]);
	move_total_entry(run);
	add_missing_jobs(run);
	fio_group_finish(run);
}
