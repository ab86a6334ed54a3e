/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_OUTPUT_H
#define REGIO_OUTPUT_OUTPUT_H

/*
 * Output formats. A format writes a doc (what ab, compare .. say), a result (what run
 * measured), or both. One format = one file output_x.c + one row in output.c.
 */

#include <stdbool.h>
#include <stdio.h>

struct doc;
struct err;
struct job_set;
struct result;

struct output_style {
	int color;	/* ANSI colours allowed */
	unsigned width; /* columns of the terminal, 0 = unlimited */
};

struct output_ops {
	const char *name, *summary;
	bool tells_notes; /* of a result, with advice, to whoever reads it */
	/* Before the run: the line per job, the version, "Starting N threads". Or NULL. */
	int (*run_header)(const struct job_set *jobs, FILE *to, struct err *err);
	int (*result)(const struct result *result, FILE *to, struct err *err); /* or NULL */
	/* One of several results in one stream, which a reader tells apart. NULL: as result. */
	int (*status)(const struct result *result, FILE *to, struct err *err);
	int (*doc)(const struct doc *doc, const struct output_style *style, FILE *to,
		   struct err *err); /* or NULL */
};

/* Flushes. ERR_SYSTEM when anything written to the stream was lost (full disk, closed pipe). */
int output_finish(FILE *to, struct err *err);

const struct output_ops *output_find(const char *name);
const struct output_ops *const *output_table(void); /* NULL-terminated */

#endif
