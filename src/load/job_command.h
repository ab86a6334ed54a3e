/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_LOAD_JOB_COMMAND_H
#define REGIO_LOAD_JOB_COMMAND_H

/* exec_prerun, exec_postrun: what the shell does for a clone before and after its I/O. */

#include <stdatomic.h>

struct err;
struct job;

enum job_command {
	JOB_COMMAND_BEFORE,
	JOB_COMMAND_AFTER,
};

/*
 * Runs it, if the job has one, in the calling thread's place. What it prints goes into
 * NAME.prerun.txt, resp. NAME.postrun.txt. Fails if it does not end with 0.
 */
int job_command_run(const struct job *job, enum job_command which, const atomic_bool *stop,
		    struct err *err);

#endif
