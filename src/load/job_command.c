/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_command: runs the commands of a job through the shell. */
#include "load/job_command.h"

#include <errno.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/err.h"
#include "model/job.h"

int job_command_run(const struct job *job, enum job_command which, const atomic_bool *stop,
		    struct err *err)
{
	static const char *const names[] = { "prerun", "postrun" };
	const char *command = which == JOB_COMMAND_BEFORE ? job->exec_prerun : job->exec_postrun;
	CLEANUP(child_result) struct child_result result = CHILD_RESULT_INIT;
	CLEANUP(free) char *shell = NULL;
	CLEANUP(free) char *output = NULL;
	CLEANUP(free) char *what = NULL;
	int ret;

	if (!command)
		return 0;
	/* the name as a variable, for it may hold anything; a newline ends a comment */
	shell = xasprintf("{ %s\n} >\"$REGIO_OUTPUT\" 2>&1", command);
	output = xasprintf("REGIO_OUTPUT=%s.%s.txt", job->name, names[which]);
	what = xasprintf("exec_%s '%s'", names[which], command);

	const char *const env[] = { output, NULL };
	const struct child_spec spec = { .shell = shell, .env = env, .stop = stop };

	ret = child_run_checked(&spec, what, &result, err);
	if (ret < 0 && err->saved_errno == 0)
		err->saved_errno = ECANCELED; /* what the job gets as its error */
	return ret;
}
