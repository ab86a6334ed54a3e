/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_PLAN_H
#define REGIO_LOAD_PLAN_H

/*
 * The plan of a run: for every clone its files, its region in each and the amount to transfer,
 * from the sizes of the job and of what is on disk. Made before anything is changed.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/files.h"
#include "load/stream.h"

struct arena;
struct engine_ops;
struct err;
struct job;
struct job_set;
struct note_list;

struct clone_plan {
	const struct job *job;
	const struct engine_ops *engine; /* for the depth of the job */
	unsigned clone;			 /* within the job */
	unsigned thread_number;		 /* within the set, from 0 */
	unsigned iodepth;		 /* 1 with synchronous engines */
	unsigned dirs;			 /* 1U << enum io_dir: what it issues, IO_SYNC left out */
	const size_t *files;		 /* indices into the table */
	const struct region *regions;
	size_t nr_files;
	uint64_t limit_bytes; /* per loop */
	bool is_limit_wrapping;
	bool is_idle;	/* fio_strict: its offset is beyond the device */
	bool is_shared; /* with verify: another clone writes to the same bytes meanwhile */
};

struct plan {
	struct clone_plan *clones; /* in the order of thread numbers */
	size_t nr;
	struct file_table files;
};

struct plan_config {
	const struct job_set *jobs;
	struct arena *arena; /* of everything but the file table */
	bool readonly;
	uint64_t seed; /* of the run */
	struct note_list *notes;
};

/* *ret_plan is to be released also after an error. */
int plan_make(const struct plan_config *config, struct plan *ret_plan, struct err *err);
void plan_release(struct plan *plan);

/* Directions the job issues: trimwrite trims and writes, whatever its flags say. */
unsigned plan_dirs(const struct job *job);

#endif
