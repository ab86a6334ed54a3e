/* SPDX-License-Identifier: GPL-2.0-or-later */
/* name_index: open addressing with linear probing; at most half of the slots are in use. */
#include "base/name_index.h"

#include "base/arena.h"

#include <string.h>

#define FIRST_SLOTS 64

uint64_t name_hash(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (const unsigned char *c = (const unsigned char *)name; *c; c++)
		hash = (hash ^ *c) * UINT64_C(0x100000001b3);
	return hash;
}

/* The slot of the name, or the free one where it belongs. There is a free one. */
static struct name_index_slot *slot_of(const struct name_index *index, const char *name,
				       uint64_t hash)
{
	size_t mask = index->nr_slots - 1;

	for (size_t i = (size_t)hash & mask;; i = (i + 1) & mask) {
		struct name_index_slot *slot = &index->slots[i];

		if (!slot->name || (slot->hash == hash && strcmp(slot->name, name) == 0))
			return slot;
	}
}

static void grow(struct name_index *index)
{
	struct name_index larger = {
		.nr_slots = index->nr_slots ? 2 * index->nr_slots : FIRST_SLOTS,
		.nr = index->nr,
	};

	larger.slots = xcalloc(larger.nr_slots, sizeof(*larger.slots));
	for (size_t i = 0; i < index->nr_slots; i++) {
		const struct name_index_slot *slot = &index->slots[i];

		if (slot->name)
			*slot_of(&larger, slot->name, slot->hash) = *slot;
	}
	free(index->slots);
	*index = larger;
}

const size_t *name_index_find(const struct name_index *index, const char *name)
{
	const struct name_index_slot *slot;

	if (index->nr == 0)
		return NULL;
	slot = slot_of(index, name, name_hash(name));
	return slot->name ? &slot->place : NULL;
}

size_t *name_index_place(struct name_index *index, const char *name, size_t place)
{
	uint64_t hash = name_hash(name);
	struct name_index_slot *slot;

	if (2 * (index->nr + 1) > index->nr_slots)
		grow(index);
	slot = slot_of(index, name, hash);
	if (!slot->name) {
		*slot = (struct name_index_slot){ .name = name, .hash = hash, .place = place };
		index->nr++;
	}
	return &slot->place;
}

void name_index_rename(struct name_index *index, const char *name)
{
	struct name_index_slot *slot;

	if (index->nr == 0)
		return;
	slot = slot_of(index, name, name_hash(name));
	if (slot->name)
		slot->name = name;
}

void name_index_release(struct name_index *index)
{
	free(index->slots);
	*index = (struct name_index){ .nr = 0 };
}
