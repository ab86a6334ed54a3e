/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_HOST_NAME_LIST_H
#define REGIO_HOST_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cleanup.h"

/* Names owned by the list. Zero is empty. */
struct name_list {
	char **items;
	size_t nr;
};

#define NAME_LIST_INIT ((struct name_list){ .items = NULL })

/* Adds a copy unless the name is there already. */
void name_list_add(struct name_list *list, const char *name);
bool name_list_has(const struct name_list *list, const char *name);
void name_list_release(struct name_list *list);
CLEANUP_DEFINE(name_list, struct name_list, name_list_release)

/* Adds the entries of a folder in ascending order, without hidden ones. An absent or unreadable
 * folder has none. */
void name_list_add_folder(struct name_list *list, const char *path);

#endif
