/* SPDX-License-Identifier: GPL-2.0-or-later */
/* child_guard: a shell that kills what it was told to when its standard input ends. */
#include "base/child_guard.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The last target counts. */
#define GUARD_SCRIPT "while read -r line; do target=$line; done; kill -s KILL -- $target"

extern char **environ;

static int fill_actions(posix_spawn_file_actions_t *actions, int fd)
{
	int ret = posix_spawn_file_actions_adddup2(actions, fd, STDIN_FILENO);

	for (int i = STDOUT_FILENO; i <= STDERR_FILENO && ret == 0; i++)
		ret = posix_spawn_file_actions_addopen(actions, i, "/dev/null", O_WRONLY, 0);
	if (ret == 0)
		ret = posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
	return ret;
}

/* In a group of its own and deaf to signals: what ends us from a terminal must not end it first. */
static void fill_attr(posix_spawnattr_t *attr)
{
	sigset_t all;

	(void)sigfillset(&all); /* these only store their arguments */
	(void)posix_spawnattr_setpgroup(attr, 0);
	(void)posix_spawnattr_setsigmask(attr, &all);
	(void)posix_spawnattr_setflags(attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
}

static int spawn_shell(int fd, pid_t *ret_pid)
{
	static const char *const argv[] = { "/bin/sh", "-c", GUARD_SCRIPT, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	int ret = posix_spawn_file_actions_init(&actions);

	if (ret != 0)
		return ret;
	ret = posix_spawnattr_init(&attr);
	if (ret == 0) {
		fill_attr(&attr);
		ret = fill_actions(&actions, fd);
		if (ret == 0) /* posix_spawn does not change the words */
			ret = posix_spawn(ret_pid, argv[0], &actions, &attr,
					  (char *const *)(uintptr_t)argv, environ);
		(void)posix_spawnattr_destroy(&attr);
	}
	(void)posix_spawn_file_actions_destroy(&actions);
	return ret;
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

void child_guard_watch(const struct child_guard *guard, pid_t target)
{
	char line[32];
	int len = snprintf(line, sizeof(line), "%ld\n", (long)target);

	if (guard->fd < 0)
		return;
	/* fails only when somebody has killed the guard: then there is none */
	(void)send(guard->fd, target ? line : "\n", target ? (size_t)len : 1, MSG_NOSIGNAL);
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
