/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sysctl: kernel parameters, /proc/sys/vm/dirty_ratio as sysctl.vm.dirty_ratio. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "model/result.h"
#include "model/setting.h"
#include "host/attribute.h"
#include "journal/journal.h"
#include "setting/setting_table.h"

/*
 * Two ways to give one limit. Writing one makes the other 0, and 0 itself is refused by some, so
 * the way back is to write the one that was in force, whichever of the two is set.
 */
struct twin {
	const char *relative, *absolute;
};

static const struct twin twins[] = {
	{ "vm/dirty_ratio", "vm/dirty_bytes" },
	{ "vm/dirty_background_ratio", "vm/dirty_background_bytes" },
	{ "vm/overcommit_ratio", "vm/overcommit_kbytes" },
};

/* Path below /proc/sys, NULL with -ERR_USAGE for none. As sysctl(8): the separator that comes
 * first separates, the other one is part of a name. */
static char *sysctl_name(const char *key, struct err *err)
{
	CLEANUP(free) char *name = xstrdup(key);
	CLEANUP(free) char *framed = NULL;
	char separator = key[strcspn(key, "./")];

	for (char *c = name; separator == '.' && *c; c++) {
		if (*c == '.')
			*c = '/';
		else if (*c == '/')
			*c = '.';
	}
	framed = xasprintf("/%s/", name);
	if (strstr(framed, "//") || strstr(framed, "/../") || strstr(framed, "/./")) {
		(void)err_set(err, ERR_USAGE, "'%s' is not the name of a kernel parameter", key);
		return NULL;
	}
	return ptr_take(name);
}

static char *sysctl_path(const struct setting_context *context, const char *name)
{
	return xasprintf("%s/sys/%s", context->proc_root ? context->proc_root : "/proc", name);
}

static int sysctl_check(const struct setting_context *context, const struct setting *setting,
			struct err *err)
{
	CLEANUP(free) char *name = sysctl_name(setting->key, err);
	CLEANUP(free) char *path = NULL;

	if (!name)
		return -ERR_USAGE;
	path = sysctl_path(context, name);
	return attribute_check(path, err);
}

/* The parameter to write when name is to be restored. */
static const char *undo_name(const struct setting_context *context, const char *name)
{
	for (size_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++) {
		const struct twin *twin = &twins[i];
		CLEANUP(free) char *absolute = sysctl_path(context, twin->absolute);
		CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;

		if (strcmp(name, twin->relative) != 0 && strcmp(name, twin->absolute) != 0)
			continue;
		if (attribute_read(absolute, &value, NULL) < 0)
			return name;
		return attribute_equal(strbuf_str(&value), "0") ? twin->relative : twin->absolute;
	}
	return name;
}

static int sysctl_record(const struct setting_context *context, const char *name,
			 struct journal *journal, struct err *err)
{
	CLEANUP(free) char *path = sysctl_path(context, undo_name(context, name));
	CLEANUP(free) char *what = xasprintf("sysctl %s", name);
	CLEANUP(strbuf) struct strbuf value = STRBUF_INIT;
	int ret = attribute_read(path, &value, err);

	if (ret < 0) {
		(void)err_prefix(err, "its value now is needed to restore it");
		return ret;
	}
	return journal_record(journal,
			      &(struct undo_step){
				      .what = what,
				      .undo_path = path,
				      .undo_value = value.buf ? value.buf : "",
			      },
			      err);
}

static int sysctl_apply(const struct setting_context *context, const struct setting *setting,
			struct journal *journal, struct err *err)
{
	CLEANUP(free) char *name = sysctl_name(setting->key, err);
	CLEANUP(free) char *path = NULL;
	int ret;

	if (!name)
		return -ERR_USAGE;
	path = sysctl_path(context, name);
	ret = sysctl_record(context, name, journal, err);
	if (ret < 0)
		return ret;
	return attribute_set(path, setting->value, err);
}

/* A later setting of the list is for the same parameter, in whichever spelling. */
static bool is_set_later(const struct setting_list *list, size_t at, const char *name)
{
	for (size_t i = at + 1; i < list->nr; i++) {
		CLEANUP(free) char *later = NULL;

		if (strcmp(list->items[i].namespace, list->items[at].namespace) != 0)
			continue;
		later = sysctl_name(list->items[i].key, NULL);
		if (later && !strcmp(later, name))
			return true;
	}
	return false;
}

static int sysctl_confirm(const struct setting_context *context, const struct setting_list *list,
			  size_t at, struct result *result, struct err *err)
{
	CLEANUP(free) char *name = sysctl_name(list->items[at].key, err);
	CLEANUP(free) char *path = NULL;
	CLEANUP(free) char *key = NULL;

	if (!name)
		return -ERR_USAGE;
	if (is_set_later(list, at, name))
		return 0;
	path = sysctl_path(context, name);
	for (char *c = strchr(name, '/'); c; c = strchr(c, '/'))
		*c = '.';
	key = xasprintf("sysctl.%s", name);
	return attribute_confirm(
		&(struct attribute_wanted){
			.path = path, .what = key, .key = key, .wanted = list->items[at].value },
		result, err);
}

const struct setting_ops setting_sysctl = {
	.namespace = "sysctl",
	.summary = "kernel parameter: sysctl.vm.dirty_ratio is /proc/sys/vm/dirty_ratio",
	.check = sysctl_check,
	.apply = sysctl_apply,
	.confirm = sysctl_confirm,
};
