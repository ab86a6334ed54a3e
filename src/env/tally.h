/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENV_TALLY_H
#define REGIO_ENV_TALLY_H

/* Private to src/env: what many alike things say, such as the governors of all CPUs. */

#include <stddef.h>

#include "base/cleanup.h"

struct tally_item {
	char *value;
	size_t nr;
};

/* Zero is empty. */
struct tally {
	struct tally_item *items; /* in the order in which they came */
	size_t nr;		  /* different values */
};

void tally_add(struct tally *tally, const char *value);
/* "performance", "performance (4), powersave (2)"; NULL if nothing was added. Caller frees. */
char *tally_text(const struct tally *tally);
void tally_release(struct tally *tally);
CLEANUP_DEFINE(tally, struct tally, tally_release)

#endif
