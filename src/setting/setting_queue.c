/* SPDX-License-Identifier: GPL-2.0-or-later */
/* queue: attributes of request queues, /sys/block/DEV/queue/ATTR. */
#include "setting/setting_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/suggest.h"
#include "host/name_list.h"
#include "model/setting.h"
#include "setting/block_attribute.h"
#include "setting/block_targets.h"

#define QUEUE_FOLDER "queue"

/* "none [mq-deadline] bfq" -> none, mq-deadline, bfq */
static void split_choices(const char *line, struct name_list *choices)
{
	static const char separators[] = " []\t\n";

	for (line += strspn(line, separators); *line; line += strspn(line, separators)) {
		size_t len = strcspn(line, separators);
		CLEANUP(free) char *word = xstrndup(line, len);

		name_list_add(choices, word);
		line += len;
	}
}

/* Schedulers of the kernel that may be modules, which it loads when their name is written. */
static bool is_loadable(const char *name)
{
	return !strcmp(name, "mq-deadline") || !strcmp(name, "kyber") || !strcmp(name, "bfq");
}

static int check_scheduler(const char *path, const char *device, const char *value, struct err *err)
{
	CLEANUP(strbuf) struct strbuf line = STRBUF_INIT;
	CLEANUP(name_list) struct name_list choices = NAME_LIST_INIT;
	struct suggest suggest = suggest_for(value);
	int ret = file_read_line(path, &line, err);

	if (ret < 0)
		return ret;
	strbuf_trim(&line);
	split_choices(strbuf_str(&line), &choices);
	if (name_list_has(&choices, value))
		return 0;
	if (!strchr(strbuf_str(&line), '['))
		return err_set(err, ERR_USAGE, "%s has no request queue of its own to schedule",
			       device);
	if (is_loadable(value))
		return 0;
	for (size_t i = 0; i < choices.nr; i++)
		suggest_offer(&suggest, choices.items[i]);
	if (suggest_best(&suggest))
		return err_set(err, ERR_USAGE,
			       "%s has no scheduler '%s', only %s; did you mean '%s'", device,
			       value, strbuf_str(&line), suggest_best(&suggest));
	return err_set(err, ERR_USAGE, "%s has no scheduler '%s', only %s", device, value,
		       strbuf_str(&line));
}

static int queue_check(const struct setting_context *context, const struct setting *setting,
		       struct err *err)
{
	CLEANUP(block_targets) struct block_targets targets = BLOCK_TARGETS_INIT;
	int ret = block_targets_find(context, setting, &targets, err);

	if (ret == 0 && !setting->value[0])
		ret = err_set(err, ERR_USAGE, "there is no value");
	if (ret == 0)
		ret = block_attribute_check(context, setting, QUEUE_FOLDER, err);
	if (ret < 0 || strcmp(targets.attribute, "scheduler") != 0)
		return ret;
	for (size_t i = 0; ret == 0 && i < targets.devices.nr; i++) {
		const char *device = targets.devices.items[i];
		CLEANUP(free)
		char *path = xasprintf("%s/block/%s/queue/scheduler",
				       context->sys_root ? context->sys_root : "/sys", device);

		ret = check_scheduler(path, device, setting->value, err);
	}
	return ret;
}

static int queue_apply(const struct setting_context *context, const struct setting *setting,
		       struct journal *journal, struct err *err)
{
	bool is_scheduler = !strncmp(setting->key, "scheduler", strcspn(setting->key, "@"));
	int ret = block_attribute_apply(context, setting, QUEUE_FOLDER, journal, err);

	/* not the value is wrong then: another kernel has it */
	if (ret == -ERR_USAGE && is_scheduler && is_loadable(setting->value))
		return err_set(err, ERR_UNSUPPORTED, "this kernel has no scheduler '%s'",
			       setting->value);
	return ret;
}

static int queue_confirm(const struct setting_context *context, const struct setting_list *list,
			 size_t at, struct result *result, struct err *err)
{
	return block_attribute_confirm(context, list, at, QUEUE_FOLDER, result, err);
}

const struct setting_ops setting_queue = {
	.namespace = "queue",
	.summary = "request queue of the devices: /sys/block/DEV/queue/ATTR, queue.ATTR[@DEV]",
	.check = queue_check,
	.apply = queue_apply,
	.confirm = queue_confirm,
};
