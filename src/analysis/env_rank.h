/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_ENV_RANK_H
#define REGIO_ANALYSIS_ENV_RANK_H

/* Private to src/analysis: what is known of facts beside their values. All of it is tables. */

#include <stdbool.h>
#include <stddef.h>

/* How much a difference in this fact is likely to matter; 0 = most. */
unsigned env_rank(const char *key);

/* Whether a change of the setting changes the fact as well: the scheduler and its parameters. */
bool env_follows(const char *setting, const char *key);

/* Length of the part of the key that names the thing that differs: all of a kernel is one thing. */
size_t env_thing_len(const char *key);

#endif
