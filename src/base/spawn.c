/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spawn: vfork and exec, with a line to who watches in between. */
#include "base/spawn.h"

#include "base/cleanup.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void spawn_notice(int fd, pid_t target)
{
	char line[32];
	int len = snprintf(line, sizeof(line), "%ld\n", (long)target);

	if (fd < 0)
		return;
	/* fails only when somebody has killed who listens: then there is nobody */
	(void)send(fd, target ? line : "\n", target ? (size_t)len : 1, MSG_NOSIGNAL);
}

static int fds_replace(const int wanted[3])
{
	int fds[3];

	/* out of each other's way, where one of ours 0-2 was closed */
	for (int i = 0; i < 3; i++) {
		fds[i] = wanted[i] < 0 ? -1 : fcntl(wanted[i], F_DUPFD_CLOEXEC, 3);
		if (wanted[i] >= 0 && fds[i] < 0)
			return -1;
	}
	for (int i = 0; i < 3; i++) {
		if (fds[i] >= 0 && dup2(fds[i], i) < 0)
			return -1;
	}
	return 0;
}

static void fds_close_on_exec(void)
{
	long nr;

	if (close_range(3, ~0U, CLOSE_RANGE_CLOEXEC) == 0)
		return;
	nr = sysconf(_SC_OPEN_MAX); /* before Linux 5.11 */
	for (int fd = 3; fd < nr; fd++)
		(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static void signals_reset(bool is_deaf)
{
	const struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int i = 1; i < NSIG; i++)
		(void)sigaction(i, &action, NULL); /* two of them cannot be changed */
	(void)sigemptyset(&none);
	if (!is_deaf)
		(void)sigprocmask(SIG_SETMASK, &none, NULL);
}

/* To the one that a new process was given: the least busy. What forbids it does no harm. */
static void keep_one_cpu(void)
{
	cpu_set_t set;
	unsigned cpu;

	/* sched_getcpu() would tell that of our own thread, whose memory this is */
	if (getcpu(&cpu, NULL) < 0 || cpu >= CPU_SETSIZE)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	(void)sched_setaffinity(0, sizeof(set), &set);
}

/* In the child, which borrows our memory until exec: all that is called is safe in a thread, and
 * our threads go on. Returns only when a step failed. */
static int child_exec(const struct spawn_spec *spec)
{
	if (spec->is_leader && setpgid(0, 0) < 0)
		return errno;
	spawn_notice(spec->notice_fd, spec->is_leader ? -getpid() : getpid());
	if (fds_replace(spec->fds) < 0)
		return errno;
	fds_close_on_exec();
	if (spec->dir && chdir(spec->dir) < 0)
		return errno;
	signals_reset(spec->is_deaf);
	if (spec->is_on_one_cpu)
		keep_one_cpu();
	/* it does not change the words */
	(void)execvpe(spec->argv[0], (char *const *)(uintptr_t)spec->argv,
		      spec->env ? spec->env : environ);
	return errno;
}

/* A pipe tells of errors, as memory is not shared where a tool turns vfork into fork. */
static pid_t child_start_exec(const struct spawn_spec *spec, int error_fd)
{
	/* posix_spawn cannot send the notice; fork copies page tables while a run is measured */
	pid_t pid = vfork(); /* NOLINT(clang-analyzer-security.insecureAPI.vfork) */
	int error;

	if (pid != 0)
		return pid;
	error_fd = fcntl(error_fd, F_DUPFD_CLOEXEC, 3); /* not where the program's 0-2 go */
	error = child_exec(spec);
	(void)!write(error_fd, &error, sizeof(error)); /* NOLINT(clang-analyzer-unix.Vfork) */
	_exit(127);
}

int spawn(const struct spawn_spec *spec, pid_t *ret_pid)
{
	CLEANUP(fd) int read_fd = -1;
	CLEANUP(fd) int write_fd = -1;
	sigset_t all, old;
	int error = 0;
	int fds[2];
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -errno;
	read_fd = fds[0];
	write_fd = fds[1];
	/* no handler of ours runs in the child */
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_BLOCK, &all, &old);
	pid = child_start_exec(spec, write_fd);
	if (pid < 0)
		error = errno;
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	if (pid < 0)
		return -error;
	cleanup_fd(&write_fd);
	write_fd = -1;
	while (read(read_fd, &error, sizeof(error)) < 0 && errno == EINTR)
		continue;
	if (error != 0) {
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			continue;
		return -error;
	}
	*ret_pid = pid;
	return 0;
}
