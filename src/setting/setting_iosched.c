/* SPDX-License-Identifier: GPL-2.0-or-later */
/* iosched: attributes of the I/O scheduler in use, /sys/block/DEV/queue/iosched/ATTR. */
#include "base/err.h"
#include "base/file.h"
#include "base/arena.h"
#include "base/cleanup.h"
#include "model/setting.h"
#include "setting/block_attribute.h"
#include "setting/block_targets.h"
#include "setting/setting_table.h"

#define IOSCHED_FOLDER "queue/iosched"

/* Which attributes there are depends on the scheduler, which an earlier setting may change. */
static int iosched_check(const struct setting_context *context, const struct setting *setting,
			 struct err *err)
{
	CLEANUP(block_targets) struct block_targets targets = BLOCK_TARGETS_INIT;
	int ret = block_targets_find(context, setting, &targets, err);

	if (ret == 0 && !setting->value[0])
		return err_set(err, ERR_USAGE, "there is no value");
	return ret;
}

static int check_has_scheduler(const struct setting_context *context, const struct setting *setting,
			       struct err *err)
{
	CLEANUP(block_targets) struct block_targets targets = BLOCK_TARGETS_INIT;
	int ret = block_targets_find(context, setting, &targets, err);

	for (size_t i = 0; ret == 0 && i < targets.devices.nr; i++) {
		const char *device = targets.devices.items[i];
		CLEANUP(free)
		char *folder = xasprintf("%s/block/%s/" IOSCHED_FOLDER,
					 context->sys_root ? context->sys_root : "/sys", device);

		if (!file_exists(folder))
			ret = err_set(err, ERR_USAGE,
				      "%s has no scheduler with attributes; set queue.scheduler "
				      "first",
				      device);
	}
	return ret;
}

static int iosched_apply(const struct setting_context *context, const struct setting *setting,
			 struct journal *journal, struct err *err)
{
	int ret = check_has_scheduler(context, setting, err);

	if (ret < 0)
		return ret;
	return block_attribute_apply(context, setting, IOSCHED_FOLDER, journal, err);
}

static int iosched_confirm(const struct setting_context *context, const struct setting_list *list,
			   size_t at, struct result *result, struct err *err)
{
	return block_attribute_confirm(context, list, at, IOSCHED_FOLDER, result, err);
}

const struct setting_ops setting_iosched = {
	.namespace = "iosched",
	.summary = "I/O scheduler in use: /sys/block/DEV/queue/iosched/ATTR, iosched.ATTR[@DEV]",
	.check = iosched_check,
	.apply = iosched_apply,
	.confirm = iosched_confirm,
};
