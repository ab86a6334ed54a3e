/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_diff: compares facts as texts; what a fact means is left to the reader. */
#include "analysis/env_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "model/result.h"

struct row_list VEC_BODY(struct env_diff_row);

/* One list of pairs. */
struct pairs {
	const struct result_pair *items;
	size_t nr;
};

static struct pairs env_of(const struct env_facts *facts)
{
	return (struct pairs){ facts->env, facts->nr_env };
}

static struct pairs settings_of(const struct env_facts *facts)
{
	return (struct pairs){ facts->settings, facts->nr_settings };
}

/* All values of a key, "a | b"; NULL if there is none. Caller frees. */
static char *values_of(struct pairs pairs, const char *key)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;
	bool is_found = false;

	for (size_t i = 0; i < pairs.nr; i++) {
		if (strcmp(pairs.items[i].key, key) != 0)
			continue;
		strbuf_printf(&out, "%s%s", is_found ? " | " : "", pairs.items[i].value);
		is_found = true;
	}
	return is_found ? strbuf_take(&out) : NULL;
}

static size_t kind_len(const char *key)
{
	return strcspn(key, ".");
}

/* Whether a list has any key of the same kind: "disk" of "disk.sda.queue.scheduler". */
static bool has_kind(struct pairs pairs, const char *key)
{
	size_t len = kind_len(key);

	for (size_t i = 0; i < pairs.nr; i++) {
		if (kind_len(pairs.items[i].key) == len && !strncmp(pairs.items[i].key, key, len))
			return true;
	}
	return false;
}

static bool has_row(const struct row_list *rows, const char *key)
{
	VEC_FOREACH (rows, row) {
		if (!strcmp(row->key, key))
			return true;
	}
	return false;
}

/* Adds the key if its values differ. */
static void add_key(struct row_list *rows, const char *key, struct pairs base, struct pairs new,
		    bool is_meant)
{
	CLEANUP(free) char *base_value = NULL;
	CLEANUP(free) char *new_value = NULL;

	if (has_row(rows, key))
		return;
	base_value = values_of(base, key);
	new_value = values_of(new, key);
	if (base_value && new_value && !strcmp(base_value, new_value))
		return;
	vec_push(rows, (struct env_diff_row){ .key = xstrdup(key),
					      .base = ptr_take(base_value),
					      .new = ptr_take(new_value),
					      .is_meant = is_meant });
}

/* Whether the key ends with the name of a setting that differs: disk.sda.queue.scheduler. */
static bool follows_setting(const struct row_list *rows, size_t nr_settings, const char *key)
{
	size_t len = strlen(key);

	for (size_t i = 0; i < nr_settings; i++) {
		const char *setting = rows->items[i].key;
		size_t setting_len = strcspn(setting, "@");

		if (len > setting_len && key[len - setting_len - 1] == '.' &&
		    !strncmp(key + len - setting_len, setting, setting_len))
			return true;
	}
	return false;
}

static void add_settings(struct row_list *rows, const struct env_facts *base,
			 const struct env_facts *new)
{
	for (size_t i = 0; i < base->nr_settings; i++)
		add_key(rows, base->settings[i].key, settings_of(base), settings_of(new), true);
	for (size_t i = 0; i < new->nr_settings; i++)
		add_key(rows, new->settings[i].key, settings_of(base), settings_of(new), true);
}

/* Rows for keys of `from` that the other side may be asked about. */
static void add_env(struct env_diff *diff, struct row_list *rows, struct pairs from,
		    const struct pairs sides[2])
{
	for (size_t i = 0; i < from.nr; i++) {
		const char *key = from.items[i].key;

		if (!has_kind(sides[0], key) || !has_kind(sides[1], key))
			continue;
		diff->is_comparable = true;
		add_key(rows, key, sides[0], sides[1],
			follows_setting(rows, diff->nr_settings, key));
	}
}

void env_diff_init(struct env_diff *diff, const struct env_facts *base, const struct env_facts *new)
{
	const struct pairs sides[2] = { env_of(base), env_of(new) };
	struct row_list rows = VEC_INIT;

	*diff = (struct env_diff){ .nr = 0 };
	add_settings(&rows, base, new);
	diff->nr_settings = rows.nr;
	diff->is_comparable = rows.nr > 0;
	add_env(diff, &rows, sides[0], sides);
	add_env(diff, &rows, sides[1], sides);
	diff->rows = rows.items;
	diff->nr = rows.nr;
}

void env_diff_release(struct env_diff *diff)
{
	for (size_t i = 0; i < diff->nr; i++) {
		free(diff->rows[i].key);
		free(diff->rows[i].base);
		free(diff->rows[i].new);
	}
	free(diff->rows);
	*diff = (struct env_diff){ .nr = 0 };
}

/* What a key is about: "kernel", "disk.sda", "job.iodepth". */
static size_t thing_len(const char *key)
{
	size_t len = kind_len(key);

	if (!strncmp(key, "kernel.", 7) || !strncmp(key, "tool.", 5) || !strncmp(key, "cpu.", 4))
		return len;
	return strlen(key);
}

size_t env_diff_nr_things(const struct env_diff *diff)
{
	size_t nr = 0;

	for (size_t i = 0; i < diff->nr; i++) {
		const struct env_diff_row *row = &diff->rows[i];
		size_t len = thing_len(row->key);
		bool is_new = !row->is_meant || i < diff->nr_settings;

		for (size_t j = 0; j < i && is_new; j++)
			is_new = thing_len(diff->rows[j].key) != len ||
				 strncmp(diff->rows[j].key, row->key, len) != 0;
		nr += is_new;
	}
	return nr;
}
