/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loopdev: loop devices for tests. */
#include "loopdev.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/child.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "test.h"

#define NR_TRIES 20 /* another program may take the free number first */

bool loopdev_available(void)
{
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);

	if (control < 0) {
		printf("1..0 # SKIP needs root and /dev/loop-control: %s\n", strerror(errno));
		return false;
	}
	close(control);
	return true;
}

/* True if the free loop device number was ours in the end. */
static bool attach_to(struct loopdev *loop, int number, int file_fd, unsigned flags)
{
	struct loop_config config = {
		.fd = (unsigned)file_fd,
		.info.lo_flags = LO_FLAGS_AUTOCLEAR,
	};

	if (flags & LOOPDEV_READ_ONLY)
		config.info.lo_flags |= LO_FLAGS_READ_ONLY;
	if (flags & LOOPDEV_PARTITIONS)
		config.info.lo_flags |= LO_FLAGS_PARTSCAN;
	(void)snprintf(loop->name, sizeof(loop->name), "loop%d", number);
	(void)snprintf(loop->path, sizeof(loop->path), "/dev/%s", loop->name);
	loop->fd = open(loop->path, O_RDWR | O_CLOEXEC);
	assert_true(loop->fd >= 0);
	if (ioctl(loop->fd, LOOP_CONFIGURE, &config) == 0)
		return true;
	assert_int_equal(errno, EBUSY);
	close(loop->fd);
	return false;
}

static void attach(struct loopdev *loop, int file_fd, unsigned flags)
{
	CLEANUP(fd) int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);

	assert_true(control >= 0);
	for (int i = 0; i < NR_TRIES; i++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);

		assert_true(number >= 0);
		if (attach_to(loop, number, file_fd, flags))
			return;
	}
	fail_msg("no free loop device after %d tries", NR_TRIES);
}

void loopdev_attach(struct loopdev *loop, const char *file, unsigned flags)
{
	CLEANUP(fd) int fd = open(file, O_RDWR | O_CLOEXEC);

	assert_true(fd >= 0);
	loop->file[0] = '\0';
	attach(loop, fd, flags);
}

void loopdev_create(struct loopdev *loop, uint64_t size_bytes, unsigned flags)
{
	CLEANUP(fd) int fd = -1;

	(void)snprintf(loop->file, sizeof(loop->file), "/var/tmp/regio-loop-XXXXXX");
	fd = mkostemp(loop->file, O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)size_bytes), 0);
	if (!(flags & LOOPDEV_KEEP_FILE)) {
		assert_int_equal(unlink(loop->file), 0);
		loop->file[0] = '\0';
	}
	attach(loop, fd, flags);
}

void loopdev_remove(struct loopdev *loop)
{
	/* attributes of a loop device outlive its detaching: leave it as it came */
	close(loop->fd);
	loop->fd = -1;
	if (loop->file[0])
		assert_int_equal(unlink(loop->file), 0);
	loop->file[0] = '\0';
}

bool filesystem_available(const char *name)
{
	CLEANUP(free)
	char *command = xasprintf("command -v mkfs.%s >/dev/null || exit 1; "
				  "modprobe -q %s; grep -qw %s /proc/filesystems",
				  name, name, name);
	const struct child_spec spec = { .shell = command };

	return child_run_checked(&spec, name, NULL, NULL) == 0;
}

void must_run(const char *fmt, ...)
{
	CLEANUP(strbuf) struct strbuf command = STRBUF_INIT;
	struct child_spec spec = { .shell = NULL };
	struct err err = { .code = 0 };
	va_list args;

	va_start(args, fmt);
	strbuf_vprintf(&command, fmt, args);
	va_end(args);
	spec.shell = strbuf_str(&command);
	if (child_run_checked(&spec, spec.shell, NULL, &err) < 0)
		fail_msg("%s", err.msg);
}
