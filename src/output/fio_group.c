/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fio_group: totals and extremes over the entries of a group, by fio's rules. */
#include "output/fio_group.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "model/given.h"
#include "model/job.h"
#include "model/result.h"
#include "output/fio_stat.h"

const char *fio_dir_name(enum fio_dir dir)
{
	static const char *const names[FIO_NR_DIRS] = {
		[FIO_READ] = "read",
		[FIO_WRITE] = "write",
		[FIO_TRIM] = "trim",
		[FIO_MIXED] = "mixed",
	};

	assert((unsigned)dir < FIO_NR_DIRS);
	return names[dir];
}

/* What one entry adds to a direction of its group. */
struct totals {
	uint64_t io_bytes, runtime_ms;
};

static uint64_t given_whole(const struct job_result *job, enum fio_dir dir, const char *what)
{
	const struct given_metric *metric;
	char name[64];

	(void)snprintf(name, sizeof(name), "%s.%s", fio_dir_name(dir), what);
	metric = given_find(&job->given, name);
	return metric && metric->value > 0 && metric->value < 0x1p63 ? (uint64_t)metric->value : 0;
}

static struct totals totals_of(const struct job_result *job, enum fio_dir dir)
{
	struct totals totals = { .io_bytes = 0 };

	if (job->given.nr)
		return (struct totals){ .io_bytes = given_whole(job, dir, "io_bytes"),
					.runtime_ms = given_whole(job, dir, "runtime_ms") };
	for (size_t i = 0; i < IO_NR_DATA_DIRS; i++) {
		const struct dir_result *numbers = &job->dir[i];

		if (dir != FIO_MIXED && dir != (enum fio_dir)i)
			continue;
		totals.io_bytes += numbers->io_bytes;
		if (numbers->runtime_ms > totals.runtime_ms)
			totals.runtime_ms = numbers->runtime_ms;
	}
	return totals;
}

static void add_totals(struct fio_group_dir *group, struct totals totals)
{
	uint64_t bw = fio_per_sec(totals.io_bytes, totals.runtime_ms);

	if (totals.runtime_ms == 0)
		return;
	if (group->max_runtime_ms == 0 || totals.runtime_ms < group->min_runtime_ms)
		group->min_runtime_ms = totals.runtime_ms;
	if (group->max_runtime_ms == 0 || bw < group->min_bw_bytes_per_sec)
		group->min_bw_bytes_per_sec = bw;
	if (bw > group->max_bw_bytes_per_sec)
		group->max_bw_bytes_per_sec = bw;
	if (totals.runtime_ms > group->max_runtime_ms)
		group->max_runtime_ms = totals.runtime_ms;
	group->io_bytes += totals.io_bytes;
}

static void add_entry(struct fio_group *group, const struct job_result *job)
{
	group->kb_base = job->kb_base;
	group->unit_base = job->unit_base;
	group->significant_figures = job->significant_figures;
	group->unified_rw = job->unified_rw;
	for (size_t dir = 0; dir < FIO_NR_DIRS; dir++)
		add_totals(&group->dir[dir], totals_of(job, (enum fio_dir)dir));
}

/* Beside the directions, fio takes the extremes of "mixed" from theirs. */
static void finish_both(struct fio_group *group)
{
	struct fio_group_dir *mixed = &group->dir[FIO_MIXED];
	struct fio_group_dir sum = { .io_bytes = mixed->io_bytes };

	for (size_t dir = 0; dir < IO_NR_DATA_DIRS; dir++) {
		const struct fio_group_dir *one = &group->dir[dir];

		if (one->max_runtime_ms == 0)
			continue;
		if (sum.max_runtime_ms == 0 || one->min_bw_bytes_per_sec < sum.min_bw_bytes_per_sec)
			sum.min_bw_bytes_per_sec = one->min_bw_bytes_per_sec;
		if (sum.max_runtime_ms == 0 || one->min_runtime_ms < sum.min_runtime_ms)
			sum.min_runtime_ms = one->min_runtime_ms;
		if (one->max_bw_bytes_per_sec > sum.max_bw_bytes_per_sec)
			sum.max_bw_bytes_per_sec = one->max_bw_bytes_per_sec;
		if (one->max_runtime_ms > sum.max_runtime_ms)
			sum.max_runtime_ms = one->max_runtime_ms;
		sum.bw_bytes_per_sec += one->bw_bytes_per_sec;
	}
	*mixed = sum;
}

static void finish_group(struct fio_group *group)
{
	for (size_t dir = 0; dir < FIO_NR_DIRS; dir++)
		group->dir[dir].bw_bytes_per_sec =
			fio_per_sec(group->dir[dir].io_bytes, group->dir[dir].max_runtime_ms);
	if (group->unified_rw == UNIFIED_RW_BOTH)
		finish_both(group);
}

static int compare_groups(const void *a, const void *b)
{
	const struct fio_group *left = a;
	const struct fio_group *right = b;

	return (left->id > right->id) - (left->id < right->id);
}

const struct fio_group *fio_group_find(const struct fio_group *groups, size_t nr, unsigned id)
{
	const struct fio_group wanted = { .id = id };

	return nr ? bsearch(&wanted, groups, nr, sizeof(*groups), compare_groups) : NULL;
}

static size_t unique_groups(const struct result *result, struct fio_group *groups)
{
	size_t kept = 0;

	for (size_t i = 0; i < result->nr_jobs; i++)
		groups[i].id = result->jobs[i].group_id;
	qsort(groups, result->nr_jobs, sizeof(*groups), compare_groups);
	for (size_t i = 0; i < result->nr_jobs; i++) {
		if (kept == 0 || groups[i].id != groups[kept - 1].id)
			groups[kept++] = groups[i];
	}
	return kept;
}

struct fio_group *fio_groups(const struct result *result, size_t *ret_nr)
{
	struct fio_group *groups = xcalloc(result->nr_jobs + 1, sizeof(*groups));
	size_t nr = unique_groups(result, groups);

	for (size_t i = 0; i < result->nr_jobs; i++) {
		const struct fio_group wanted = { .id = result->jobs[i].group_id };

		add_entry(bsearch(&wanted, groups, nr, sizeof(*groups), compare_groups),
			  &result->jobs[i]);
	}
	for (size_t i = 0; i < nr; i++)
		finish_group(&groups[i]);
	*ret_nr = nr;
	return groups;
}

unsigned fio_group_digits(const struct fio_group *group)
{
	return group->significant_figures ? group->significant_figures : FIO_DIGITS;
}

enum fio_unit fio_group_rate_unit(const struct fio_group *group)
{
	return group->unit_base == 1 ? FIO_UNIT_BIT_PER_SEC : FIO_UNIT_BYTE_PER_SEC;
}

double fio_percent_of_group(const struct fio_group_dir *group, double mean_kib_per_sec)
{
	double percent;

	if (group->bw_bytes_per_sec <= 1024)
		return 100.0;
	/* fio hands the mean on as a whole number */
	percent = floor(mean_kib_per_sec) * 100.0 / ((double)group->bw_bytes_per_sec / 1024.0);
	return percent > 100.0 ? 100.0 : percent;
}
