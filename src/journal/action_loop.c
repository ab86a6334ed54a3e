/* SPDX-License-Identifier: GPL-2.0-or-later */
/* action_loop: a loop device bound to a backing file, whose name tells ours from others. */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "journal/action.h"
#include "journal/journal.h"

#define DELETED " (deleted)" /* what the kernel puts behind the name of a file without one */

/* undo_path: "/dev/loop3"; undo_value: the backing file. */
static bool loop_is_gone(const struct undo_step *step)
{
	const char *name = strrchr(step->undo_path, '/') + 1;
	CLEANUP(free) char *attribute = xasprintf("/sys/block/%s/loop/backing_file", name);
	CLEANUP(strbuf) struct strbuf backing = STRBUF_INIT;
	size_t len = strlen(step->undo_value);

	if (file_read_line(attribute, &backing, NULL) < 0)
		return true; /* not bound to anything */
	return strncmp(strbuf_str(&backing), step->undo_value, len) != 0 ||
	       (backing.len > len && strcmp(strbuf_str(&backing) + len, DELETED) != 0);
}

/* While others have it open the kernel only promises to unbind it later: that is busy too. */
static int loop_undo(const struct undo_step *step, struct err *err)
{
	{
		CLEANUP(fd) int fd = open(step->undo_path, O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			return err_set_errno(err, "open %s", step->undo_path);
		if (ioctl(fd, LOOP_CLR_FD, 0) < 0 && errno != ENXIO)
			return err_set_errno(err, "unbind %s", step->undo_path);
	}
	if (loop_is_gone(step))
		return 0;
	errno = EBUSY;
	return err_set_errno(err, "unbind %s", step->undo_path);
}

const struct undo_action undo_action_loop = {
	.name = "loop",
	.is_gone = loop_is_gone,
	.undo = loop_undo,
};
