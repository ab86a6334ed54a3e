/* SPDX-License-Identifier: GPL-2.0-or-later */
/* action_loop_node: a loop device that did not exist before the run. */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/units.h"
#include "journal/action.h"
#include "journal/journal.h"

/* undo_path: "/dev/loop8"; undo_value: "8" */
static bool loop_node_is_gone(const struct undo_step *step)
{
	CLEANUP(free) char *folder = xasprintf("/sys/block/loop%s", step->undo_value);

	return !file_exists(folder);
}

/* Busy while it is bound: then it stays in the journal, and goes when it is asked for again. */
static int loop_node_undo(const struct undo_step *step, struct err *err)
{
	CLEANUP(fd) int fd = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	uint64_t number = 0;

	if (units_parse_u64(step->undo_value, &number, NULL) < 0)
		return err_set(err, ERR_INPUT, "'%s' is not the number of a loop device",
			       step->undo_value);
	if (fd < 0)
		return err_set_errno(err, "open /dev/loop-control");
	if (ioctl(fd, LOOP_CTL_REMOVE, (long)number) < 0 && errno != ENODEV)
		return err_set_errno(err, "remove %s", step->undo_path);
	return 0;
}

const struct undo_action undo_action_loop_node = {
	.name = "loop-node",
	.is_gone = loop_node_is_gone,
	.undo = loop_node_undo,
};
