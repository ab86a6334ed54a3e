/* SPDX-License-Identifier: GPL-2.0-or-later */
/* action_folder: an empty folder that a run has created under a name nobody else uses. */
#include <errno.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "journal/action.h"
#include "journal/journal.h"

static bool folder_is_gone(const struct undo_step *step)
{
	return !file_exists(step->undo_path);
}

static int folder_undo(const struct undo_step *step, struct err *err)
{
	if (rmdir(step->undo_path) < 0 && errno != ENOENT)
		return err_set_errno(err, "remove %s", step->undo_path);
	return 0;
}

const struct undo_action undo_action_folder = {
	.name = "folder",
	.survives_reboot = true,
	.is_gone = folder_is_gone,
	.undo = folder_undo,
};
