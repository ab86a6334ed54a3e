/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scratch: test files and devices that disappear with their last descriptor. */
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

#include "base/cleanup.h"

/* A fresh directory; the caller removes it. */
static void scratch_dir(char *path, size_t len)
{
	const char *parent = getenv("TMPDIR");

	assert_true(snprintf(path, len, "%s/regio-engine-XXXXXX", parent ? parent : "/tmp") <
		    (int)len);
	assert_non_null(mkdtemp(path));
}

/* Creates "path/file" and unlinks it. */
static int scratch_create(const char *dir, uint64_t size_bytes)
{
	char path[512];
	int fd;

	assert_true(snprintf(path, sizeof(path), "%s/file", dir) < (int)sizeof(path));
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(ftruncate(fd, (off_t)size_bytes), 0);
	return fd;
}

int scratch_reopen(int fd, int flags)
{
	char path[64];
	int reopened;

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	reopened = open(path, flags | O_CLOEXEC);
	if (reopened < 0)
		assert_int_equal(errno, EINVAL); /* no O_DIRECT here */
	return reopened;
}

int scratch_file(uint64_t size_bytes, int flags)
{
	char dir[256];
	CLEANUP(fd) int fd = -1;

	scratch_dir(dir, sizeof(dir));
	fd = scratch_create(dir, size_bytes);
	assert_int_equal(rmdir(dir), 0);
	assert_int_equal(posix_fallocate(fd, 0, (off_t)(size_bytes ? size_bytes : 1)), 0);
	assert_int_equal(ftruncate(fd, (off_t)size_bytes), 0);
	return scratch_reopen(fd, flags);
}

static int loop_free_device(int flags)
{
	CLEANUP(fd) int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	char path[64];
	int nr;

	if (control < 0)
		return -1;
	nr = ioctl(control, LOOP_CTL_GET_FREE);
	if (nr < 0)
		return -1;
	(void)snprintf(path, sizeof(path), "/dev/loop%d", nr);
	return open(path, flags | O_CLOEXEC);
}

int scratch_loop(int backing_fd, int flags)
{
	struct loop_config config = { .fd = (unsigned)backing_fd,
				      .block_size = 512,
				      .info = { .lo_flags = LO_FLAGS_AUTOCLEAR } };

	for (int i = 0; i < 100; i++) { /* others may look for a free one at the same time */
		int fd = loop_free_device(flags);

		if (fd < 0)
			return -1;
		if (ioctl(fd, LOOP_CONFIGURE, &config) == 0)
			return fd;
		close(fd);
		if (errno != EBUSY)
			return -1;
	}
	return -1;
}

/* Mounts of this process are its own from now on. */
static bool scratch_own_mounts(void)
{
	return geteuid() == 0 && unshare(CLONE_NEWNS) == 0 &&
	       mount("", "/", "", MS_REC | MS_PRIVATE, "") == 0;
}

bool scratch_replace(const char *path, const char *text)
{
	char dir[256];
	char file[512];
	bool is_bound;
	int fd;

	if (!scratch_own_mounts())
		return false;
	scratch_dir(dir, sizeof(dir));
	assert_true(snprintf(file, sizeof(file), "%s/text", dir) < (int)sizeof(file));
	fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	is_bound = mount(file, path, "", MS_BIND, "") == 0;
	assert_int_equal(unlink(file), 0);
	assert_int_equal(rmdir(dir), 0);
	return is_bound;
}

int scratch_full_fs(uint64_t fs_bytes)
{
	char dir[256];
	char options[64];
	int fd;

	if (!scratch_own_mounts())
		return -1;
	scratch_dir(dir, sizeof(dir));
	(void)snprintf(options, sizeof(options), "size=%llu", (unsigned long long)fs_bytes);
	if (mount("regio-test", dir, "tmpfs", 0, options) < 0) {
		assert_int_equal(rmdir(dir), 0);
		return -1;
	}
	fd = scratch_create(dir, 0);
	assert_int_equal(umount2(dir, MNT_DETACH), 0);
	assert_int_equal(rmdir(dir), 0);
	return fd;
}
