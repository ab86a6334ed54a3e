/* SPDX-License-Identifier: GPL-2.0-or-later */
/* normal: a result as fio 3.33 prints it for people, and for the many scripts that read that. */
#include "output/output.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "model/job.h"
#include "model/result.h"
#include "output/fio_group.h"
#include "output/fio_number.h"
#include "output/fio_steady.h"
#include "output/fio_text.h"
#include "output/fio_view.h"
#include "output/notes_text.h"
#include "output/output_formats.h"

static void print_sizes(const struct job *job, enum io_dir dir, const char *name, FILE *to)
{
	enum fio_prefix prefix = fio_prefix_of(job->kb_base);
	unsigned digits = job->significant_figures ? job->significant_figures : FIO_DIGITS;
	char min[FIO_NUMBER_LEN], max[FIO_NUMBER_LEN];

	(void)fprintf(to, "(%s) %s-%s, ", name,
		      fio_number_text(job->bs_min_bytes[dir], digits, prefix, FIO_UNIT_BYTE, min),
		      fio_number_text(job->bs_max_bytes[dir], digits, prefix, FIO_UNIT_BYTE, max));
}

static int normal_run_header(const struct job_set *jobs, FILE *to, struct err *err)
{
	for (size_t i = 0; i < jobs->nr; i++) {
		const struct job *job = &jobs->jobs[i];

		fio_text_plain(job->name, to);
		(void)fprintf(to, ": (g=%u): rw=%s, bs=", job->group_id, rw_name(job->rw));
		print_sizes(job, IO_READ, "R", to);
		print_sizes(job, IO_WRITE, "W", to);
		print_sizes(job, IO_TRIM, "T", to);
		(void)fprintf(to, "ioengine=%s, iodepth=%u\n", job->ioengine, job->iodepth);
		if (job->nr_clones > 1)
			(void)fputs("...\n", to);
	}
	(void)fprintf(to, "regio-%s\nStarting %zu thread%s\n", REGIO_VERSION, jobs->nr_clones,
		      jobs->nr_clones == 1 ? "" : "s");
	return output_finish(to, err);
}

/* "Fri May 31 12:34:56 2024", in local time and in English whatever the locale. */
static void print_date(int64_t unix_s, FILE *to)
{
	char text[64] = "?\n";
	time_t when = (time_t)unix_s;
	struct tm local;

	/* Years of more than four digits do not fit asctime's buffer. */
	if (localtime_r(&when, &local) && local.tm_year > -1900 && local.tm_year < 8100)
		(void)asctime_r(&local, text);
	(void)fputs(text, to);
}

static void print_job_line(const struct job_result *job, FILE *to)
{
	fio_text_plain(job->name, to);
	(void)fprintf(to, ": (groupid=%u, jobs=%u): err=%2d", job->group_id, job->nr_clones,
		      job->error);
	if (job->error) {
		(void)fputs(job->error_where ? " (file:" : " (", to);
		fio_text_plain(job->error_where, to);
		(void)fprintf(to, "%serror=%s)", job->error_where ? ", " : "",
			      strerror(job->error));
	}
	(void)fprintf(to, ": pid=%lld: ", (long long)job->tid);
	print_date(job->ended_at_unix_s, to);
	if (job->description && *job->description) {
		(void)fputs("  Description  : [", to);
		fio_text_plain(job->description, to);
		(void)fputs("]\n", to);
	}
}

static void print_cpu(const struct fio_view *view, FILE *to)
{
	(void)fprintf(
		to, "  cpu          : usr=%3.2f%%, sys=%3.2f%%, ctx=%llu, majf=%llu, minf=%llu\n",
		view->usr_percent, view->sys_percent, (unsigned long long)view->context_switches,
		(unsigned long long)view->major_faults, (unsigned long long)view->minor_faults);
}

static void print_depths(const char *head, const char *const names[RESULT_NR_DEPTHS],
			 const double percents[RESULT_NR_DEPTHS], FILE *to)
{
	(void)fputs(head, to);
	for (size_t i = 0; i < RESULT_NR_DEPTHS; i++)
		(void)fprintf(to, "%s%s=%3.1f%%", i ? ", " : "", names[i], percents[i]);
	(void)fputc('\n', to);
}

/* What is reported as one stands in the place of reads. */
static void take_issued(const struct fio_view *view, struct fio_dir_view ret_dirs[IO_NR_DATA_DIRS])
{
	static const struct fio_dir_view none = { .total_ios = 0 };

	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++)
		ret_dirs[dir] = view->unified_rw == UNIFIED_RW_MIXED ? none : view->dir[dir];
	if (view->unified_rw == UNIFIED_RW_MIXED)
		ret_dirs[IO_READ] = view->dir[FIO_MIXED];
}

static void print_counts(const struct fio_view *view, FILE *to)
{
	const struct job_result *job = view->job;
	struct fio_dir_view dirs[IO_NR_DATA_DIRS];
	const struct fio_dir_view *read = &dirs[IO_READ];
	const struct fio_dir_view *write = &dirs[IO_WRITE];
	const struct fio_dir_view *trim = &dirs[IO_TRIM];

	take_issued(view, dirs);
	(void)fprintf(to,
		      "     issued rwts: total=%llu,%llu,%llu,%llu short=%llu,%llu,%llu,0 "
		      "dropped=%llu,%llu,%llu,0\n",
		      (unsigned long long)read->total_ios, (unsigned long long)write->total_ios,
		      (unsigned long long)trim->total_ios, (unsigned long long)view->nr_syncs,
		      (unsigned long long)read->short_ios, (unsigned long long)write->short_ios,
		      (unsigned long long)trim->short_ios, (unsigned long long)read->drop_ios,
		      (unsigned long long)write->drop_ios, (unsigned long long)trim->drop_ios);
	if (job->shows_errors || job->nr_errors)
		(void)fprintf(to, "     errors    : total=%llu, first_error=%d/<%s>\n",
			      (unsigned long long)job->nr_errors, job->error, strerror(job->error));
	(void)fprintf(to,
		      "     latency   : target=%llu, window=%llu, percentile=%.2f%%, depth=%u\n",
		      (unsigned long long)job->latency_target_ns,
		      (unsigned long long)job->latency_window_us,
		      job->latency_percentile > 0 ? job->latency_percentile : 100.0,
		      job->latency_depth ? job->latency_depth : job->iodepth);
}

static bool did_nothing(const struct fio_view *view)
{
	for (size_t dir = 0; dir < FIO_NR_DIRS; dir++) {
		if (view->dir[dir].io_bytes || view->dir[dir].total_ios)
			return false;
	}
	return true;
}

static void print_job(const struct job_result *job, const struct fio_group *group, FILE *to)
{
	static const char *const depth_names[] = { "1", "2", "4", "8", "16", "32", ">=64" };
	static const char *const call_names[] = { "0", "4", "8", "16", "32", "64", ">=64" };
	CLEANUP(fio_view) struct fio_view view;

	fio_view_init(&view, job, group);
	if (did_nothing(&view))
		return;
	print_job_line(job, to);
	for (size_t dir = 0; dir < FIO_NR_DIRS; dir++)
		fio_text_dir(&view, (enum fio_dir)dir, group, to);
	fio_text_lat_dist(&view, to);
	fio_text_sync(&view, to);
	print_cpu(&view, to);
	print_depths("  IO depths    : ", depth_names, view.depth, to);
	print_depths("     submit    : ", call_names, view.submit, to);
	print_depths("     complete  : ", call_names, view.complete, to);
	print_counts(&view, to);
	fio_steady_text(job, to);
}

static void print_group_dir(const struct fio_group *group, enum fio_dir index, FILE *to)
{
	static const char *const names[FIO_NR_DIRS] = { "READ", "WRITE", "TRIM", "MIXED" };
	const struct fio_group_dir *dir = &group->dir[index];
	const unsigned digits = fio_group_digits(group);
	const enum fio_prefix prefix = fio_prefix_of(group->kb_base);
	const enum fio_prefix other = fio_prefix_other(prefix);
	const uint64_t values[] = { dir->bw_bytes_per_sec, dir->min_bw_bytes_per_sec,
				    dir->max_bw_bytes_per_sec, dir->io_bytes };
	char text[4][FIO_NUMBER_LEN], other_text[4][FIO_NUMBER_LEN];

	for (size_t i = 0; i < 4; i++) {
		enum fio_unit unit = i < 3 ? fio_group_rate_unit(group) : FIO_UNIT_BYTE;

		(void)fio_number_text(values[i], digits, prefix, unit, text[i]);
		(void)fio_number_text(values[i], digits, other, unit, other_text[i]);
	}
	(void)fprintf(to, "%7s: bw=%s (%s), %s-%s (%s-%s), io=%s (%s), run=%llu-%llumsec\n",
		      names[index], text[0], other_text[0], text[1], text[2], other_text[1],
		      other_text[2], text[3], other_text[3],
		      (unsigned long long)dir->min_runtime_ms,
		      (unsigned long long)dir->max_runtime_ms);
}

static void print_group(const struct fio_group *group, FILE *to)
{
	(void)fprintf(to, "\nRun status group %u (all jobs):\n", group->id);
	for (enum fio_dir dir = FIO_READ; dir < FIO_NR_DIRS; dir++) {
		bool is_shown = dir == FIO_MIXED ? group->unified_rw != UNIFIED_RW_NONE
						 : group->unified_rw != UNIFIED_RW_MIXED;

		if (is_shown && group->dir[dir].max_runtime_ms)
			print_group_dir(group, dir, to);
	}
}

static int normal_result(const struct result *result, FILE *to, struct err *err)
{
	size_t nr_groups;
	CLEANUP(free) struct fio_group *groups = fio_groups(result, &nr_groups);

	(void)fputc('\n', to);
	for (size_t i = 0; i < result->nr_jobs; i++)
		print_job(&result->jobs[i],
			  fio_group_find(groups, nr_groups, result->jobs[i].group_id), to);
	for (size_t i = 0; i < nr_groups; i++)
		print_group(&groups[i], to);
	fio_text_disks(result, to);
	if (result->notes.nr) {
		(void)fputc('\n', to);
		notes_text(&result->notes, NULL, to);
	}
	return output_finish(to, err);
}

const struct output_ops output_fio_normal = {
	.name = "normal",
	.summary = "fio's text form",
	.tells_notes = true,
	.run_header = normal_run_header,
	.result = normal_result,
};
