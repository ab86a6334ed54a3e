/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_COMPARE_ENV_H
#define REGIO_CMD_COMPARE_ENV_H

#include <jansson.h>
#include <stddef.h>

struct compare;
struct doc;
struct env_diff;

/* What differs between the base and the side of that index (1 or 2). Release it. */
void compare_env_diff(const struct compare *compare, size_t side, struct env_diff *ret_diff);

/* The same as a table with a heading; nothing where nothing differs. Number of rows. */
size_t compare_add_environment(const struct compare *compare, size_t side, struct doc *doc);

/* The differences of all sides, one object each. The caller owns the array. */
json_t *compare_environment_json(const struct compare *compare);

#endif
