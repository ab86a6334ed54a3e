/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_TARGET_GUEST_JOB_H
#define REGIO_TARGET_GUEST_JOB_H

/* From a trial to what a guest is told: its plan and the modules that it needs. */

#include <jansson.h>

#include "vm/machine.h"

struct setting_list;
struct trial;

/* The plan as guest/plan.h has it, without the modules. The caller drops the reference. */
json_t *guest_job_plan(const struct trial *trial);

/* Of the stack, the same in every guest: a name that differs would cost other instructions. */
#define GUEST_PLACE "/var/tmp/regio-stack"

struct guest_modules {
	struct VEC_BODY(struct machine_module) items; /* names are constants or the trial's */
};

/* The names in `words`, which is split in place and must live as long. */
void guest_modules_add(struct guest_modules *modules, struct strbuf *words);

/* I/O schedulers and what the stack needs, as modules that may also be built in. The words of the
 * stack live in `words`. */
void guest_job_modules(const struct trial *trial, struct guest_modules *modules,
		       struct strbuf *words);

/* The path of the kernel= setting; NULL if there is none. The last one counts. */
const char *guest_job_kernel(const struct setting_list *settings);

#endif
