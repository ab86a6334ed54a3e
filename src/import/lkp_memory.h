/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_IMPORT_LKP_MEMORY_H
#define REGIO_IMPORT_LKP_MEMORY_H

/*
 * What LKP's importers keep of a text: mails quote the same table again and again, and post the
 * raw values below the table that they belong to.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/lkp_table.h"

struct import_reader;
struct result;

struct lkp_memory {
	struct lkp_table last; /* columns and axes of the last table with titles; no rows */
	uint64_t *seen;	       /* a hash set, 0 = free */
	size_t nr_slots, nr_seen;
};

struct lkp_memory *lkp_memory_get(struct import_reader *in);

/* A hash of several things: begin with 0, add one after the other. */
uint64_t lkp_hash_add(uint64_t hash, const void *data, size_t len);
uint64_t lkp_hash_text(uint64_t hash, const char *text); /* NULL is a text of its own */

/* True if nothing with that hash was told before. */
bool lkp_memory_tell(struct lkp_memory *memory, uint64_t hash);

/* Keeps columns and axes. */
void lkp_memory_keep_head(struct lkp_memory *memory, const struct lkp_table *table);

/*
 * Label and environment of a result by a table's column. Without a column only the axes: values
 * of a kernel that the table does not have.
 */
void lkp_describe(const struct lkp_table *table, const struct lkp_column *column,
		  struct result *result);

/* The column of the last table that is this kernel, given as tag or commit; or NULL. */
const struct lkp_column *lkp_memory_find(const struct lkp_memory *memory, const char *kernel);

#endif
