/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_RUN_LIVE_H
#define REGIO_CMD_RUN_LIVE_H

/* What run prints while its jobs run: fio's line, reports in between, the bandwidth of all. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/args.h"
#include "cmd/trial_options.h"

struct err;
struct job_set;
struct run_output;

struct run_live_options {
	const char *eta; /* NULL: regio's own line on stderr */
	const char *bandwidth_prefix;
	const char *eta_newline, *eta_interval, *status_interval;
	bool is_lenient; /* as fio: any other word of --eta is auto, too short an interval 250 ms */
};

#define RUN_LIVE_ROWS(config_type, field)                                                          \
	{ .name = "eta",                                                                           \
	  .type = ARG_STRING,                                                                      \
	  .offset = offsetof(config_type, field.eta),                                              \
	  .value_name = "WHEN",                                                                    \
	  .help = "fio's progress line on stdout: auto, always, never" },                          \
		{ .name = "eta-newline",                                                           \
		  .type = ARG_STRING,                                                              \
		  .offset = offsetof(config_type, field.eta_newline),                              \
		  .value_name = "TIME",                                                            \
		  .help = "a new line every so often, plain number: s" },                          \
		{ .name = "eta-interval",                                                          \
		  .type = ARG_STRING,                                                              \
		  .offset = offsetof(config_type, field.eta_interval),                             \
		  .value_name = "TIME",                                                            \
		  .help = "time between updates, at least 250, plain number: ms" },                \
		{ .name = "status-interval",                                                       \
		  .type = ARG_STRING,                                                              \
		  .offset = offsetof(config_type, field.status_interval),                          \
		  .value_name = "TIME",                                                            \
		  .help = "print a report every so often, plain number: s; SIGUSR1 prints one at " \
			  "once" },                                                                \
	{                                                                                          \
		.name = "bandwidth-log", .type = ARG_STRING,                                       \
		.offset = offsetof(config_type, field.bandwidth_prefix), .value_name = "PREFIX",   \
		.help = "log the bandwidth of all jobs in PREFIX-read_bw.log .."                   \
	}

struct run_live {
	const struct run_live_options *options;
	struct run_output *output;
	const struct job_set *jobs; /* of the header */
	struct session_live hooks;
	bool has_eta;
	FILE *line_to; /* stdout, unless something for programs goes there */
	uint64_t eta_newline_ns, eta_interval_ns;
	uint64_t newline_ns, log_ns; /* when there was the last one */
	size_t line_len;	     /* of what is on the line */
	FILE *bandwidth[3];
	bool is_new[3];	  /* the files were not there before */
	bool has_begun;	  /* nothing can be refused any more */
	int status_error; /* of the first report that could not be written */
};

/* The values of the options, before anything is opened. */
int run_live_check(const struct run_live_options *options, struct err *err);
/* Opens what is wanted; a log that cannot be written is refused. */
int run_live_open(struct run_live *live, const struct run_live_options *options,
		  struct run_output *output, struct err *err);
/* Ends the line, closes the logs. */
int run_live_close(struct run_live *live, int ret, struct err *err);
/* The line is taken away before something else is printed. */
void run_live_clear(struct run_live *live);

#endif
