/* SPDX-License-Identifier: GPL-2.0-or-later */
/* name_list: a few names without repeats, such as the entries of a sysfs folder. */
#include "host/name_list.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

void name_list_add(struct name_list *list, const char *name)
{
	if (name_list_has(list, name))
		return;
	list->items = xreallocarray(list->items, list->nr + 1, sizeof(*list->items));
	list->items[list->nr++] = xstrdup(name);
}

bool name_list_has(const struct name_list *list, const char *name)
{
	for (size_t i = 0; i < list->nr; i++) {
		if (!strcmp(list->items[i], name))
			return true;
	}
	return false;
}

void name_list_release(struct name_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		free(list->items[i]);
	free(list->items);
	*list = NAME_LIST_INIT;
}

static int entry_is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

void name_list_add_folder(struct name_list *list, const char *path)
{
	struct dirent **entries;
	int nr = scandir(path, &entries, entry_is_visible, versionsort);

	if (nr < 0)
		return;
	for (int i = 0; i < nr; i++) {
		name_list_add(list, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}
