/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STORE_PUT_H
#define REGIO_STORE_PUT_H

/* Private to src/store; the rest of put.c is declared in store.h. */

/* Completes "cannot ..". */
#define PUT_WHAT "keep the result"

struct err;
struct result;
struct store;

/* Prepares the statements, so that a damaged schema is found before anything is measured. */
/* "FILE:LINE" that a result was imported from, else "". Caller frees. */
char *store_source(const struct result *result);

int put_prepare(struct store *store, struct err *err);

#endif
