/* SPDX-License-Identifier: GPL-2.0-or-later */
/* action_module: a kernel module that the run has loaded. One that others use by now stays. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/err.h"
#include "base/file.h"
#include "journal/action.h"
#include "journal/journal.h"

/* undo_path: "/sys/module/scsi_debug"; undo_value: "scsi_debug" */
static bool module_is_gone(const struct undo_step *step)
{
	return !file_exists(step->undo_path);
}

static int module_undo(const struct undo_step *step, struct err *err)
{
	if (syscall(SYS_delete_module, step->undo_value, O_NONBLOCK) == 0 || errno == ENOENT)
		return 0;
	if (errno == EWOULDBLOCK)
		errno = EBUSY;
	return err_set_errno(err, "unload the module %s", step->undo_value);
}

const struct undo_action undo_action_module = {
	.name = "module",
	.is_gone = module_is_gone,
	.undo = module_undo,
};
