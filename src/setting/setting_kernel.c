/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kernel: which one a guest boots. The target vm takes it out; this machine keeps its own. */
#include "base/err.h"
#include "model/setting.h"
#include "setting/setting_table.h"

static int kernel_check(const struct setting_context *context, const struct setting *setting,
			struct err *err)
{
	(void)context;
	(void)setting;
	return err_set(err, ERR_UNSUPPORTED,
		       "this machine cannot change its kernel for a trial; a guest can: --on=vm");
}

static int kernel_apply(const struct setting_context *context, const struct setting *setting,
			struct journal *journal, struct err *err)
{
	(void)journal;
	return kernel_check(context, setting, err);
}

static int kernel_confirm(const struct setting_context *context, const struct setting_list *list,
			  size_t at, struct result *result, struct err *err)
{
	(void)result;
	return kernel_check(context, &list->items[at], err);
}

const struct setting_ops setting_kernel = {
	.namespace = "kernel",
	.summary = "kernel of a guest: linux-image package, tree, bzImage or vmlinux (--on=vm)",
	.check = kernel_check,
	.apply = kernel_apply,
	.confirm = kernel_confirm,
};
