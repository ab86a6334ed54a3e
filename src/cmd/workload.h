/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_WORKLOAD_H
#define REGIO_CMD_WORKLOAD_H

/* From the words of a command line and its settings to a job set ready to run. */

#include <stdbool.h>

struct arg_list;
struct err;
struct job_set;
struct setting_list;
struct stack;
struct trial_options;

/*
 * words: job files and fio job options. The job.* settings of the list are applied to every
 * job and win over everything else. With --readonly a job that writes is refused here. With --exec
 * there are no words and the set is empty. *ret_stack is NULL without --stack; free it after the
 * jobs.
 */
int workload_parse(const struct arg_list *words, const struct setting_list *settings,
		   const struct trial_options *options, struct stack **ret_stack,
		   struct job_set *ret_jobs, struct err *err);

/* The parser's warnings, one line each on stderr, "file:line: text". */
void workload_warn(const struct job_set *jobs);

/* The settings that are not job.*, as a new list (release it). */
void workload_machine_settings(const struct setting_list *settings, struct setting_list *ret_list);

/* The words as they would be typed again in a shell, quoted where needed. Caller frees. */
char *workload_command(const char *command, int argc, char *const *argv);

#endif
