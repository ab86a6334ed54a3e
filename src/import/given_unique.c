/* SPDX-License-Identifier: GPL-2.0-or-later */
/* given_unique: no name twice, for importers that append without looking. */
#include "import/given_unique.h"

#include <stdlib.h>

#include "base/name_index.h"
#include "model/given.h"

void given_drop_repeated(struct given_list *given)
{
	CLEANUP(name_index) struct name_index index = { .nr = 0 };
	size_t kept = 0;

	for (size_t i = 0; i < given->nr; i++) {
		if (*name_index_place(&index, given->items[i].name, i) == i) {
			given->items[kept++] = given->items[i];
			continue;
		}
		free(given->items[i].name);
		free(given->items[i].source_name);
	}
	given->nr = kept;
}
