/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_ANALYSIS_FACT_INDEX_H
#define REGIO_ANALYSIS_FACT_INDEX_H

/* Private to src/analysis: the facts of one side by key, with all values that its runs gave. */

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/name_index.h"
#include "base/vec.h"

struct fact {
	const char *key;
	const char *value; /* "a | b" where the runs differ */
	size_t nr_values;
	bool is_seen; /* for the user of the index */
};

struct fact_index {
	VEC(struct fact) facts; /* in the order in which the keys came first */
	struct name_index keys;
	struct name_index kinds; /* what stands before the first dot of a key */
	struct arena arena;
};

/* Zero is empty. Texts are copied. */
void fact_index_add(struct fact_index *index, const char *key, const char *value);
/* NULL if there is none. Valid until the next one is added. */
struct fact *fact_index_find(const struct fact_index *index, const char *key);
/* Whether there is any fact of the kind of that key: "disk" of "disk.sda.model". */
bool fact_index_has_kind(const struct fact_index *index, const char *key);
void fact_index_release(struct fact_index *index);
CLEANUP_DEFINE(fact_index, struct fact_index, fact_index_release)

#endif
