/* SPDX-License-Identifier: GPL-2.0-or-later */
/* action: the table of undo actions, and the patience that all of them need. */
#include "journal/action.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "base/clock.h"
#include "base/err.h"
#include "journal/journal.h"

#define RETRY_NS 20000000

static const struct undo_action *const actions[] = {
	&undo_action_dm,   &undo_action_file,	   &undo_action_folder,	  &undo_action_loop,
	&undo_action_md,   &undo_action_loop_node, &undo_action_module,	  &undo_action_mount,
	&undo_action_zram, &undo_action_null_blk,  &undo_action_zram_new, &undo_action_nbd,
};

const struct undo_action *undo_action_find(const char *name)
{
	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (!strcmp(actions[i]->name, name))
			return actions[i];
	}
	return NULL;
}

static bool is_busy(const struct err *err)
{
	return err->saved_errno == EBUSY || err->saved_errno == EAGAIN;
}

int undo_action_run(const struct undo_step *step, uint64_t patience_ns, struct err *err)
{
	const struct undo_action *action = undo_action_find(step->action);
	uint64_t end_ns = clock_now_ns() + patience_ns;
	struct err local = { .code = 0 };

	for (;;) {
		int ret = action->undo(step, &local);

		if (ret == 0)
			return 0;
		if (!is_busy(&local) || clock_now_ns() >= end_ns)
			return err_set(err, local.code, "cannot take back %s: %s", step->what,
				       local.msg);
		(void)clock_sleep_until_ns(clock_now_ns() + RETRY_NS); /* a signal ends it early */
	}
}
