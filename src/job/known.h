/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_KNOWN_H
#define REGIO_JOB_KNOWN_H

/* fio options without a row in keys.c. */

#include <stddef.h>

/* Names and aliases of options that fio has and regio has not; NULL-terminated. */
const char *const *known_unsupported(void);

struct known_without_effect {
	const char *name;
	const char *meant; /* what its user probably wanted; NULL = nothing comes to mind */
};

/* Options that fio itself accepts and ignores; the last name is NULL. */
const struct known_without_effect *known_without_effect(void);

#endif
