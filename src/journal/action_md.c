/* SPDX-License-Identifier: GPL-2.0-or-later */
/* action_md: an md array under a name of the run's own. */
#include <errno.h>
#include <fcntl.h>
#include <linux/major.h>
#include <linux/raid/md_u.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "journal/action.h"
#include "journal/journal.h"

/* undo_path: "/dev/md_regio123" */
static bool md_is_gone(const struct undo_step *step)
{
	const char *name = strrchr(step->undo_path, '/') + 1;
	CLEANUP(free) char *folder = xasprintf("/sys/block/%s", name);

	return !file_exists(folder);
}

static int md_undo(const struct undo_step *step, struct err *err)
{
	CLEANUP(fd) int fd = open(step->undo_path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return err_set_errno(err, "open %s", step->undo_path);
	if (ioctl(fd, STOP_ARRAY, NULL) < 0 && errno != ENODEV)
		return err_set_errno(err, "stop %s", step->undo_path);
	return 0;
}

const struct undo_action undo_action_md = {
	.name = "md",
	.is_gone = md_is_gone,
	.undo = md_undo,
};
