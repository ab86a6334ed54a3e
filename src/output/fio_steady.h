/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_OUTPUT_FIO_STEADY_H
#define REGIO_OUTPUT_FIO_STEADY_H

/* What fio's forms say of a job that was to settle (steadystate=). */

#include <stdio.h>

struct job_result;
struct json_emit;

/* Nothing where job->steady is NULL. */
void fio_steady_text(const struct job_result *job, FILE *to);
void fio_steady_json(struct json_emit *emit, const struct job_result *job);

#endif
