/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TARGET_EXEC_H
#define REGIO_TARGET_EXEC_H

/*
 * An external command as the workload of a trial: run once, timed, its output kept in the
 * result. What the output says is left to whoever called the target (import is not below it).
 */

#include <stdatomic.h>
#include <stdint.h>

struct err;
struct result;

struct trial_exec {
	const char *command;	/* for /bin/sh -c, placeholders replaced */
	const char *name;	/* what it is called in results: the command as it was given */
	const char *const *env; /* NULL-terminated "NAME=VALUE", on top of ours */
	uint64_t timeout_ns;	/* 0 = none */
	const char *dir;	/* it runs there; NULL = in the current folder */
};

struct exec_hooks {
	int (*prepared)(void *arg, struct err *err); /* right before it starts */
	void (*finished)(void *arg);		     /* it has ended; only after prepared */
	const atomic_bool *stop;
	void *arg;
};

/*
 * Adds to *result what was measured of it: time.elapsed_time and the other numbers of time(1),
 * under LKP's names; and its output. A command that fails, in whatever way, is a job with an
 * error, not an error of this call. -ERR_INTERRUPTED when *stop became true.
 */
int exec_run(const struct trial_exec *exec, const struct exec_hooks *hooks, struct result *result,
	     struct err *err);

#endif
