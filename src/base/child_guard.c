/* SPDX-License-Identifier: GPL-2.0-or-later */
/* child_guard: a shell that kills what it was told to when its standard input ends. */
#include "base/child_guard.h"

#include "base/cleanup.h"
#include "base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The last target counts. */
#define GUARD_SCRIPT "while read -r line; do target=$line; done; kill -s KILL -- $target"

/* In a group of its own and deaf to signals: what ends us from a terminal must not end it first. */
static int spawn_shell(int fd, pid_t *ret_pid)
{
	static const char *const argv[] = { "/bin/sh", "-c", GUARD_SCRIPT, NULL };
	CLEANUP(fd) int null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	const struct spawn_spec spec = {
		.argv = argv,
		.fds = { fd, null_fd, null_fd },
		.notice_fd = -1,
		.is_leader = true,
		.is_deaf = true,
	};

	return null_fd < 0 ? -errno : spawn(&spec, ret_pid);
}

void child_guard_start(struct child_guard *guard)
{
	int fds[2];

	*guard = CHILD_GUARD_INIT;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) < 0)
		return;
	if (spawn_shell(fds[0], &guard->pid) == 0) {
		guard->fd = fds[1];
	} else {
		guard->pid = 0;
		(void)close(fds[1]);
	}
	(void)close(fds[0]);
}

void child_guard_stop(struct child_guard *guard)
{
	if (guard->pid > 0) {
		(void)kill(guard->pid, SIGKILL); /* not reaped yet: nobody else has its number */
		while (waitpid(guard->pid, NULL, 0) < 0 && errno == EINTR)
			continue;
	}
	cleanup_fd(&guard->fd);
	*guard = CHILD_GUARD_INIT;
}
