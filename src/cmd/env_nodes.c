/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_nodes: which facts belong to which filesystem or disk, and what lies on what. */
#include "cmd/env_show.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/result.h"

/* Length of "fs.1" in "fs.1.type" and of "disk.sda"; 0 for the keys of no node. */
static size_t node_len(const char *key)
{
	static const char *const kinds[] = { "fs.", "disk." };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t len = strlen(kinds[i]);

		if (!strncmp(key, kinds[i], len))
			return len + strcspn(key + len, ".");
	}
	return 0;
}

static struct env_node *find_node(const struct env_nodes *nodes, const char *name, size_t len)
{
	for (size_t i = 0; i < nodes->nr; i++) {
		if (strlen(nodes->items[i].name) == len &&
		    !strncmp(nodes->items[i].name, name, len))
			return &nodes->items[i];
	}
	return NULL;
}

const char *env_node_key(const struct env_node *node, const char *key)
{
	size_t len = strlen(node->name);

	return !strncmp(key, node->name, len) && key[len] == '.' ? key + len + 1 : NULL;
}

const char *env_node_value(const struct env_view *view, const struct env_node *node,
			   const char *key)
{
	for (size_t i = 0; i < view->nr; i++) {
		const char *own = env_node_key(node, view->env[i].key);

		if (own && !strcmp(own, key))
			return view->env[i].value;
	}
	return NULL;
}

const struct env_node *env_node_below(const struct env_nodes *nodes, const struct env_node *node,
				      size_t *place)
{
	while (node->on && node->on[*place]) {
		const char *name = node->on + *place;
		size_t len = strcspn(name, " ");
		const struct env_node *below = find_node(nodes, name, len);

		*place += len + (name[len] == ' ');
		if (below && below != node)
			return below;
	}
	return NULL;
}

void env_nodes_init(struct env_nodes *nodes, const struct env_view *view)
{
	*nodes = (struct env_nodes){ .nr = 0 };
	for (size_t i = 0; i < view->nr; i++) {
		const char *key = view->env[i].key;
		size_t len = node_len(key);

		if (!len || find_node(nodes, key, len))
			continue;
		nodes->items = xreallocarray(nodes->items, nodes->nr + 1, sizeof(*nodes->items));
		nodes->items[nodes->nr++] = (struct env_node){ .name = xstrndup(key, len) };
	}
	for (size_t i = 0; i < nodes->nr; i++) {
		const char *on = env_node_value(view, &nodes->items[i], "on");

		nodes->items[i].on = on ? xstrdup(on) : NULL;
	}
	for (size_t i = 0; i < nodes->nr; i++) {
		size_t place = 0;
		const struct env_node *below;

		while ((below = env_node_below(nodes, &nodes->items[i], &place)))
			nodes->items[below - nodes->items].is_below = true;
	}
}

void env_nodes_release(struct env_nodes *nodes)
{
	for (size_t i = 0; i < nodes->nr; i++) {
		free(nodes->items[i].name);
		free(nodes->items[i].on);
	}
	free(nodes->items);
	*nodes = (struct env_nodes){ .nr = 0 };
}
