/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lkp_memory: tables of the same text that were read before. */
#include "import/lkp_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "import/importer.h"
#include "model/result.h"
#include "model/result_workload.h"

/* Then it forgets all: a text of this size is no mail. */
#define MAX_SEEN (1U << 20)
#define FIRST_SLOTS 1024

#define FNV_OFFSET 0xcbf29ce484222325U
#define FNV_PRIME 0x100000001b3U

static void memory_release(void *memory)
{
	struct lkp_memory *kept = memory;

	lkp_table_release(&kept->last);
	free(kept->seen);
}

static const struct import_memory_kind memory_kind = {
	.size_bytes = sizeof(struct lkp_memory),
	.release = memory_release,
};

struct lkp_memory *lkp_memory_get(struct import_reader *in)
{
	return import_memory(in, &memory_kind);
}

/* Slot of the hash, or the free one where it belongs. */
static uint64_t *slot_of(uint64_t *slots, size_t nr_slots, uint64_t hash)
{
	size_t i = hash & (nr_slots - 1);

	while (slots[i] && slots[i] != hash)
		i = (i + 1) & (nr_slots - 1);
	return &slots[i];
}

static void make_room(struct lkp_memory *memory)
{
	size_t nr_slots = memory->nr_slots ? 2 * memory->nr_slots : FIRST_SLOTS;
	uint64_t *slots;

	if (2 * memory->nr_seen < memory->nr_slots)
		return;
	if (memory->nr_seen >= MAX_SEEN) {
		memset(memory->seen, 0, memory->nr_slots * sizeof(*memory->seen));
		memory->nr_seen = 0;
		return;
	}
	slots = xcalloc(nr_slots, sizeof(*slots));
	for (size_t i = 0; i < memory->nr_slots; i++) {
		if (memory->seen[i])
			*slot_of(slots, nr_slots, memory->seen[i]) = memory->seen[i];
	}
	free(memory->seen);
	memory->seen = slots;
	memory->nr_slots = nr_slots;
}

/* FNV-1a (Fowler, Noll & Vo), 64 bits, which begins with an offset that is taken in here. */
uint64_t lkp_hash_add(uint64_t hash, const void *data, size_t len)
{
	const unsigned char *bytes = data;

	hash ^= FNV_OFFSET;
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ bytes[i]) * FNV_PRIME;
	return hash;
}

uint64_t lkp_hash_text(uint64_t hash, const char *text)
{
	return text ? lkp_hash_add(hash, text, strlen(text) + 1) : lkp_hash_add(hash, "\1", 1);
}

bool lkp_memory_tell(struct lkp_memory *memory, uint64_t hash)
{
	uint64_t *slot;

	hash += hash == 0;
	make_room(memory);
	slot = slot_of(memory->seen, memory->nr_slots, hash);
	if (*slot)
		return false;
	*slot = hash;
	memory->nr_seen++;
	return true;
}

static char *copy_or_null(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

void lkp_memory_keep_head(struct lkp_memory *memory, const struct lkp_table *table)
{
	struct lkp_table *last = &memory->last;

	lkp_table_release(last);
	last->axes = copy_or_null(table->axes);
	last->axes_values = copy_or_null(table->axes_values);
	last->compared = copy_or_null(table->compared);
	for (size_t i = 0; i < table->nr_columns; i++)
		lkp_table_add_column(last, table->columns[i].title, table->columns[i].name,
				     table->columns[i].subject);
}

void lkp_describe(const struct lkp_table *table, const struct lkp_column *column,
		  struct result *result)
{
	if (table->axes_values) {
		result_add_env(result, RESULT_WORKLOAD_KEY, table->axes_values);
		result_add_env(result, "lkp.axes", table->axes);
	}
	if (!column)
		return;
	free(result->label);
	result->label = xstrdup(column->name);
	result_add_env(result, "lkp.commit", column->title);
	if (column->subject)
		result_add_env(result, "lkp.subject", column->subject);
}

/* Of two ways to write a commit one is the beginning of the other. */
static bool is_same_kernel(const char *a, const char *b)
{
	size_t len_a = strlen(a), len_b = strlen(b);
	size_t len = len_a < len_b ? len_a : len_b;

	if (strncmp(a, b, len) != 0)
		return false;
	return len_a == len_b || (len >= LKP_COMMIT_LEN && strspn(a, "0123456789abcdef") == len_a &&
				  strspn(b, "0123456789abcdef") == len_b);
}

const struct lkp_column *lkp_memory_find(const struct lkp_memory *memory, const char *kernel)
{
	for (size_t i = 0; i < memory->last.nr_columns; i++) {
		const struct lkp_column *column = &memory->last.columns[i];

		if (is_same_kernel(column->title, kernel) || is_same_kernel(column->name, kernel))
			return column;
	}
	return NULL;
}
