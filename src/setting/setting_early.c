/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * early: settings that have taken effect before a trial starts: options of the job, which its
 * parser has applied, and the stack, which was built as they say.
 */
#include <stdlib.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "model/result.h"
#include "model/setting.h"
#include "setting/setting_table.h"

static int early_check(const struct setting_context *context, const struct setting *setting,
		       struct err *err)
{
	(void)context;
	(void)setting;
	(void)err;
	return 0;
}

static int early_apply(const struct setting_context *context, const struct setting *setting,
		       struct journal *journal, struct err *err)
{
	(void)context;
	(void)setting;
	(void)journal;
	(void)err;
	return 0;
}

static int early_confirm(const struct setting_context *context, const struct setting_list *list,
			 size_t at, struct result *result, struct err *err)
{
	const struct setting *setting = &list->items[at];
	CLEANUP(free)
	char *key =
		xasprintf("%s%s%s", setting->namespace, setting->key[0] ? "." : "", setting->key);

	(void)context;
	(void)err;
	if (result)
		result_add_setting(result, key, setting->value);
	return 0;
}

const struct setting_ops setting_job = {
	.namespace = "job",
	.summary = "option of the job, as in a job file; applied when the job is read",
	.check = early_check,
	.apply = early_apply,
	.confirm = early_confirm,
};

const struct setting_ops setting_stack = {
	.namespace = "stack",
	.summary =
		"the stack, or one thing of it: stack=.., stack.fs=TYPE, stack.LAYER.OPTION=VALUE",
	.check = early_check,
	.apply = early_apply,
	.confirm = early_confirm,
};
