/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_diff: compares facts as texts; what a fact means is left to the reader. */
#include "analysis/env_diff.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/config_diff.h"
#include "analysis/disk_names.h"
#include "analysis/env_rank.h"
#include "analysis/fact_index.h"
#include "base/arena.h"
#include "base/vec.h"
#include "model/result.h"

struct row_list VEC_BODY(struct env_diff_row);

/* ---- both sides by key ---- */

static void index_pairs(struct fact_index *index, const struct result_pair *pairs, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		fact_index_add(index, pairs[i].key, pairs[i].value);
}

/* The configuration that all runs of a side had; NULL if it is not known, or they had several. */
static const char *config_of(const struct env_facts *facts)
{
	const char *text = NULL;

	for (size_t i = 0; i < facts->nr_attachments; i++) {
		if (strcmp(facts->attachments[i].key, RESULT_KERNEL_CONFIG) != 0)
			continue;
		if (text && strcmp(text, facts->attachments[i].value) != 0)
			return NULL;
		text = facts->attachments[i].value;
	}
	return text;
}

/* Different texts become different options. */
static void index_configs(struct fact_index sides[2], const struct env_facts *base,
			  const struct env_facts *new)
{
	const char *texts[2] = { config_of(base), config_of(new) };

	if (!texts[0] || !texts[1] || !strcmp(texts[0], texts[1]))
		return;
	for (size_t side = 0; side < 2; side++)
		config_add_facts(texts[side], &sides[side]);
}

/* ---- rows ---- */

static void add_row(struct row_list *rows, const char *key, const struct fact *base,
		    const struct fact *new)
{
	vec_push(rows,
		 (struct env_diff_row){
			 .key = xstrdup(key),
			 .base = base ? xstrdup(base->value) : NULL,
			 .new = new ? xstrdup(new->value) : NULL,
			 .is_unsteady = (base && base->nr_values > 1) || (new &&new->nr_values > 1),
		 });
}

/* Keys of `from` that the other side has not, or with another value, or that changed meanwhile. */
static void add_rows(struct row_list *rows, const struct fact_index *from,
		     const struct fact_index sides[2], bool is_any_kind)
{
	VEC_FOREACH (&from->facts, it) {
		struct fact *base = fact_index_find(&sides[0], it->key);
		struct fact *new = fact_index_find(&sides[1], it->key);

		if (base && new &&base != it)
			continue; /* came with the base */
		if (!is_any_kind && (!fact_index_has_kind(&sides[0], it->key) ||
				     !fact_index_has_kind(&sides[1], it->key)))
			continue;
		if (base && new && !strcmp(base->value, new->value) && it->nr_values == 1)
			continue;
		add_row(rows, it->key, base, new);
	}
}

static void add_settings(struct row_list *rows, const struct env_facts *base,
			 const struct env_facts *new)
{
	struct fact_index sides[2] = { { .keys = { .nr = 0 } }, { .keys = { .nr = 0 } } };

	index_pairs(&sides[0], base->settings, base->nr_settings);
	index_pairs(&sides[1], new->settings, new->nr_settings);
	add_rows(rows, &sides[0], sides, true);
	add_rows(rows, &sides[1], sides, true);
	VEC_FOREACH (rows, row)
		row->is_meant = true;
	fact_index_release(&sides[0]);
	fact_index_release(&sides[1]);
}

/* The setting that the row follows from, NULL if there is none. */
static const char *setting_behind(const struct row_list *rows, size_t nr_settings, const char *key)
{
	for (size_t i = 0; i < nr_settings; i++) {
		if (env_follows(rows->items[i].key, key))
			return rows->items[i].key;
	}
	return NULL;
}

static bool any_kind_in_both(const struct fact_index sides[2])
{
	VEC_FOREACH (&sides[0].facts, fact) {
		if (fact_index_has_kind(&sides[1], fact->key))
			return true;
	}
	return false;
}

/* A fact with the key of a setting says what the setting leaves open: the value without it. */
static bool merge_into_setting(struct row_list *rows, size_t nr_settings,
			       const struct env_diff_row *fact)
{
	for (size_t i = 0; i < nr_settings; i++) {
		struct env_diff_row *row = &rows->items[i];

		if (strcmp(row->key, fact->key) != 0 || fact->is_unsteady)
			continue;
		if (!row->base && fact->base)
			row->base = xstrdup(fact->base);
		if (!row->new && fact->new)
			row->new = xstrdup(fact->new);
		return true;
	}
	return false;
}

static void row_release(struct env_diff_row *row)
{
	free(row->key);
	free(row->base);
	free(row->new);
}

/* Which rows of the environment follow from which setting. */
static void attribute_rows(struct row_list *rows, size_t nr_settings)
{
	size_t nr = nr_settings;

	for (size_t i = nr_settings; i < rows->nr; i++) {
		struct env_diff_row row = rows->items[i];

		if (merge_into_setting(rows, nr_settings, &row)) {
			row_release(&row);
			continue;
		}
		row.setting = setting_behind(rows, nr_settings, row.key);
		row.is_meant = row.setting && !row.is_unsteady;
		rows->items[nr++] = row;
	}
	rows->nr = nr;
}

static void add_environment(struct env_diff *diff, struct row_list *rows,
			    const struct env_facts *base, const struct env_facts *new)
{
	struct fact_index sides[2] = { { .keys = { .nr = 0 } }, { .keys = { .nr = 0 } } };
	CLEANUP(disk_names) struct disk_names names = { .nr = 0 };

	disk_names_match(&names, base->env, base->nr_env, new->env, new->nr_env);
	index_pairs(&sides[0], base->env, base->nr_env);
	for (size_t i = 0; i < new->nr_env; i++) {
		CLEANUP(free) char *key = disk_names_key(&names, new->env[i].key);
		CLEANUP(free) char *value = disk_names_value(&names, key, new->env[i].value);

		fact_index_add(&sides[1], key, value);
	}
	for (size_t i = 0; i < names.nr; i++) {
		CLEANUP(free) char *key = xasprintf("disk.%s.name", names.items[i].base);

		fact_index_add(&sides[0], key, names.items[i].base);
		fact_index_add(&sides[1], key, names.items[i].new);
	}
	index_configs(sides, base, new);
	diff->is_comparable |= any_kind_in_both(sides);
	add_rows(rows, &sides[0], sides, false);
	add_rows(rows, &sides[1], sides, false);
	fact_index_release(&sides[0]);
	fact_index_release(&sides[1]);
}

/* ---- order ---- */

struct sort_item {
	struct env_diff_row row;
	unsigned rank;
	size_t place;
};

static int sort_compare(const void *left, const void *right)
{
	const struct sort_item *a = left;
	const struct sort_item *b = right;

	if (a->row.is_meant != b->row.is_meant)
		return a->row.is_meant ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static void sort_rows(struct env_diff_row *rows, size_t nr)
{
	CLEANUP(free) struct sort_item *items = xcalloc(nr + 1, sizeof(*items));

	for (size_t i = 0; i < nr; i++)
		items[i] = (struct sort_item){ .row = rows[i],
					       .rank = env_rank(rows[i].key),
					       .place = i };
	qsort(items, nr, sizeof(*items), sort_compare);
	for (size_t i = 0; i < nr; i++)
		rows[i] = items[i].row;
}

void env_diff_init(struct env_diff *diff, const struct env_facts *base, const struct env_facts *new)
{
	struct row_list rows = VEC_INIT;

	*diff = (struct env_diff){ .nr = 0 };
	add_settings(&rows, base, new);
	diff->nr_settings = rows.nr;
	diff->is_comparable = rows.nr > 0;
	add_environment(diff, &rows, base, new);
	attribute_rows(&rows, diff->nr_settings);
	if (rows.nr > diff->nr_settings)
		sort_rows(rows.items + diff->nr_settings, rows.nr - diff->nr_settings);
	while (diff->nr_meant < rows.nr && rows.items[diff->nr_meant].is_meant)
		diff->nr_meant++;
	diff->rows = rows.items;
	diff->nr = rows.nr;
}

void env_diff_release(struct env_diff *diff)
{
	for (size_t i = 0; i < diff->nr; i++)
		row_release(&diff->rows[i]);
	free(diff->rows);
	*diff = (struct env_diff){ .nr = 0 };
}

size_t env_diff_nr_things(const struct env_diff *diff)
{
	size_t nr = 0;

	for (size_t i = 0; i < diff->nr; i++) {
		const struct env_diff_row *row = &diff->rows[i];
		size_t len = env_thing_len(row->key);
		bool is_new = !row->is_meant || i < diff->nr_settings;

		for (size_t j = 0; j < i && is_new; j++)
			is_new = env_thing_len(diff->rows[j].key) != len ||
				 strncmp(diff->rows[j].key, row->key, len) != 0;
		nr += is_new;
	}
	return nr;
}
