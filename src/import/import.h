/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_IMPORT_H
#define REGIO_IMPORT_IMPORT_H

/*
 * Results out of what other programs printed: files, pipes, mails with several outputs and prose
 * between them. What is in the text is recognised block by block; each result is handed over as
 * soon as it is complete, so a file may be larger than memory.
 *
 * A result has tool, source_file, source_line, jobs with names and errors, given metrics under
 * the names of measured ones, and notes on what was refused, converted or missing. Its label is
 * the nearest heading above it in the text, else the name of the file as it was given.
 */

#include <stddef.h>

struct err;
struct result;

struct import_sink {
	/*
	 * Called for each result in the order of the text. The result is released afterwards; to
	 * keep it, copy the struct and clear *result. A negative code ends the import with it.
	 */
	int (*deliver)(void *context, struct result *result, struct err *err);
	void *context;
};

struct import_options {
	const char *format; /* name of the only importer to ask; NULL = all */
	const char *label;  /* of every result; NULL = headings and file name */
};

/*
 * "-" is standard input. options may be NULL. A text without any result is -ERR_INPUT; each
 * message starts with "FILE:LINE: ". What was delivered before a failure is whole, but belongs to
 * a file that is not: callers that store drop it.
 */
int import_file(const char *path, const struct import_options *options,
		const struct import_sink *sink, struct err *err);

/* The same for text in memory; name stands for the file in results and messages. */
int import_text(const char *name, const char *text, size_t len,
		const struct import_options *options, const struct import_sink *sink,
		struct err *err);

/* Names and one-line summaries of the importers; NULL past the last. */
const char *import_format_name(size_t index);
const char *import_format_summary(size_t index);

#endif
