/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_LAYOUT_H
#define REGIO_LOAD_LAYOUT_H

/*
 * Makes the data files what the jobs need: creates missing ones, preallocates, and writes content
 * where something will be read. Data that are there stay: a file that is too short is extended
 * from its end, never truncated, never written again from its start; but by jobs that are to do
 * as fio does (fio_strict), it is.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct err;
struct file_table;

struct layout_config {
	uint64_t seed;		 /* of the content */
	const atomic_bool *stop; /* ends it with ERR_INTERRUPTED; may be NULL */
	/* Called about every LAYOUT_REPORT_NS while content is written; or NULL. */
	void (*report)(void *arg);
	void *arg;
};

#define LAYOUT_REPORT_NS UINT64_C(1000000000)

/* On failure every file that it created is removed, and a file it extended has its old end. */
int layout_make(struct file_table *files, const struct layout_config *config, struct err *err);

/* After the run: removes the files of jobs with unlink=1. */
void layout_unlink(const struct file_table *files);

#endif
