/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ENV_ENV_TABLE_H
#define REGIO_ENV_ENV_TABLE_H

/* Private to src/env: the rows of the table in env.c. */

#include "env/env.h"

extern const struct env_area env_kernel;
extern const struct env_area env_cpu;
extern const struct env_area env_memory;
extern const struct env_area env_machine;
extern const struct env_area env_sysctl;
extern const struct env_area env_software;
extern const struct env_area env_stack;

#endif
