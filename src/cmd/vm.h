/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_VM_H
#define REGIO_CMD_VM_H

/* What `regio vm` was asked for, and its verbs: one row in cmd_vm.c and one function each. */

#include <stdbool.h>
#include <stdint.h>

#include "base/args.h"
#include "cmd/vm_options.h"

struct doc;
struct err;
struct machine_config;

struct vm_config {
	struct vm_options vm;
	const char *dir;
	const char *stack;
	uint64_t seed;
	uint64_t max_bytes;
	bool unpack;
	bool json;
	bool is_help;
};

#define VM_KEEP_ALL UINT64_MAX

/* words: as typed behind `regio vm`, the verb first. */
int vm_boot(const struct vm_config *config, const struct arg_list *words, struct err *err);
int vm_cache(const struct vm_config *config, const struct arg_list *words, struct err *err);
int vm_fetch(const struct vm_config *config, const struct arg_list *words, struct err *err);
int vm_run(const struct vm_config *config, const struct arg_list *words, struct err *err);
int vm_shell(const struct vm_config *config, const struct arg_list *words, struct err *err);

/* ---- what they share ---- */

/* As text on stdout; frees it. */
int vm_print(struct doc *doc, struct err *err);
/* The machine that the options describe, without kernel and plan. */
int vm_configure(const struct vm_config *config, struct machine_config *ret_machine,
		 struct err *err);

#endif
