/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds job options by name, by prefix, or by what a misspelt name resembles. */
#include "job/key_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/suggest.h"
#include "job/keys.h"
#include "job/known.h"
#include "job/number.h"

static int key_name_compare(const void *a, const void *b)
{
	return strcmp(((const struct key_name *)a)->name, ((const struct key_name *)b)->name);
}

static size_t count_names(void)
{
	size_t nr_rows;
	size_t nr_others = 0;

	(void)keys_table(&nr_rows);
	for (const char *const *name = known_unsupported(); *name; name++)
		nr_others++;
	for (const struct known_without_effect *row = known_without_effect(); row->name; row++)
		nr_others++;
	return 2 * nr_rows + nr_others; /* an alias each at most */
}

void key_index_init(struct key_index *index, struct arena *arena)
{
	struct key_name *names = arena_alloc_array(arena, count_names(), sizeof(*names));
	size_t nr_rows;
	const struct key_row *rows = keys_table(&nr_rows);
	size_t nr = 0;

	for (size_t i = 0; i < nr_rows; i++) {
		names[nr++] = (struct key_name){ .name = rows[i].info.name, .row = &rows[i] };
		if (rows[i].info.alias)
			names[nr++] =
				(struct key_name){ .name = rows[i].info.alias, .row = &rows[i] };
	}
	for (const char *const *name = known_unsupported(); *name; name++)
		names[nr++] = (struct key_name){ .name = *name };
	for (const struct known_without_effect *row = known_without_effect(); row->name; row++)
		names[nr++] = (struct key_name){ .name = row->name, .without_effect = row };
	qsort(names, nr, sizeof(*names), key_name_compare);
	*index = (struct key_index){ .names = names, .nr = nr };
}

const struct key_name *key_index_find(const struct key_index *index, const char *name)
{
	const struct key_name wanted = { .name = name };

	return bsearch(&wanted, index->names, index->nr, sizeof(*index->names), key_name_compare);
}

const struct key_name *key_index_find_prefix(const struct key_index *index, const char *name,
					     size_t *ret_nr)
{
	const struct key_name *exact = key_index_find(index, name);
	const struct key_name *found = NULL;
	const size_t len = strlen(name);

	*ret_nr = 0;
	if (exact) {
		*ret_nr = 1;
		return exact;
	}
	for (size_t i = 0; len > 0 && i < index->nr; i++) {
		const struct key_name *candidate = &index->names[i];

		if (strncmp(candidate->name, name, len) != 0)
			continue;
		if (found && found->row && found->row == candidate->row)
			continue; /* name and alias of one option */
		found = candidate;
		(*ret_nr)++;
	}
	return *ret_nr == 1 ? found : NULL;
}

int key_index_refuse(const struct key_index *index, const char *name, struct err *err)
{
	struct suggest suggest = suggest_for(name);
	struct short_text quoted;

	for (size_t i = 0; i < index->nr; i++) {
		if (!index->names[i].without_effect)
			suggest_offer(&suggest, index->names[i].name);
	}
	(void)short_text(name, &quoted);
	if (!suggest_best(&suggest))
		return err_set(err, ERR_INPUT, "unknown option '%s'", quoted.buf);
	return err_set(err, ERR_INPUT, "unknown option '%s'; did you mean '%s'?", quoted.buf,
		       suggest_best(&suggest));
}
