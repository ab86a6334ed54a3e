/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_STORE_SPARSE_H
#define REGIO_STORE_SPARSE_H

/*
 * Private to src/store. A histogram as a short string of bytes: for each bucket in use the
 * distance from the bucket before (for the first one its index) and the count, both LEB128.
 */

#include <stddef.h>

struct hist;
struct strbuf;

/* Appends to out. */
void sparse_encode(const struct hist *hist, struct strbuf *out);
/* Adds the counts to *into. 0, or -1 when the bytes are not such a string. */
int sparse_decode(const void *data, size_t len, struct hist *into);

#endif
