/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_GUEST_WORK_H
#define REGIO_GUEST_WORK_H

#include "guest/report.h"

struct err;
struct guest_plan;
struct job_set;
struct result;
struct stack;

/* The jobs of a plan or a step. */
int work_parse_jobs(const char *jobs, struct job_set *ret_jobs, struct err *err);
/* The stack of the plan; *ret_stack stays where there is none. */
int work_parse_stack(const struct guest_plan *plan, struct stack **ret_stack, struct err *err);
/* line: of the script, or 0. */
int work_report_result(const struct report *report, const struct result *result, unsigned line,
		       struct err *err);

/* Loads the modules, waits for a quiet machine, runs warm-ups and the trial and reports it. */
int work_run(const struct guest_plan *plan, const struct report *report, struct err *err);

#endif
