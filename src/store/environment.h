/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STORE_ENVIRONMENT_H
#define REGIO_STORE_ENVIRONMENT_H

/* Private to src/store: environments, which many runs share. */

#include <stdint.h>

struct err;
struct result;
struct store;

/* Keeps the facts, unless the store has the same, and the attachments. *ret_set is 0 for none. */
int environment_put(struct store *store, const struct result *result, int64_t *ret_set,
		    struct err *err);

/* Calls take for each fact of an environment, in order. */
int environment_each_fact(struct store *store, int64_t set,
			  void (*take)(void *context, const char *key, const char *value),
			  void *context, struct err *err);

/* Adds the facts of a run to a result that was read without them. */
int environment_get(struct store *store, int64_t run, struct result *result, struct err *err);

#endif
