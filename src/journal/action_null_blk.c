/* SPDX-License-Identifier: GPL-2.0-or-later */
/* action_null_blk: a null_blk device made through configfs under a name of the run's own. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "journal/action.h"
#include "journal/journal.h"

/* undo_path: its folder in configfs. */
static bool null_blk_is_gone(const struct undo_step *step)
{
	return !file_exists(step->undo_path);
}

static int null_blk_undo(const struct undo_step *step, struct err *err)
{
	CLEANUP(free) char *power = xasprintf("%s/power", step->undo_path);
	int ret = file_write_line(power, "0", err);

	if (ret < 0)
		return ret;
	if (rmdir(step->undo_path) < 0 && errno != ENOENT)
		return err_set_errno(err, "remove %s", step->undo_path);
	return 0;
}

const struct undo_action undo_action_null_blk = {
	.name = "null_blk",
	.is_gone = null_blk_is_gone,
	.undo = null_blk_undo,
};
