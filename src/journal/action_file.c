/* SPDX-License-Identifier: GPL-2.0-or-later */
/* action_file: a file or link that a run has created under a name nobody else uses. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "journal/action.h"
#include "journal/journal.h"

static bool file_is_gone(const struct undo_step *step)
{
	struct stat st;

	return lstat(step->undo_path, &st) < 0 && errno == ENOENT;
}

static int file_undo(const struct undo_step *step, struct err *err)
{
	if (unlink(step->undo_path) < 0 && errno != ENOENT)
		return err_set_errno(err, "remove %s", step->undo_path);
	return 0;
}

const struct undo_action undo_action_file = {
	.name = "file",
	.survives_reboot = true,
	.is_gone = file_is_gone,
	.undo = file_undo,
};
