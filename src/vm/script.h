/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_VM_SCRIPT_H
#define REGIO_VM_SCRIPT_H

/*
 * A script for a guest: one step a line, words separated by blanks, 'single' and "double" quotes
 * around what is one word, # before a remark. A '-' in front of a step: go on when it fails.
 */

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/vec.h"
#include "model/guest_step.h"

struct err;

#define SCRIPT_MAX_BYTES (1U << 20)
#define SCRIPT_MAX_STEPS 10000

struct script_step {
	const struct guest_step_kind *kind;
	unsigned line;
	bool may_fail;
	const char **words; /* behind the name of the step */
	size_t nr_words;
};

struct script {
	struct arena arena;
	const char *source; /* file name */
	struct script_steps VEC_BODY(struct script_step) steps;
};

/* -ERR_INPUT with file and line of the mistake. */
int script_parse(const char *source, const char *text, size_t len, struct script *ret_script,
		 struct err *err);
void script_release(struct script *script);
CLEANUP_DEFINE(script, struct script, script_release)

/* "FILE:LINE: " in front of the message. Returns -ERR_INPUT. */
int script_refuse(const struct script *script, const struct script_step *step, struct err *err);

/* The step as it can be written again, without its '-'. In the arena. */
const char *script_step_text(struct script *script, const struct script_step *step);

/* For the plan of a guest: what guest/plan.h calls steps. */
json_t *script_plan(const struct script *script);

#endif
