/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_CHILD_H
#define REGIO_BASE_CHILD_H

#include "base/child_guard.h"
#include "base/cleanup.h"
#include "base/strbuf.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct err;

/*
 * Runs another program and captures what it prints. The child leads a process group of its own,
 * so that a timeout ends everything it started, as does our own end of whatever kind; it gets
 * default signal handling, an empty signal mask, /dev/null as stdin and no inherited descriptors
 * but 0-2.
 */
struct child_spec {
	const char *const *argv; /* NULL-terminated, argv[0] looked up in PATH; or .. */
	const char *shell;	 /* .. a command line for /bin/sh -c; exactly one of both */
	const char *dir;	 /* working directory; NULL = the current one */
	const char *const *env;	 /* NULL-terminated "NAME=VALUE" on top of ours; NULL = none */
	uint64_t timeout_ns;	 /* 0 = none; then SIGTERM, and SIGKILL after kill_grace_ns */
	uint64_t kill_grace_ns;	 /* 0 = 2 s */
	size_t max_output_bytes; /* of each stream; 0 = 16 MiB; the rest is read and dropped */
	const atomic_bool *stop; /* when it becomes true the child is ended; NULL = never */
	bool ends_group;	 /* what it leaves behind in its group ends with it */
	/* A person talks to it: 0-2 are ours and nothing is captured, and it stays in our process
	 * group, whose the terminal is. */
	bool is_at_terminal;
	bool is_on_one_cpu; /* its threads take turns on the CPU on which it starts */
};

struct child_result {
	int exit_status; /* 0..255; -1 when a signal ended it */
	int term_signal; /* 0 unless a signal ended it */
	bool is_timeout; /* ended by timeout_ns */
	bool is_cut;	 /* more output than max_output_bytes */
	uint64_t elapsed_ns;
	struct rusage usage; /* of the program and of all children that it waited for */
	struct strbuf out;   /* stdout */
	struct strbuf err;   /* stderr */
};

#define CHILD_RESULT_INIT ((struct child_result){ .exit_status = -1 })

void child_result_release(struct child_result *result);
CLEANUP_DEFINE(child_result, struct child_result, child_result_release)

/*
 * Starts, reads until it ended, reaps. Returns 0 when the program ran, whatever its exit status
 * or signal (look into *ret_result, which the caller releases); -ERR_SYSTEM when it could not be
 * started; -ERR_INTERRUPTED when *stop became true.
 */
int child_run(const struct child_spec *spec, struct child_result *ret_result, struct err *err);

/* child_run, and any end but exit status 0 is an error (ERR_SYSTEM) that quotes the last line of
 * stderr; `what` is the subject of the message. ret_result may be NULL. */
int child_run_checked(const struct child_spec *spec, const char *what,
		      struct child_result *ret_result, struct err *err);

/* The last line of what a program printed that is not empty; *ret_len is its length. */
const char *child_last_line(const struct strbuf *text, size_t *ret_len);

/* Full path of a program in PATH or in the folders of administrators, which are often not in the
 * PATH of users; NULL if there is none. Caller frees. */
char *child_find_program(const char *name);

/* A program that keeps running beside us, with stdout and stderr going to ours. */
struct child {
	pid_t pid; /* 0 = not running */
	uint64_t start_ns;
	struct child_guard guard;
};

int child_start(const struct child_spec *spec, struct child *ret_child, struct err *err);
/* SIGTERM to its group, SIGKILL after grace_ns, reap. Returns the wait status, or -1 when it was
 * not running. */
int child_stop(struct child *child, uint64_t grace_ns);

#endif
