/* SPDX-License-Identifier: GPL-2.0-or-later */
/* given: lists of numbers that another program counted. Adding up those of jobs is given_sum. */
#include "model/given.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

#define FIRST_ITEMS 16

static void metric_release(struct given_metric *metric)
{
	free(metric->name);
	free(metric->source_name);
}

struct given_metric *given_append(struct given_list *list, const char *name, double value,
				  unsigned line)
{
	/* The capacity is always the next power of two, and FIRST_ITEMS at least. */
	if (!list->nr)
		list->items = xreallocarray(list->items, FIRST_ITEMS, sizeof(*list->items));
	else if (list->nr >= FIRST_ITEMS && !(list->nr & (list->nr - 1)))
		list->items = xreallocarray(list->items, 2 * list->nr, sizeof(*list->items));
	list->items[list->nr] = (struct given_metric){
		.name = xstrdup(name),
		.value = value,
		.line = line,
		.stddev_percent = NAN,
		.change = NAN,
	};
	return &list->items[list->nr++];
}

struct given_metric *given_set(struct given_list *list, const char *name, double value,
			       unsigned line)
{
	struct given_metric *found = (struct given_metric *)given_find(list, name);

	if (!found)
		return given_append(list, name, value, line);
	free(found->source_name);
	*found = (struct given_metric){
		.name = found->name,
		.value = value,
		.line = line,
		.stddev_percent = NAN,
		.change = NAN,
	};
	return found;
}

const struct given_metric *given_find(const struct given_list *list, const char *name)
{
	for (size_t i = 0; i < list->nr; i++) {
		const char *other = list->items[i].name;

		if (*other == *name && !strcmp(other, name))
			return &list->items[i];
	}
	return NULL;
}

int given_remove(struct given_list *list, const char *name)
{
	struct given_metric *found = (struct given_metric *)given_find(list, name);
	size_t after;

	if (!found)
		return 0;
	metric_release(found);
	after = list->nr - (size_t)(found - list->items) - 1;
	memmove(found, found + 1, after * sizeof(*found));
	list->nr--;
	return 1;
}

void given_list_release(struct given_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		metric_release(&list->items[i]);
	free(list->items);
	*list = (struct given_list){ .items = NULL };
}
