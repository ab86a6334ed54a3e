/* SPDX-License-Identifier: GPL-2.0-or-later */
/* disk_names: pairs disks of two sides by their place. */
#include "analysis/disk_names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "model/result.h"

#define PREFIX "disk."

/* Names in the order in which facts name them; the strings are those of the keys, with a length. */
struct name_part {
	const char *text;
	size_t len;
};

struct part_list VEC_BODY(struct name_part);

static bool part_of(const char *key, struct name_part *ret_part)
{
	if (strncmp(key, PREFIX, strlen(PREFIX)) != 0)
		return false;
	ret_part->text = key + strlen(PREFIX);
	ret_part->len = strcspn(ret_part->text, ". ");
	return ret_part->len > 0;
}

static bool has_part(const struct part_list *list, const struct name_part *part)
{
	VEC_FOREACH (list, it) {
		if (it->len == part->len && !strncmp(it->text, part->text, part->len))
			return true;
	}
	return false;
}

static void collect(struct part_list *list, const struct result_pair *pairs, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct name_part part;

		if (part_of(pairs[i].key, &part) && !has_part(list, &part))
			vec_push(list, part);
	}
}

/* The next name from *place on that the other side does not have; NULL at the end. */
static const struct name_part *next_own(const struct part_list *list, const struct part_list *other,
					size_t *place)
{
	while (*place < list->nr) {
		const struct name_part *part = &list->items[(*place)++];

		if (!has_part(other, part))
			return part;
	}
	return NULL;
}

void disk_names_match(struct disk_names *names, const struct result_pair *base, size_t nr_base,
		      const struct result_pair *new, size_t nr_new)
{
	struct part_list lists[2] = { VEC_INIT, VEC_INIT };
	size_t places[2] = { 0 };
	const struct name_part *base_part;
	const struct name_part *new_part;

	collect(&lists[0], base, nr_base);
	collect(&lists[1], new, nr_new);
	while ((base_part = next_own(&lists[0], &lists[1], &places[0])) &&
	       (new_part = next_own(&lists[1], &lists[0], &places[1]))) {
		names->items = xreallocarray(names->items, names->nr + 1, sizeof(*names->items));
		names->items[names->nr++] =
			(struct disk_name_pair){ .base = xstrndup(base_part->text, base_part->len),
						 .new = xstrndup(new_part->text, new_part->len) };
	}
	vec_release(&lists[0]);
	vec_release(&lists[1]);
}

/* What the base calls it, NULL if that is no other name. */
static const char *base_name(const struct disk_names *names, const struct name_part *part)
{
	for (size_t i = 0; i < names->nr; i++) {
		if (strlen(names->items[i].new) == part->len &&
		    !strncmp(names->items[i].new, part->text, part->len))
			return names->items[i].base;
	}
	return NULL;
}

char *disk_names_key(const struct disk_names *names, const char *key)
{
	struct name_part part;
	const char *base = part_of(key, &part) ? base_name(names, &part) : NULL;

	return base ? xasprintf(PREFIX "%s%s", base, part.text + part.len) : xstrdup(key);
}

static bool has_ending(const char *text, const char *ending)
{
	size_t len = strlen(text), ending_len = strlen(ending);

	return len >= ending_len && !strcmp(text + len - ending_len, ending);
}

/* "fs.1.on", "fs.1.source", "stack.loop": their values are names of devices. */
static bool names_devices(const char *key)
{
	return has_ending(key, ".on") || has_ending(key, ".source") ||
	       !strncmp(key, "stack.", strlen("stack."));
}

/* "disk.loop3", "/dev/loop3", "loop3" */
static char *map_word(const struct disk_names *names, const char *word)
{
	static const char *const prefixes[] = { PREFIX, "/dev/", "" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		size_t prefix_len = strlen(prefixes[i]);
		const struct name_part part = { word + prefix_len, strlen(word) - prefix_len };
		const char *base;

		if (strncmp(word, prefixes[i], prefix_len) != 0)
			continue;
		base = base_name(names, &part);
		return base ? xasprintf("%s%s", prefixes[i], base) : xstrdup(word);
	}
	return xstrdup(word);
}

char *disk_names_value(const struct disk_names *names, const char *key, const char *value)
{
	CLEANUP(strbuf) struct strbuf out = STRBUF_INIT;

	if (names->nr == 0 || !names_devices(key))
		return xstrdup(value);
	while (*value) {
		size_t len = strcspn(value, " ");
		CLEANUP(free) char *word = xstrndup(value, len);
		CLEANUP(free) char *mapped = map_word(names, word);

		strbuf_printf(&out, "%s%s", out.len ? " " : "", mapped);
		value += len + (value[len] == ' ');
	}
	return strbuf_take(&out);
}

void disk_names_release(struct disk_names *names)
{
	for (size_t i = 0; i < names->nr; i++) {
		free(names->items[i].base);
		free(names->items[i].new);
	}
	free(names->items);
	*names = (struct disk_names){ .nr = 0 };
}
