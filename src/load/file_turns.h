/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_FILE_TURNS_H
#define REGIO_LOAD_FILE_TURNS_H

/*
 * Which of the files of a clone the next I/O goes to: file_service_type and openfiles. Files are
 * served until they are finished in the pass; with openfiles the next one in line then follows.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "load/spread.h"
#include "model/job.h"

#define FILE_TURNS_NONE SIZE_MAX

struct file_turns {
	size_t *active; /* indices of the files being served; owned */
	size_t nr_active, max_active;
	size_t nr_files;
	size_t waiting;	   /* the first file that was not served yet */
	size_t last;	   /* place in active of the file given last */
	size_t at;	   /* place in active of the next one in turn */
	bool is_plain;	   /* one I/O for each in turn */
	unsigned ios_left; /* for the last file before another one */
	unsigned ios_each;
	enum file_service service;
	struct spread spread; /* FILE_SERVICE_DISTRIBUTION */
	struct rng rng;
};

/* The job is borrowed for the distribution. */
void file_turns_init(struct file_turns *turns, const struct job *job, size_t nr_files,
		     const struct rng *rng);
void file_turns_release(struct file_turns *turns);

/* All files are unfinished again. */
void file_turns_begin_pass(struct file_turns *turns);

/* file_turns_next() where it is more than round robin. */
size_t file_turns_choose(struct file_turns *turns);

/* The file of the next I/O, FILE_TURNS_NONE when all are finished. */
static inline size_t file_turns_next(struct file_turns *turns)
{
	size_t place = turns->at;

	if (__builtin_expect(!turns->is_plain, 0))
		return file_turns_choose(turns);
	if (__builtin_expect(turns->nr_active == 0, 0))
		return FILE_TURNS_NONE;
	turns->last = place;
	turns->at = place + 1 < turns->nr_active ? place + 1 : 0;
	return turns->active[place];
}

/* The file given last has no more room in this pass. */
void file_turns_finish(struct file_turns *turns);

#endif
