/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_CHILD_GUARD_H
#define REGIO_BASE_CHILD_GUARD_H

#include <sys/types.h>

/*
 * Kills a program that would outlive us. The kernel's parent-death signal reaches only the child
 * itself, and a command line is a shell with children of its own; so a process beside us waits for
 * the end of a socket that only we hold open, and then kills the whole group. Nothing can be done
 * where there is no shell, which is in guests: those end with us anyway.
 */
struct child_guard {
	pid_t pid; /* 0 = none */
	int fd;	   /* takes the lines of spawn_notice, the last one counts: what goes when we go */
};

#define CHILD_GUARD_INIT ((struct child_guard){ .fd = -1 })

void child_guard_start(struct child_guard *guard);
/* Ends the guard and leaves its target alone. */
void child_guard_stop(struct child_guard *guard);

#endif
