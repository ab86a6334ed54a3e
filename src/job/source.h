/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_SOURCE_H
#define REGIO_JOB_SOURCE_H

/*
 * The lines of a job file: read whole, byte order mark and carriage returns dropped, comments
 * cut off, blanks trimmed, empty lines skipped. Included files form a chain to the first.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "job/draft.h"

struct arena;
struct err;
struct job_parse_text;

#define SOURCE_MAX_BYTES (64u << 20)	 /* a job file is typed by people or small programs */
#define SOURCE_MAX_LINE_BYTES (1u << 20) /* fio stops at 8192 and takes the rest for options */

struct source {
	const char *name;	     /* as given; "stdin" for "-" */
	const struct source *parent; /* the file with the include line, or NULL */
	unsigned depth;
	bool is_file;  /* dev and ino are set */
	bool has_mark; /* began with a byte order mark, which is skipped */
	dev_t dev;
	ino_t ino;
	struct strbuf content;
	size_t pos;    /* of the next line */
	unsigned line; /* number of the line last returned */
};

void source_release(struct source *source);
CLEANUP_DEFINE(source, struct source, source_release)

/* path "-" is standard input. */
int source_open(const char *path, struct source *ret_source, struct err *err);
void source_open_text(const struct job_parse_text *text, struct source *ret_source);

/*
 * The file of an include line: path as it is, or else relative to the including file. Refuses
 * what is no regular file, files that include themselves and deep nesting.
 */
int source_open_include(const struct source *parent, const char *path, struct arena *arena,
			struct source *ret_source, struct err *err);

/* The next line that holds something, new in the arena; 1, or 0 at the end, or -ERR_INPUT. */
int source_next(struct source *source, struct arena *arena, const char **ret_line, struct err *err);

/* The line last returned. */
struct place source_place(const struct source *source);

#endif
