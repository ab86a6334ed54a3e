/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_VM_OPTIONS_H
#define REGIO_CMD_VM_OPTIONS_H

/* The options of guests, for commands that run trials and for `regio vm`. */

#include <stdbool.h>
#include <stdint.h>

#include "base/args.h"
#include "target/target.h"

struct err;
struct job_set;

struct vm_options {
	const char *time;
	const char *append;
	uint64_t timeout_ns;
	unsigned memory_mib;
	unsigned nr_cpus;
	unsigned nr_warmups;
	unsigned nr_seeds; /* of `ab` in virtual time */
};

#define VM_OPTIONS_INIT                                                                            \
	{                                                                                          \
		.time = "auto", .timeout_ns = 300000000000U, .memory_mib = 1024, .nr_cpus = 1,     \
		.nr_warmups = 1, .nr_seeds = 5                                                     \
	}

#define VM_OPTION_ROWS(config_type, field)                                                         \
	{ .name = "time",                                                                          \
	  .type = ARG_STRING,                                                                      \
	  .offset = offsetof(config_type, field.time),                                             \
	  .value_name = "CLOCK",                                                                   \
	  .help = "of a guest: virtual, real, auto (real where KVM works)" },                      \
		{ .name = "vm-memory",                                                             \
		  .type = ARG_UNSIGNED,                                                            \
		  .offset = offsetof(config_type, field.memory_mib),                               \
		  .value_name = "MIB",                                                             \
		  .help = "memory of a guest (default 1024)" },                                    \
		{ .name = "vm-cpus",                                                               \
		  .type = ARG_UNSIGNED,                                                            \
		  .offset = offsetof(config_type, field.nr_cpus),                                  \
		  .value_name = "N",                                                               \
		  .help = "CPUs of a guest in real time (default 1)" },                            \
		{ .name = "vm-append",                                                             \
		  .type = ARG_STRING,                                                              \
		  .offset = offsetof(config_type, field.append),                                   \
		  .value_name = "WORDS",                                                           \
		  .help = "more words for the guest kernel's command line" },                      \
	{                                                                                          \
		.name = "vm-timeout", .type = ARG_DURATION,                                        \
		.offset = offsetof(config_type, field.timeout_ns), .value_name = "TIME",           \
		.help = "end a guest after TIME of ours (default 5m)"                              \
	}

/*
 * Chooses the clock of --time by the target of --on, for a command that decides otherwise in
 * virtual time: options->time is then what vm_time_resolve() says. -ERR_USAGE for a clock where
 * there is no guest.
 */
int vm_options_choose(const char *target, struct vm_options *options, bool *ret_is_virtual,
		      struct err *err);

/* --time for a target without guests. */
int vm_options_refuse_time(const struct vm_options *options, struct err *err);

/* Warns of the first job that runs for a time in virtual time, which may take hours of ours. */
void vm_options_warn(const struct job_set *jobs, const char *time);

/* What a trial is told; the guest of trial seed_nr takes other things for random than the next.
 * time: as vm_time_resolve() says. */
struct trial_vm vm_options_trial(const struct vm_options *options, const char *time,
				 uint64_t seed_nr);

#endif
