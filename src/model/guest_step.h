/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_GUEST_STEP_H
#define REGIO_MODEL_GUEST_STEP_H

/*
 * The steps of a script for a guest (regio-vm(1)): what the host reads and the guest does. One
 * step = one row here and one function in guest/steps.c.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum guest_step_id {
	GUEST_STEP_CAT,
	GUEST_STEP_DM,
	GUEST_STEP_DM_MESSAGE,
	GUEST_STEP_DM_REMOVE,
	GUEST_STEP_DM_STATUS,
	GUEST_STEP_ECHO,
	GUEST_STEP_JOB,
	GUEST_STEP_LS,
	GUEST_STEP_MKDIR,
	GUEST_STEP_MODPROBE,
	GUEST_STEP_MOUNT,
	GUEST_STEP_RUN,
	GUEST_STEP_SETTLE,
	GUEST_STEP_SLEEP,
	GUEST_STEP_STACK,
	GUEST_STEP_UMOUNT,
	GUEST_STEP_WRITE,
	GUEST_STEP_NR_IDS,
};

#define GUEST_STEP_ANY SIZE_MAX /* as many words as one likes */

struct guest_step_kind {
	enum guest_step_id id;
	const char *name;
	size_t min_words, max_words;
	const char *words;   /* "PATH VALUE..", for people */
	const char *summary; /* what it does */
};

/* NULL for no such step. */
const struct guest_step_kind *guest_step_find(const char *name);
/* NULL after the last, in the order of the names. */
const struct guest_step_kind *guest_step_at(size_t index);

#endif
