/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_STACK_USE_H
#define REGIO_CMD_STACK_USE_H

/* How the stack of --stack and of the settings stack.* meets the jobs that run on it. */

struct err;
struct job_set;
struct own_workload;
struct setting_list;
struct stack;
struct trial_options;

/*
 * The stack of --stack, or of a setting stack=.. in place of that. stack.KEY is the value of {KEY}
 * or {stack.KEY} in its text, or where there is none a change of the stack. *ret_stack is NULL
 * where there is none; the caller frees it.
 */
int stack_use_parse(const struct trial_options *options, const struct setting_list *settings,
		    struct stack **ret_stack, struct err *err);

/* ${stack} and ${mount} of job files, of settings and of commands that are started: environment
 * variables. NULL does nothing. */
void stack_use_export(const struct stack *stack);

/* Replaces both in a word of a command line, which fio does in job files only. A new string;
 * without a stack a copy. */
char *stack_use_expand(const struct stack *stack, const char *text);

/* A job that names no file, or one without a folder, gets the stack's. -ERR_USAGE when the jobs
 * leave the stack alone, because they would measure something else. */
int stack_use_apply(const struct stack *stack, struct job_set *jobs, struct err *err);
/* The same for a workload of regio's own, which needs a filesystem. */
int stack_use_apply_own(const struct stack *stack, struct own_workload *own, struct err *err);

#endif
