/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_SPAWN_H
#define REGIO_BASE_SPAWN_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Starts a program with default signal handling and no inherited descriptors but 0-2. Unlike
 * posix_spawn, it can say who it is on a descriptor of ours before it runs: who watches over it
 * has no moment in which it runs unwatched.
 */
struct spawn_spec {
	const char *const *argv; /* NULL-terminated, argv[0] looked up in PATH */
	char *const *env;	 /* NULL-terminated; NULL = ours */
	const char *dir;	 /* working directory; NULL = the current one */
	int fds[3];		 /* what become its 0-2; -1 = ours */
	int notice_fd;		 /* a socket that gets spawn_notice's line; -1 = none */
	bool is_leader;		 /* of a process group of its own */
	bool is_deaf;		 /* all signals stay blocked */
	bool is_on_one_cpu;	 /* with all that it starts, until it asks for others itself */
};

/* Returns 0 and the process that the caller has to reap, or -errno of the step that failed (of
 * the PATH, the folder, exec). */
int spawn(const struct spawn_spec *spec, pid_t *ret_pid);

/* Sends the line "TARGET\n", which kill(1) understands: a process, or a group as the negative of
 * its leader; 0 = an empty line. */
void spawn_notice(int fd, pid_t target);

#endif
