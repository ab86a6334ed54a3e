/* SPDX-License-Identifier: GPL-2.0-or-later */
/* action_mount: a filesystem mounted on a folder of the run's own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "journal/action.h"
#include "journal/journal.h"

/* Nothing is mounted there when the folder lies on the filesystem of its parent. */
static bool mount_is_gone(const struct undo_step *step)
{
	CLEANUP(free) char *parent = xasprintf("%s/..", step->undo_path);
	struct stat inside;
	struct stat outside;

	if (stat(step->undo_path, &inside) < 0)
		return errno == ENOENT;
	return stat(parent, &outside) == 0 && inside.st_dev == outside.st_dev;
}

static int mount_undo(const struct undo_step *step, struct err *err)
{
	if (umount2(step->undo_path, UMOUNT_NOFOLLOW) == 0 || errno == EINVAL || errno == ENOENT)
		return 0;
	return err_set_errno(err, "unmount %s", step->undo_path);
}

const struct undo_action undo_action_mount = {
	.name = "mount",
	.is_gone = mount_is_gone,
	.undo = mount_undo,
};
