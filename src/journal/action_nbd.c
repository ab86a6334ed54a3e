/* SPDX-License-Identifier: GPL-2.0-or-later */
/* action_nbd: an nbd device that a process of the run serves. It ends with that process, and the
 * process with the run, so this is for the run itself: in order, and waiting for the end. */
#include <errno.h>
#include <fcntl.h>
#include <linux/nbd.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "journal/action.h"
#include "journal/journal.h"

/* undo_path: "/dev/nbd3"; undo_value: the process, which the kernel tells of a device in use. */
static bool nbd_is_gone(const struct undo_step *step)
{
	CLEANUP(free)
	char *attribute = xasprintf("/sys/block/%s/pid", strrchr(step->undo_path, '/') + 1);
	CLEANUP(strbuf) struct strbuf pid = STRBUF_INIT;

	return file_read_line(attribute, &pid, NULL) < 0 ||
	       strcmp(strbuf_str(&pid), step->undo_value) != 0;
}

/* True once it is reaped, or is the child of somebody else. */
static bool has_ended(const struct undo_step *step)
{
	uint64_t pid = 0;

	return units_parse_u64(step->undo_value, &pid, NULL) < 0 || pid == 0 ||
	       waitpid((pid_t)pid, NULL, WNOHANG) != 0;
}

static int nbd_undo(const struct undo_step *step, struct err *err)
{
	if (!nbd_is_gone(step)) {
		CLEANUP(fd) int fd = open(step->undo_path, O_RDWR | O_CLOEXEC);

		if (fd < 0)
			return err_set_errno(err, "open %s", step->undo_path);
		if (ioctl(fd, NBD_DISCONNECT) < 0 && errno != EINVAL)
			return err_set_errno(err, "disconnect %s", step->undo_path);
	}
	if (nbd_is_gone(step) && has_ended(step))
		return 0;
	errno = EBUSY;
	return err_set_errno(err, "disconnect %s", step->undo_path);
}

const struct undo_action undo_action_nbd = {
	.name = "nbd",
	.is_gone = nbd_is_gone,
	.undo = nbd_undo,
};
