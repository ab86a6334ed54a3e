/* SPDX-License-Identifier: GPL-2.0-or-later */
/* setting: the table of namespaces, and a list of settings applied as a whole or not at all. */
#include "setting/setting.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/suggest.h"
#include "journal/journal.h"
#include "setting/setting_table.h"

static const struct setting_ops *const table[] = {
	&setting_job,	&setting_queue, &setting_iosched, &setting_sysctl,
	&setting_stack, &setting_cmd,	&setting_kernel,  NULL,
};

const struct setting_ops *const *setting_table(void)
{
	return table;
}

static const struct setting_ops *setting_ops_find(const char *namespace)
{
	for (const struct setting_ops *const *row = table; *row; row++) {
		if (!strcmp((*row)->namespace, namespace))
			return *row;
	}
	return NULL;
}

/* "plan.yaml:7: setting 'queue.scheduler=bfq': " in front of what is wrong with it. */
static int name_setting(const struct setting *setting, int ret, struct err *err)
{
	CLEANUP(free) char *text = setting_text(setting);

	if (ret < 0)
		(void)err_prefix(err, "%s%ssetting '%s'", setting->origin ? setting->origin : "",
				 setting->origin ? ": " : "", text);
	return ret;
}

static int check_one(const struct setting_context *context, const struct setting *setting,
		     struct err *err)
{
	const struct setting_ops *ops = setting_ops_find(setting->namespace);
	struct suggest suggest = suggest_for(setting->namespace);

	if (ops)
		return ops->check(context, setting, err);
	for (const struct setting_ops *const *row = table; *row; row++)
		suggest_offer(&suggest, (*row)->namespace);
	if (suggest_best(&suggest))
		return err_set(err, ERR_USAGE, "unknown namespace '%s'; did you mean '%s'",
			       setting->namespace, suggest_best(&suggest));
	return err_set(err, ERR_USAGE, "unknown namespace '%s'", setting->namespace);
}

/* The first failure stays the message, the failure to clean up after it is added. */
static void undo_after_failure(struct journal *journal, size_t mark, struct err *err)
{
	struct err undo_err = { .code = 0 };

	if (journal_undo_from(journal, mark, &undo_err) < 0 && err)
		(void)err_set(err, err->code, "%s; and then: %s", err->msg, undo_err.msg);
}

static int apply_one(const struct setting_context *context, const struct setting *setting,
		     struct journal *journal, struct err *err)
{
	int ret = setting_ops_find(setting->namespace)->apply(context, setting, journal, err);

	return name_setting(setting, ret, err);
}

static int confirm_one(const struct setting_context *context, const struct setting_list *list,
		       size_t at, struct result *result, struct err *err)
{
	const struct setting *setting = &list->items[at];
	int ret = setting_ops_find(setting->namespace)->confirm(context, list, at, result, err);

	return name_setting(setting, ret, err);
}

int settings_apply(const struct setting_context *context, const struct setting_list *list,
		   struct journal *journal, struct result *result, struct err *err)
{
	size_t mark = journal_mark(journal);
	int ret = 0;

	for (size_t i = 0; i < list->nr; i++) {
		ret = check_one(context, &list->items[i], err);
		if (ret < 0)
			return name_setting(&list->items[i], ret, err);
	}
	for (size_t i = 0; ret == 0 && i < list->nr; i++)
		ret = apply_one(context, &list->items[i], journal, err);
	for (size_t i = 0; ret == 0 && i < list->nr; i++)
		ret = confirm_one(context, list, i, result, err);
	if (ret < 0)
		undo_after_failure(journal, mark, err);
	return ret;
}
