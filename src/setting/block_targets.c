/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_targets: from the key of a setting to devices. What is written is block_attribute's. */
#include "setting/block_targets.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/suggest.h"
#include "host/device.h"
#include "host/sysblock.h"
#include "model/setting.h"
#include "setting/setting.h"

CLEANUP_DEFINE(device_list, struct device_list, device_list_release)

void block_targets_release(struct block_targets *targets)
{
	free(targets->attribute);
	name_list_release(&targets->devices);
}

static struct block_targets block_targets_take(struct block_targets *targets)
{
	struct block_targets taken = *targets;

	*targets = BLOCK_TARGETS_INIT;
	return taken;
}

static bool add_by_alias(const struct setting_context *context, const char *name,
			 struct name_list *devices)
{
	bool is_known = false;

	for (size_t i = 0; i < context->nr_aliases; i++) {
		if (strcmp(context->aliases[i].name, name) != 0)
			continue;
		name_list_add(devices, context->aliases[i].device);
		is_known = true;
	}
	return is_known;
}

static int add_by_name(const struct setting_context *context, const char *name,
		       struct name_list *devices, struct err *err)
{
	const char *sys_root = context->sys_root;
	CLEANUP(free) char *folder = sysblock_disk_folder(sys_root, name);
	CLEANUP(free) char *root = NULL;
	CLEANUP(name_list) struct name_list known = NAME_LIST_INIT;
	struct suggest suggest = suggest_for(name);

	if (add_by_alias(context, name, devices))
		return 0;
	if (folder) {
		name_list_add(devices, name);
		return 0;
	}
	root = xasprintf("%s/block", sys_root ? sys_root : "/sys");
	name_list_add_folder(&known, root);
	for (size_t i = 0; i < known.nr; i++)
		suggest_offer(&suggest, known.items[i]);
	for (size_t i = 0; i < context->nr_aliases; i++)
		suggest_offer(&suggest, context->aliases[i].name);
	if (suggest_best(&suggest))
		return err_set(err, ERR_USAGE, "there is no disk '%s'; did you mean '%s'", name,
			       suggest_best(&suggest));
	return err_set(err, ERR_USAGE, "there is no disk '%s'", name);
}

static int add_by_path(const char *sys_root, const char *path, struct name_list *devices,
		       struct err *err)
{
	CLEANUP(device_list) struct device_list list = { .nr = 0 };
	int ret = device_list_add_path(&list, sys_root, path, err);

	if (ret < 0)
		return ret;
	if (list.nr == 0)
		return err_set(err, ERR_USAGE, "there is no disk under '%s'", path);
	name_list_add(devices, list.items[0].name);
	return 0;
}

static int add_under_job(const struct setting_context *context, bool is_uppermost,
			 struct name_list *devices, struct err *err)
{
	const struct device_list *list = context->devices;
	CLEANUP(free) size_t *indices = NULL;
	size_t nr = 0;
	int ret;

	if (!list || list->nr == 0)
		return err_set(err, ERR_USAGE,
			       "there is no block device under the files of the job; name one by "
			       "ATTRIBUTE@DEVICE");
	for (size_t i = 0; is_uppermost && i < list->nr; i++) {
		if (list->items[i].parent < 0)
			name_list_add(devices, list->items[i].name);
	}
	if (is_uppermost)
		return 0;
	ret = device_list_queue_owners(list, context->sys_root, &indices, &nr, err);
	for (size_t i = 0; ret == 0 && i < nr; i++)
		name_list_add(devices, list->items[indices[i]].name);
	return ret;
}

int block_targets_find(const struct setting_context *context, const struct setting *setting,
		       struct block_targets *ret_targets, struct err *err)
{
	CLEANUP(block_targets) struct block_targets targets = BLOCK_TARGETS_INIT;
	const char *at = strchr(setting->key, '@');
	int ret;

	targets.attribute =
		at ? xstrndup(setting->key, (size_t)(at - setting->key)) : xstrdup(setting->key);
	if (!targets.attribute[0] || targets.attribute[0] == '.' || strchr(targets.attribute, '/'))
		return err_set(err, ERR_USAGE, "'%s' is not the name of an attribute",
			       targets.attribute);
	if (!at)
		ret = add_under_job(context, !strcmp(targets.attribute, "read_ahead_kb"),
				    &targets.devices, err);
	else if (at[1] == '/')
		ret = add_by_path(context->sys_root, at + 1, &targets.devices, err);
	else
		ret = add_by_name(context, at + 1, &targets.devices, err);
	if (ret < 0)
		return ret;
	*ret_targets = block_targets_take(&targets);
	return 0;
}
