/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_FIO_TERSE_H
#define REGIO_IMPORT_FIO_TERSE_H

/* One line of fio's terse output: a job or group, its fields between semicolons. */

#include <stdbool.h>

#include "import/fio_given.h"
#include "model/result.h"

struct fio_terse_entry {
	struct job_result job; /* with given metrics and options */
	char *tool_version;    /* NULL in version 2 */
	char *disk_text;       /* the fields of the disks as printed; empty = none */
	struct given_list disks;
	struct note_list notes;
	struct fio_refusals refusals;
	unsigned line;
	bool is_cut; /* fields are missing at the end */
};

void fio_terse_entry_release(struct fio_terse_entry *entry);

/* Version of the line that text begins, 2 to 5; 0 = it is none. "2;" is a weak sign. */
unsigned fio_terse_version(const char *text);

/* Number of fields that each line of a version has; more are disks, errors, a description. */
unsigned fio_terse_min_fields(unsigned version);

unsigned fio_terse_count_fields(const char *text);

/* Reads a line whose version is known. *entry is zero before, but for is_cut where it is known. */
void fio_terse_read(const char *text, unsigned line, struct fio_terse_entry *entry);

/*
 * True if `after` goes on with what `before` says of the same job: nothing became less, and time
 * went by. is_known: earlier lines have shown that they are status reports.
 */
bool fio_terse_goes_on(const struct fio_terse_entry *before, const struct fio_terse_entry *after,
		       bool is_known);

#endif
