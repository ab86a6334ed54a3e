/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_BASE_NAME_INDEX_H
#define REGIO_BASE_NAME_INDEX_H

#include "base/cleanup.h"

#include <stddef.h>
#include <stdint.h>

/*
 * Finds a place by name: a hash map from strings to numbers, such as positions in an array. Names
 * are borrowed and must outlive it. Zero is a valid empty index.
 *
 *	size_t *place = name_index_place(&index, name, nr);
 *	if (*place == nr)
 *		.. name is new: append item number nr ..
 */
struct name_index_slot {
	const char *name; /* NULL = free */
	uint64_t hash;
	size_t place;
};

struct name_index {
	struct name_index_slot *slots;
	size_t nr_slots; /* a power of two, or 0 */
	size_t nr;
};

/* NULL if there is no such name. Valid until the next name is added. */
const size_t *name_index_find(const struct name_index *index, const char *name);

/* The place of name, which is first added with `place` if it is not there. */
size_t *name_index_place(struct name_index *index, const char *name, size_t place);

/* Makes the index borrow this copy of a name that it has, which then must live long. */
void name_index_rename(struct name_index *index, const char *name);

void name_index_release(struct name_index *index);
CLEANUP_DEFINE(name_index, struct name_index, name_index_release)

/* FNV-1a (Fowler, Noll & Vo), 64 bits. */
uint64_t name_hash(const char *name);

#endif
