/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TESTS_UNIT_ENGINE_FAULTS_H
#define REGIO_TESTS_UNIT_ENGINE_FAULTS_H

/*
 * System calls that fail on demand, without replacing any library: a seccomp filter on one thread
 * hands the chosen call to a supervisor, which answers with an error or lets it pass.
 */

#include <stdbool.h>

struct fault {
	long syscall_nr;
	int error;
	unsigned nr; /* the first so many calls fail, later ones pass */
};

struct fault_count {
	unsigned nr_calls; /* of that system call */
	unsigned nr_failed;
};

/*
 * Runs body(arg) in a thread of its own under the fault; it must not use cmocka's asserts.
 * Returns false if the kernel offers no such filter (nothing ran).
 */
bool faults_run(const struct fault *fault, void (*body)(void *arg), void *arg,
		struct fault_count *ret_count);

#endif
