/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job: options of the job. The job parser has applied them long before a trial starts. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "model/result.h"
#include "model/setting.h"
#include "setting/setting_table.h"

static int job_check(const struct setting_context *context, const struct setting *setting,
		     struct err *err)
{
	(void)context;
	(void)setting;
	(void)err;
	return 0;
}

static int job_apply(const struct setting_context *context, const struct setting *setting,
		     struct journal *journal, struct err *err)
{
	(void)context;
	(void)setting;
	(void)journal;
	(void)err;
	return 0;
}

static void job_report(const struct setting_context *context, const struct setting *setting,
		       struct result *result)
{
	CLEANUP(free) char *key = xasprintf("job.%s", setting->key);

	(void)context;
	result_add_setting(result, key, setting->value);
}

const struct setting_ops setting_job = {
	.namespace = "job",
	.summary = "option of the job, as in a job file; applied when the job is read",
	.check = job_check,
	.apply = job_apply,
	.report = job_report,
};
