/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_JOB_KEYS_H
#define REGIO_JOB_KEYS_H

/* The table of job options. Adding one: its field in model/job.h and its row in keys.c. */

#include <stdbool.h>
#include <stddef.h>

#include "job/key.h"

#define JOB_MAX_CLONES 65536 /* of all jobs together; Linux runs at most about 32,000 threads */

const struct key_row *keys_table(size_t *ret_nr);

/* Whether jobs of that engine have the option. */
bool key_is_of_engine(const struct key_row *row, const char *engine);

#endif
