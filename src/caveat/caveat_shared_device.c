/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shared_device: different jobs on one disk at the same time; the numbers of each depend on the
 * others. */
#include <string.h>

#include "caveat/caveat.h"
#include "caveat/caveat_table.h"
#include "caveat/evidence.h"
#include "model/result.h"

static bool is_active(const struct job_result *job)
{
	return job->dir[IO_READ].total_ios || job->dir[IO_WRITE].total_ios ||
	       job->dir[IO_TRIM].total_ios;
}

/* Clones of one job have its name and do the same: they are one. */
static const struct job_result *find_rival(const struct result *result, size_t index)
{
	const struct job_result *job = &result->jobs[index];

	for (size_t i = 0; i < index; i++) {
		const struct job_result *other = &result->jobs[i];

		if (other->phase == job->phase && is_active(other) && other->name && job->name &&
		    strcmp(other->name, job->name) != 0)
			return other;
	}
	return NULL;
}

static size_t nr_top_disks(const struct result *result)
{
	size_t nr = 0;

	for (size_t i = 0; i < result->nr_disks; i++)
		nr += result->disks[i].parent < 0;
	return nr;
}

static void check(const struct result *result, struct note_list *notes)
{
	if (nr_top_disks(result) != 1) /* with several it is not known who was where */
		return;
	if (result->workload) /* its jobs are phases that take turns */
		return;
	for (size_t i = 1; i < result->nr_jobs; i++) {
		const struct job_result *job = &result->jobs[i];
		const struct job_result *rival = find_rival(result, i);

		if (!rival || !is_active(job))
			continue;
		note_add(notes, NOTE_SHARED_DEVICE, "jobs '%s' and '%s' ran at once on one disk",
			 rival->name, job->name);
		return;
	}
}

const struct caveat caveat_shared_device = { .id = NOTE_SHARED_DEVICE, .check = check };
