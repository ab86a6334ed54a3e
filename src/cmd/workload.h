/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_WORKLOAD_H
#define REGIO_CMD_WORKLOAD_H

/* From the words of a command line and its settings to a job set ready to run. */

#include <stdbool.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "model/job.h"
#include "model/setting.h"

struct arg_list;
struct args_spec;
struct err;
struct own_workload;
struct stack;
struct trial_options;

/* What the trials of a command measure, and on what. Zero is empty. */
struct workload {
	struct job_set jobs;	  /* empty with --exec and with a workload of regio's own */
	struct own_workload *own; /* NULL = none */
	struct stack *stack;	  /* NULL = none; jobs may borrow from it */
};

void workload_release(struct workload *workload);
CLEANUP_DEFINE(workload, struct workload, workload_release)

/*
 * words: job files and fio job options, or the name of a workload of regio's own and its options.
 * The job.* settings of the list win over them, in every job. With --readonly what writes is
 * refused here. With --exec there are no words.
 */
int workload_parse(const struct arg_list *words, const struct setting_list *settings,
		   const struct trial_options *options, struct workload *ret_workload,
		   struct err *err);

/* The same for trials that differ in their settings. Zero is empty. */
struct trial_work {
	struct setting_list settings;	      /* all, filled first */
	struct setting_list machine_settings; /* those that are not job.* */
	struct workload workload;
};

/* Everything else of it, from its settings and the words. */
int trial_work_parse(struct trial_work *work, const struct arg_list *words,
		     const struct trial_options *options, struct err *err);
void trial_work_release(struct trial_work *work);
CLEANUP_DEFINE(trial_work, struct trial_work, trial_work_release)

/* The parser's warnings, one line each on stderr, "file:line: text"; those about traps, too, or
 * not. Returns how many were told. */
size_t workload_warn(const struct job_set *jobs, bool tells_traps);

/* The settings that are not job.*, as a new list (release it). */
void workload_machine_settings(const struct setting_list *settings, struct setting_list *ret_list);

/* The words as they would be typed again in a shell, quoted where needed. Caller frees. */
char *workload_command(const char *command, int argc, char *const *argv);

/* The help of a command that runs workloads: its own, or that of the workload that is named. */
void workload_print_help(const struct args_spec *spec, const struct arg_list *words, FILE *to);

#endif
