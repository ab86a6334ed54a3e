/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_QEMU_H
#define REGIO_VM_QEMU_H

/*
 * One run of QEMU, from power on to power off. Two clocks, never mixed:
 *
 *	VM_TIME_VIRTUAL	TCG with -icount: one ns of the guest is one instruction, idle time jumps to
 *			the next timer; a run is the same to the last ns for one seed
 *	VM_TIME_REAL	KVM; the guest's time is ours
 *
 * and VM_TIME_LOOSE, TCG without -icount, for a shell: nothing is measured by it.
 *
 * Nothing is written to disk: initramfs, console and results are memory files that QEMU opens
 * through /proc, and QEMU dies with us.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/strbuf.h"

struct err;

enum vm_time { VM_TIME_VIRTUAL, VM_TIME_REAL, VM_TIME_LOOSE };

/* "virtual", "real"; not of VM_TIME_LOOSE. */
const char *vm_time_name(enum vm_time time);
/* The opposite of vm_time_name(). */
int vm_time_parse(const char *text, enum vm_time *ret_time, struct err *err);
/* The name of the clock that text means: "auto" is real where KVM works, else virtual, and real is
 * refused where it does not. Runs a tiny guest (vm/kvm.h), so once for a command. */
int vm_time_resolve(const char *text, const char **ret_name, struct err *err);

struct qemu_config {
	enum vm_time time;
	const char *vmlinux;
	const void *initramfs;
	size_t initramfs_len;
	unsigned memory_mib;
	unsigned nr_cpus;    /* VM_TIME_REAL only; virtual time has one */
	uint64_t seed;	     /* of what the guest takes for random; VM_TIME_VIRTUAL only */
	const char *append;  /* further words of the kernel's command line, or NULL */
	uint64_t timeout_ns; /* of wall time */
	const atomic_bool *stop;
	bool is_shell; /* the console is our stdin and stdout */
};

struct qemu_output {
	struct strbuf console;
	struct strbuf results; /* of the second serial port, without \r */
	char *command;	       /* as it can be typed, with the names of files in place of ours */
	uint64_t wall_ns;
	bool is_timeout;
};

void qemu_output_release(struct qemu_output *output);
CLEANUP_DEFINE(qemu_output, struct qemu_output, qemu_output_release)

/* "7.2.22 (..)" of the installed QEMU; -ERR_UNSUPPORTED where there is none. Caller frees. */
int qemu_version(char **ret_version, struct err *err);

/* 0 when the guest powered off by itself or ran into the time-out; else QEMU's own complaint. */
int qemu_run(const struct qemu_config *config, struct qemu_output *ret_output, struct err *err);

#endif
