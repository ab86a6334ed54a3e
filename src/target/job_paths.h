/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TARGET_JOB_PATHS_H
#define REGIO_TARGET_JOB_PATHS_H

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct job;
struct job_set;

/* One data file of a job set, named once however many clones use it. */
struct job_path {
	const char *path;      /* in the arena */
	bool is_written;       /* some job writes or trims it */
	const struct job *job; /* that one, else one that reads it */
};

struct job_paths {
	struct job_path *items; /* in the arena, ordered by path */
	size_t nr;
};

/* The files of all clones of all jobs whose engine uses files. */
void job_paths_collect(const struct job_set *jobs, struct arena *arena,
		       struct job_paths *ret_paths);

/*
 * The paths to ask for the devices underneath: block devices as they are, of plain files only
 * one per folder, so that 10,000 jobs in one folder cost one look.
 */
void job_paths_for_devices(const struct job_paths *paths, struct arena *arena,
			   struct job_paths *ret_paths);

#endif
