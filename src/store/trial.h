/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STORE_TRIAL_H
#define REGIO_STORE_TRIAL_H

/* Private to src/store; the rest of trial.c is declared in store.h. */

#include <stdint.h>

struct err;
struct store;
struct store_place;

/* Inside the transaction of the run. Nothing to do for a place without a trial. */
int trial_put(struct store *store, const struct store_place *place, int64_t run, struct err *err);

#endif
