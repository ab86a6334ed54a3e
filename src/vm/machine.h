/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_MACHINE_H
#define REGIO_VM_MACHINE_H

/* One guest from kernel and plan to what it reported. */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "vm/kernel.h"
#include "vm/qemu.h"

struct err;

struct machine_module {
	const char *name;   /* or an alias */
	const char *params; /* "" = none */
	/* A missing one is passed over: the guest says so where it turns out to be needed. */
	bool is_optional;
};

#define MACHINE_DEFAULT_TIMEOUT_NS (300 * UINT64_C(1000000000))

struct machine_config {
	const struct kernel *kernel;
	enum vm_time time;
	unsigned memory_mib;
	unsigned nr_cpus; /* 0 = 1 */
	uint64_t seed;
	uint64_t timeout_ns; /* 0 = default */
	const char *append;
	const atomic_bool *stop;
	/* What only has to be there, with what it depends on, for the guest to load it itself. */
	const struct machine_module *spare_modules;
	size_t nr_spare_modules;
	const char *programs; /* of this machine, for the guest to run; names, blanks between */
	const char *shell;    /* path of a static busybox, for plans with a shell; or NULL */
	const json_t *plan;   /* what guest/plan.h says, but for the modules */
};

struct machine_report {
	json_t *events; /* array of objects, in order */
	struct qemu_output qemu;
};

void machine_report_release(struct machine_report *report);
CLEANUP_DEFINE(machine_report, struct machine_report, machine_report_release)

/*
 * Boots, waits, reads. An error when the guest reported one, did not reach its end (panic, hang,
 * out of memory), or QEMU failed; the message has the last words of the console. ret_report may be
 * looked at and must be released in any case.
 */
int machine_run(const struct machine_config *config, struct machine_report *ret_report,
		struct err *err);

/* The first event of that name, borrowed; NULL if there was none. */
const json_t *machine_event(const struct machine_report *report, const char *name);

#endif
