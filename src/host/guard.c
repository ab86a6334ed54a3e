/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guard: decides whether a job may write to a path. A path is looked up once, with O_PATH; all
 * later steps go through that descriptor, so a link switched meanwhile changes nothing.
 */
#include "host/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "host/signature.h"

#define GUARD_MAX_REASON_LEN 240 /* leaves room for the path and the advice in a message */

/* One question to the guard. */
struct request {
	const char *path;
	int path_fd; /* O_PATH */
	struct stat st;
	const char *const *allowed;
	size_t nr_allowed;
};

static bool request_is_allowed(const struct request *request)
{
	for (size_t i = 0; i < request->nr_allowed; i++) {
		struct stat st;

		if (stat(request->allowed[i], &st) < 0 ||
		    (st.st_mode & S_IFMT) != (request->st.st_mode & S_IFMT))
			continue;
		if (S_ISBLK(st.st_mode)
			    ? st.st_rdev == request->st.st_rdev
			    : st.st_dev == request->st.st_dev && st.st_ino == request->st.st_ino)
			return true;
	}
	return false;
}

/* Opens what path_fd stands for; the name is not looked up again. */
static int request_open(const struct request *request, int flags)
{
	CLEANUP(free) char *link = xasprintf("/proc/self/fd/%d", request->path_fd);

	return open(link, flags | O_CLOEXEC);
}

static void cut_reason(struct strbuf *reason)
{
	if (reason->len <= GUARD_MAX_REASON_LEN)
		return;
	strbuf_truncate(reason, GUARD_MAX_REASON_LEN);
	strbuf_add_str(reason, "...");
}

static int refuse_use(const struct request *request, struct strbuf *use, struct err *err)
{
	cut_reason(use);
	return err_set(err, ERR_UNSAFE,
		       "%s %s; release it first, or pass --allow-destructive=%s to overwrite it "
		       "all the same and destroy what is on it",
		       request->path, strbuf_str(use), request->path);
}

static int refuse_signature(const struct request *request, struct strbuf *signature,
			    struct err *err)
{
	cut_reason(signature);
	return err_set(err, ERR_UNSAFE,
		       "%s carries %s; pass --allow-destructive=%s to overwrite it", request->path,
		       strbuf_str(signature), request->path);
}

/* A claim of this guard on the device itself, or on another part of its disk. */
static bool guard_has(const struct guard *guard, dev_t dev, bool any_part)
{
	for (size_t i = 0; i < guard->nr; i++) {
		struct stat st;

		if (fstat(guard->fds[i], &st) < 0)
			continue;
		if (any_part ? guard_use_same_disk(st.st_rdev, dev) : st.st_rdev == dev)
			return true;
	}
	return false;
}

static void guard_keep(struct guard *guard, int fd)
{
	guard->fds = xreallocarray(guard->fds, guard->nr + 1, sizeof(*guard->fds));
	guard->fds[guard->nr++] = fd;
}

/* What no permission helps against. */
static int check_writable(const struct request *request, int fd, struct err *err)
{
	int is_read_only = 0;
	uint64_t size_bytes = 0;

	if (ioctl(fd, BLKROGET, &is_read_only) < 0)
		return err_set_errno(err, "%s: is it read-only", request->path);
	if (is_read_only)
		return err_set(err, ERR_SYSTEM, "%s is read-only", request->path);
	if (ioctl(fd, BLKGETSIZE64, &size_bytes) < 0)
		return err_set_errno(err, "%s: size", request->path);
	if (size_bytes == 0)
		return err_set(err, ERR_SYSTEM, "%s has size 0: nothing is attached to it",
			       request->path);
	return 0;
}

/* Describes the use that made the kernel refuse an exclusive open, if nothing else did. */
static void add_unknown_use(const struct request *request, struct strbuf *use)
{
	if (use->len)
		return;
	guard_use_describe_elsewhere(request->st.st_rdev, use);
	if (!use->len)
		strbuf_add_str(use,
			       "is in use: the kernel or another program holds it exclusively");
}

bool guard_holds(const struct guard *guard, dev_t dev)
{
	return guard_has(guard, dev, false);
}

static int claim_device(struct guard *guard, const struct request *request, struct err *err)
{
	CLEANUP(strbuf) struct strbuf use = STRBUF_INIT;
	CLEANUP(strbuf) struct strbuf signature = STRBUF_INIT;
	CLEANUP(fd) int claim_fd = -1;
	CLEANUP(fd) int fd = -1;
	bool is_busy;
	int ret;

	if (guard_has(guard, request->st.st_rdev, false))
		return 0;
	fd = request_open(request, O_RDONLY);
	if (fd < 0)
		return err_set_errno(err, "open %s", request->path);
	ret = check_writable(request, fd, err);
	if (ret < 0)
		return ret;

	/* claim first, look second: nobody can mount it in between */
	claim_fd = request_open(request, O_RDONLY | O_EXCL);
	is_busy = claim_fd < 0 && errno == EBUSY;
	if (claim_fd < 0 && !is_busy)
		return err_set_errno(err, "open %s exclusively", request->path);
	/* one claim of a disk keeps out those of its partitions, our own too */
	if (is_busy && guard_has(guard, request->st.st_rdev, true))
		is_busy = false;

	guard_use_describe(request->st.st_rdev, &use);
	if (is_busy)
		add_unknown_use(request, &use);
	signature_describe(fd, &signature);
	if (!request_is_allowed(request)) {
		if (use.len)
			return refuse_use(request, &use, err);
		if (signature.len)
			return refuse_signature(request, &signature, err);
	}
	guard_keep(guard, claim_fd >= 0 ? fd_take(&claim_fd) : fd_take(&fd));
	return 0;
}

/* A write to such a file is a command to the kernel (/proc/sysrq-trigger), and its length is no
 * sign of what can be read. */
static int check_kernel_file(const struct request *request, struct err *err)
{
	static const unsigned long magics[] = {
		PROC_SUPER_MAGIC, SYSFS_MAGIC,	 CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
		DEBUGFS_MAGIC,	  TRACEFS_MAGIC, SECURITYFS_MAGIC,   EFIVARFS_MAGIC,
		PSTOREFS_MAGIC,	  BPF_FS_MAGIC,	 SELINUX_MAGIC,
	};
	struct statfs fs;

	if (fstatfs(request->path_fd, &fs) < 0)
		return err_set_errno(err, "look at the filesystem of %s", request->path);
	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
		/* the type of f_type differs between architectures; magics have 32 bits */
		if ((uint32_t)fs.f_type == magics[i])
			return err_set(err, ERR_USAGE,
				       "%s is not on a disk but a file of the kernel itself",
				       request->path);
	}
	return 0;
}

static int check_file(struct guard *guard, const struct request *request, struct err *err)
{
	int ret = check_kernel_file(request, err);

	if (ret < 0)
		return ret;
	if (!guard->has_files) {
		guard_use_files_collect(&guard->files);
		guard->has_files = true;
	}
	for (size_t i = 0; i < guard->files.nr; i++) {
		const struct guard_use_file *file = &guard->files.items[i];

		if (file->dev == request->st.st_dev && file->ino == request->st.st_ino &&
		    !request_is_allowed(request)) {
			CLEANUP(strbuf) struct strbuf use = STRBUF_INIT;

			strbuf_add_str(&use, file->use);
			return refuse_use(request, &use, err);
		}
	}
	return 0;
}

/* Character devices that swallow or refuse what is written, by the numbers the kernel fixed. */
static int check_character_device(const struct request *request, struct err *err)
{
	enum { MEMORY_MAJOR = 1, NULL_MINOR = 3, ZERO_MINOR = 5, FULL_MINOR = 7 };
	unsigned number = minor(request->st.st_rdev);

	if (major(request->st.st_rdev) == MEMORY_MAJOR &&
	    (number == NULL_MINOR || number == ZERO_MINOR || number == FULL_MINOR))
		return 0;
	return err_set(err, ERR_USAGE,
		       "%s is a character device; jobs write to files and block devices only",
		       request->path);
}

/* A missing name in /dev would become a file in memory that no one asked for. */
static int check_absent(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	CLEANUP(free)
	char *folder = slash ? xstrndup(path, (size_t)(slash - path) + 1) : xstrdup(".");
	struct stat st;
	struct stat dev_st;
	struct stat root_st;

	if (stat(folder, &st) < 0 || stat("/dev", &dev_st) < 0 || stat("/", &root_st) < 0)
		return 0;
	if (st.st_dev == dev_st.st_dev && dev_st.st_dev != root_st.st_dev)
		return err_set(err, ERR_USAGE, "%s: there is no such device", path);
	return 0;
}

int guard_claim(struct guard *guard, const char *path, const char *const *allowed,
		size_t nr_allowed, struct err *err)
{
	CLEANUP(fd) int path_fd = open(path, O_PATH | O_CLOEXEC);
	struct request request = {
		.path = path,
		.path_fd = path_fd,
		.allowed = allowed,
		.nr_allowed = nr_allowed,
	};

	if (path_fd < 0 && errno == ENOENT)
		return check_absent(path, err);
	if (path_fd < 0)
		return err_set_errno(err, "open %s", path);
	if (fstat(path_fd, &request.st) < 0)
		return err_set_errno(err, "stat %s", path);
	if (S_ISREG(request.st.st_mode))
		return check_file(guard, &request, err);
	if (S_ISBLK(request.st.st_mode))
		return claim_device(guard, &request, err);
	if (S_ISCHR(request.st.st_mode))
		return check_character_device(&request, err);
	if (S_ISDIR(request.st.st_mode))
		return err_set(err, ERR_USAGE,
			       "%s is a directory; a job writes to files in it by "
			       "directory=",
			       path);
	return err_set(err, ERR_USAGE,
		       "%s is a fifo or socket; jobs write to files and block devices only", path);
}

int guard_check_read(const char *path, struct err *err)
{
	CLEANUP(fd) int path_fd = open(path, O_PATH | O_CLOEXEC);
	struct request request = { .path = path, .path_fd = path_fd };

	if (path_fd < 0)
		return errno == ENOENT ? check_absent(path, err) : 0;
	if (fstat(path_fd, &request.st) < 0 || !S_ISREG(request.st.st_mode))
		return 0;
	return check_kernel_file(&request, err);
}

void guard_release(struct guard *guard)
{
	for (size_t i = 0; i < guard->nr; i++)
		cleanup_fd(&guard->fds[i]);
	free(guard->fds);
	guard_use_files_release(&guard->files);
	*guard = (struct guard){ .fds = NULL };
}
