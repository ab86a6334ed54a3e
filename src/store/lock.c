/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lock: one process at a time works on one plan. The kernel forgets the lock of a killed one. */
#include "store/store.h"

#include "base/arena.h"
#include "base/err.h"
#include "base/name_index.h"
#include "store/db.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

/* Filesystems that have no locks: then nobody is kept out. */
static bool is_without_locks(int number)
{
	return number == ENOLCK || number == ENOSYS || number == EOPNOTSUPP || number == EINVAL;
}

/* A byte of the file stands for each plan, so that plans do not disturb each other. */
static off_t byte_of(const char *digest)
{
	return (off_t)(name_hash(digest) >> 2);
}

static int refuse(int fd, struct flock *lock, const struct store *store, struct err *err)
{
	CLEANUP(free) char *who = NULL;

	/* on other machines the number means nothing, and the kernel gives none */
	if (fcntl(fd, F_GETLK, lock) == 0 && lock->l_type != F_UNLCK && lock->l_pid > 0)
		who = xasprintf(" (process %ld)", (long)lock->l_pid);
	return err_set(err, ERR_SYSTEM,
		       "another regio%s is running this plan in the store '%s'; wait until it has "
		       "ended",
		       who ? who : "", store->path);
}

int store_lock_plan(struct store *store, const char *digest, struct err *err)
{
	struct flock lock = {
		.l_type = F_WRLCK,
		.l_whence = SEEK_SET,
		.l_start = byte_of(digest),
		.l_len = 1,
	};
	CLEANUP(free) char *path = xasprintf("%s-lock", store->path);
	CLEANUP(fd) int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return err_set_errno(err, "open %s", path);
	if (fcntl(fd, F_SETLK, &lock) < 0) {
		if (errno == EACCES || errno == EAGAIN)
			return refuse(fd, &lock, store, err);
		if (!is_without_locks(errno))
			return err_set_errno(err, "lock %s", path);
	}
	store->lock_fd = fd_take(&fd);
	return 0;
}
