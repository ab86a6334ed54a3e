/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_RUN_OUTPUT_H
#define REGIO_CMD_RUN_OUTPUT_H

/* Where the results of run go and in which forms: the options of fio, and what they open. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/args.h"

struct err;
struct job_set;
struct output_ops;
struct result;

struct run_output_options {
	const char *path;    /* NULL = stdout */
	const char *formats; /* names separated by commas; NULL = normal */
	unsigned terse_version;
	bool minimal;
	bool append_terse;
};

#define RUN_OUTPUT_OPTIONS_INIT ((struct run_output_options){ .terse_version = 3 })

#define RUN_OUTPUT_ROWS(config_type, field)                                                        \
	{ .name = "output",                                                                        \
	  .type = ARG_STRING,                                                                      \
	  .offset = offsetof(config_type, field.path),                                             \
	  .value_name = "FILE",                                                                    \
	  .help = "write the result to FILE instead of stdout" },                                  \
		{ .name = "output-format",                                                         \
		  .type = ARG_STRING,                                                              \
		  .offset = offsetof(config_type, field.formats),                                  \
		  .value_name = "LIST",                                                            \
		  .help = "normal, json, json+, terse, archive; several separated by commas" },    \
		{ .name = "minimal",                                                               \
		  .type = ARG_BOOL,                                                                \
		  .offset = offsetof(config_type, field.minimal),                                  \
		  .help = "the same as --output-format=terse" },                                   \
		{ .name = "append-terse",                                                          \
		  .type = ARG_BOOL,                                                                \
		  .offset = offsetof(config_type, field.append_terse),                             \
		  .help = "terse beside the other formats" },                                      \
	{                                                                                          \
		.name = "terse-version", .type = ARG_UNSIGNED,                                     \
		.offset = offsetof(config_type, field.terse_version), .value_name = "N",           \
		.help = "which terse form: 2, 3, 4 or 5"                                           \
	}

#define RUN_OUTPUT_MAX_FORMATS 8

struct run_output {
	const struct run_output_options *options;
	const struct output_ops *formats[RUN_OUTPUT_MAX_FORMATS];
	size_t nr;
	FILE *to;
	FILE *held_from; /* what `to` stands in for; NULL: nothing is held back */
	bool is_stream;	 /* there will be more than one result */
	bool is_new;	 /* the file was not there before */
	bool has_begun;	 /* something was written */
};

/* Finds the formats. Opens nothing, so that a wrong name costs no file. */
int run_output_choose(struct run_output *output, const struct run_output_options *options,
		      struct err *err);
/* Changes nothing in a file that is there: a run that is refused leaves it as it was. */
int run_output_open(struct run_output *output, struct err *err);
/* Holds back what is written until run_output_close() is told that all of it went well. */
int run_output_hold(struct run_output *output, struct err *err);
/* Closing tells whether everything reached the file. Returns ret if that is a failure already. */
int run_output_close(struct run_output *output, int ret, struct err *err);

/* Empties the file, once; the others call it. */
int run_output_begin(struct run_output *output, struct err *err);
/* What stands before the results. Nothing, once something was written. */
int run_output_header(struct run_output *output, const struct job_set *jobs, struct err *err);
/* Whether who reads stderr has seen the notes of a result already: both are one stream. */
bool run_output_has_told(const struct run_output *output);
int run_output_result(struct run_output *output, const struct result *result, struct err *err);

#endif
