/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job, stack: options of the job and of the stack. Both were applied when their text was read, long
 * before a trial starts. */
#include <stdlib.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "model/result.h"
#include "model/setting.h"
#include "setting/setting_table.h"

static int text_check(const struct setting_context *context, const struct setting *setting,
		      struct err *err)
{
	(void)context;
	(void)setting;
	(void)err;
	return 0;
}

static int text_apply(const struct setting_context *context, const struct setting *setting,
		      struct journal *journal, struct err *err)
{
	(void)context;
	(void)setting;
	(void)journal;
	(void)err;
	return 0;
}

static void text_report(const struct setting_context *context, const struct setting *setting,
			struct result *result)
{
	CLEANUP(free) char *key = xasprintf("%s.%s", setting->namespace, setting->key);

	(void)context;
	result_add_setting(result, key, setting->value);
}

const struct setting_ops setting_job = {
	.namespace = "job",
	.summary = "option of the job, as in a job file; applied when the job is read",
	.check = text_check,
	.apply = text_apply,
	.report = text_report,
};

const struct setting_ops setting_stack = {
	.namespace = "stack",
	.summary = "value of {KEY} in the text of the stack",
	.check = text_check,
	.apply = text_apply,
	.report = text_report,
};
