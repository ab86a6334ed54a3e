/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENV_ENV_H
#define REGIO_ENV_ENV_H

/*
 * The environment of a result: what a reader asks about the machine, the kernel and the block
 * stack under a job, as KEY=VALUE facts in result->env. Collected while the settings of a trial
 * are applied, before its workers start; takes a few milliseconds. It judges nothing. Only what
 * stays the same while nobody changes it is a fact; what moves by itself is for monitors.
 *
 *	kernel.*                release, version, machine, cmdline, tainted, config_sha256 ..
 *	cpu.*                   model, nr, sockets, governor, turbo, smt, mitigation.NAME ..
 *	numa.* memory.* machine.* clocksource
 *	sysctl.NAME             of those that matter to block I/O
 *	module.NAME.PARAMETER   of the drivers in the stack
 *	regio.* library.NAME    versions
 *	fs.N.*                  a filesystem of the stack: type, mount, options, features; from 1
 *	disk.NAME.*             a whole disk: kind, driver, model, queue.NAME, iosched.NAME ..
 *	fs.N.on, disk.NAME.on   what it lies on: "fs.2", "disk.sda disk.sdb"; absent: nothing
 *
 * regio-env(1) lists them all. What cannot be read is absent, never 0 or empty. Values of bytes end
 * in _bytes, whatever unit the kernel uses; an attribute of sysfs keeps its name and text, except
 * that of a choice ("none [bfq]") only what is chosen is kept. A key that stands twice changed while
 * the job ran: before, after.
 */

#include <stdbool.h>
#include <stddef.h>

struct result;

struct env_context {
	const char *root;	  /* before /proc, /sys, ..; NULL = this machine. For tests */
	const char *const *paths; /* files, folders, devices of the job; need not exist yet */
	size_t nr_paths;
	bool all_disks; /* besides: every disk that has a size */
	bool is_brief;	/* no attachments: the texts are known from an earlier trial */
};

/* Appends facts and attachments. */
void env_collect(const struct env_context *context, struct result *result);

/*
 * After the measurement: looks again at what somebody may change meanwhile. A fact that has another
 * value now gets a second pair in result->env, and a note says so.
 */
void env_recheck(const struct env_context *context, struct result *result);

/*
 * One area = one file env_x.c + one row in env.c. Private to src/env beyond the name.
 */
struct facts;

struct env_area {
	const char *name;
	void (*collect)(struct facts *facts);
	bool is_rechecked; /* can be changed while a job runs */
};

/* Ends with NULL. */
const struct env_area *const *env_table(void);

#endif
