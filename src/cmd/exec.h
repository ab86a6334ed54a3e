/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_EXEC_H
#define REGIO_CMD_EXEC_H

/*
 * From `--exec 'COMMAND'` and the settings of a trial to the command that a target runs. Settings
 * reach it in two ways: {KEY} in its text is replaced by the value as it is, and the environment
 * has REGIO_KEY. A key is a whole setting ("queue.scheduler", REGIO_QUEUE_SCHEDULER) or, of
 * job.KEY, also what follows the dot ("{bs}").
 */

#include <stdint.h>

#include "base/cleanup.h"
#include "target/exec.h"

struct err;
struct setting_list;

struct exec_request {
	const char *command;		     /* as given */
	uint64_t timeout_ns;		     /* 0 = none */
	const char *dir;		     /* where it runs; NULL = the current folder */
	const struct setting_list *settings; /* all, job.* too; of one key the last counts */
	const char *label;		     /* REGIO_LABEL; NULL = "" */
	uint64_t seed;			     /* REGIO_SEED */
};

struct exec_work {
	struct trial_exec exec; /* for the target; borrows the rest */
	char *command;
	char **env;
};

/* ERR_USAGE for a {namespace.key} that no setting has. Other braces are left as they are. */
int exec_work_init(struct exec_work *work, const struct exec_request *request, struct err *err);
void exec_work_release(struct exec_work *work);
CLEANUP_DEFINE(exec_work, struct exec_work, exec_work_release)

#endif
