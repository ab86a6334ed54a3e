/* SPDX-License-Identifier: GPL-2.0-or-later */
/* block_attribute: sets one attribute of the queues of some devices, ready to be undone. */
#include "setting/block_attribute.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "host/name_list.h"
#include "model/result.h"
#include "model/setting.h"
#include "host/attribute.h"
#include "setting/block_targets.h"
#include "journal/change.h"
#include "journal/journal.h"
#include "setting/setting.h"

static char *device_path(const struct setting_context *context, const char *device,
			 const char *folder, const char *attribute)
{
	return xasprintf("%s/block/%s/%s%s%s", context->sys_root ? context->sys_root : "/sys",
			 device, folder, attribute ? "/" : "", attribute ? attribute : "");
}

/* "queue.nr_requests of sda" */
static char *change_name(const char *folder, const char *attribute, const char *device)
{
	const char *slash = strrchr(folder, '/');

	return xasprintf("%s.%s of %s", slash ? slash + 1 : folder, attribute, device);
}

int block_attribute_check(const struct setting_context *context, const struct setting *setting,
			  const char *folder, struct err *err)
{
	CLEANUP(block_targets) struct block_targets targets = BLOCK_TARGETS_INIT;
	int ret = block_targets_find(context, setting, &targets, err);

	for (size_t i = 0; ret == 0 && i < targets.devices.nr; i++) {
		CLEANUP(free)
		char *path =
			device_path(context, targets.devices.items[i], folder, targets.attribute);

		ret = attribute_check(path, err);
	}
	return ret;
}

static bool is_writable_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & S_IWUSR);
}

/* What is being changed on one device. */
struct step {
	const struct setting_context *context;
	const char *device;
	const char *folder;
	const char *attribute;
	const char *value;
	char *path;
	char *anchor;
	struct change_list changes;
};

static void step_release(struct step *step)
{
	free(step->path);
	free(step->anchor);
	change_list_release(&step->changes);
}

CLEANUP_DEFINE(step, struct step, step_release)

/* Every other attribute of a folder that can be written, with its value now. */
static void step_add_side_effects(struct step *step, const char *folder)
{
	CLEANUP(free) char *root = device_path(step->context, step->device, folder, NULL);
	CLEANUP(name_list) struct name_list names = NAME_LIST_INIT;

	name_list_add_folder(&names, root);
	for (size_t i = 0; i < names.nr; i++) {
		CLEANUP(free) char *path = xasprintf("%s/%s", root, names.items[i]);
		CLEANUP(free) char *what = change_name(folder, names.items[i], step->device);
		CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;

		/* one that cannot be read now (write-back throttling that is off) has no value */
		if (!strcmp(path, step->path) || !is_writable_file(path) ||
		    attribute_read(path, &value, NULL) < 0)
			continue;
		change_list_add(&step->changes, &(struct undo_step){
							.what = what,
							.undo_path = path,
							.undo_value = value.buf ? value.buf : "",
							.anchor = step->anchor,
							.is_side_effect = true,
						});
	}
}

static int step_add_main(struct step *step, struct err *err)
{
	CLEANUP(free) char *what = change_name(step->folder, step->attribute, step->device);
	CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;
	int ret = attribute_read(step->path, &value, err);

	if (ret < 0) {
		(void)err_prefix(err, "its value now is needed to restore it");
		return ret;
	}
	change_list_add(&step->changes, &(struct undo_step){
						.what = what,
						.undo_path = step->path,
						.undo_value = value.buf ? value.buf : "",
						.anchor = step->anchor,
					});
	return 0;
}

/* Newest first is the order of undoing: the attribute itself, then what came along with it, the
 * attributes of its scheduler last. */
static int step_record(struct step *step, struct journal *journal, struct err *err)
{
	CLEANUP(free) struct undo_step *fields = NULL;
	int ret;

	step_add_side_effects(step, "queue/iosched");
	step_add_side_effects(step, "queue");
	ret = step_add_main(step, err);
	if (ret < 0)
		return ret;
	fields = xcalloc(step->changes.nr, sizeof(*fields));
	for (size_t i = 0; i < step->changes.nr; i++)
		fields[i] = step->changes.items[i].fields;
	return journal_record_all(journal, fields, step->changes.nr, err);
}

static int apply_to_device(struct step *step, struct journal *journal, struct err *err)
{
	int ret = attribute_check(step->path, err);

	if (ret == 0)
		ret = step_record(step, journal, err);
	if (ret == 0)
		ret = attribute_set(step->path, step->value, err);
	return ret;
}

int block_attribute_apply(const struct setting_context *context, const struct setting *setting,
			  const char *folder, struct journal *journal, struct err *err)
{
	CLEANUP(block_targets) struct block_targets targets = BLOCK_TARGETS_INIT;
	int ret = block_targets_find(context, setting, &targets, err);

	for (size_t i = 0; ret == 0 && i < targets.devices.nr; i++) {
		const char *device = targets.devices.items[i];
		CLEANUP(step)
		struct step step = {
			.context = context,
			.device = device,
			.folder = folder,
			.attribute = targets.attribute,
			.value = setting->value,
			.path = device_path(context, device, folder, targets.attribute),
			.anchor = device_path(context, device, "queue", NULL),
		};

		ret = apply_to_device(&step, journal, err);
	}
	return ret;
}

/* A later setting of the list is for this attribute of this device. */
static bool is_set_later(const struct setting_context *context, const struct setting_list *list,
			 size_t at, const char *device)
{
	const struct setting *setting = &list->items[at];
	size_t len = strcspn(setting->key, "@");

	for (size_t i = at + 1; i < list->nr; i++) {
		const struct setting *later = &list->items[i];
		CLEANUP(block_targets) struct block_targets targets = BLOCK_TARGETS_INIT;

		if (!strcmp(later->namespace, setting->namespace) &&
		    strcspn(later->key, "@") == len && !strncmp(later->key, setting->key, len) &&
		    block_targets_find(context, later, &targets, NULL) == 0 &&
		    name_list_has(&targets.devices, device))
			return true;
	}
	return false;
}

int block_attribute_confirm(const struct setting_context *context, const struct setting_list *list,
			    size_t at, const char *folder, struct result *result, struct err *err)
{
	const struct setting *setting = &list->items[at];
	CLEANUP(block_targets) struct block_targets targets = BLOCK_TARGETS_INIT;
	int ret = block_targets_find(context, setting, &targets, err);

	for (size_t i = 0; ret == 0 && i < targets.devices.nr; i++) {
		const char *device = targets.devices.items[i];
		bool is_only_one = targets.devices.nr == 1;
		CLEANUP(free) char *path = device_path(context, device, folder, targets.attribute);
		CLEANUP(free) char *what = change_name(folder, targets.attribute, device);
		CLEANUP(free)
		char *key = xasprintf("%s.%s%s%s", setting->namespace, setting->key,
				      is_only_one ? "" : "@", is_only_one ? "" : device);
		const struct attribute_wanted wanted = {
			.path = path,
			.what = what,
			.key = key,
			.wanted = setting->value,
		};

		if (!is_set_later(context, list, at, device))
			ret = attribute_confirm(&wanted, result, err);
	}
	return ret;
}
