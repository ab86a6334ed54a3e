/* SPDX-License-Identifier: GPL-2.0-or-later */
/* action_md: an md array without superblocks, told from others by one of its members. */
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

/* undo_path: "/dev/md127"; undo_value: kernel name of the first member */
static bool md_is_gone(const struct undo_step *step)
{
	const char *name = strrchr(step->undo_path, '/') + 1;
	CLEANUP(free) char *member = xasprintf("/sys/block/%s/md/dev-%s", name, step->undo_value);

	return !file_exists(member);
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
