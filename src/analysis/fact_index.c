/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fact_index: finds facts by key. What a fact means is left to others. */
#include "analysis/fact_index.h"

#include <string.h>

/* Whether value is one of "a | b | c". */
static bool has_value(const char *values, const char *value)
{
	const char separator[] = " | ";
	size_t len = strlen(value);

	for (const char *at = values; at;) {
		const char *end = strstr(at, separator);

		if ((end ? (size_t)(end - at) : strlen(at)) == len && !strncmp(at, value, len))
			return true;
		at = end ? end + strlen(separator) : NULL;
	}
	return false;
}

static void add_kind(struct fact_index *index, const char *key)
{
	const char *kind = arena_strndup(&index->arena, key, strcspn(key, "."));

	(void)name_index_place(&index->kinds, kind, 0);
}

void fact_index_add(struct fact_index *index, const char *key, const char *value)
{
	struct fact *fact = fact_index_find(index, key);

	if (!fact) {
		const char *copy = arena_strdup(&index->arena, key);

		(void)name_index_place(&index->keys, copy, index->facts.nr);
		vec_push(&index->facts, (struct fact){ .key = copy,
						       .value = arena_strdup(&index->arena, value),
						       .nr_values = 1 });
		add_kind(index, key);
		return;
	}
	if (has_value(fact->value, value))
		return;
	fact->value = arena_printf(&index->arena, "%s | %s", fact->value, value);
	fact->nr_values++;
}

struct fact *fact_index_find(const struct fact_index *index, const char *key)
{
	const size_t *place = name_index_find(&index->keys, key);

	return place ? &index->facts.items[*place] : NULL;
}

bool fact_index_has_kind(const struct fact_index *index, const char *key)
{
	char kind[64];
	size_t len = strcspn(key, ".");

	if (len >= sizeof(kind))
		return false;
	memcpy(kind, key, len);
	kind[len] = '\0';
	return name_index_find(&index->kinds, kind) != NULL;
}

void fact_index_release(struct fact_index *index)
{
	vec_release(&index->facts);
	name_index_release(&index->keys);
	name_index_release(&index->kinds);
	arena_release(&index->arena);
}
