/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_json: an environment for programs, schema regio.env. */
#include <string.h>

#include "cmd/env_show.h"
#include "cmd/report_json.h"
#include "model/result.h"

#define ENV_JSON_VERSION 1
#define MAX_DEPTH 32

/* A fact that runs gave several values is an array of them. */
static void add_value(json_t *object, const char *key, const char *value)
{
	json_t *there = json_object_get(object, key);

	if (!there) {
		(void)json_object_set_new(object, key, report_text(value));
	} else if (json_is_array(there)) {
		(void)json_array_append_new(there, report_text(value));
	} else {
		json_t *both = json_array();

		(void)json_array_append(both, there);
		(void)json_array_append_new(both, report_text(value));
		(void)json_object_set_new(object, key, both);
	}
}

static json_t *node_json(const struct env_view *view, const struct env_nodes *nodes,
			 const struct env_node *node, unsigned depth)
{
	json_t *object = json_pack("{s:o}", "node", report_text(node->name));
	json_t *facts = json_object();
	json_t *on = json_array();
	const struct env_node *below;
	size_t place = 0;

	for (size_t i = 0; i < view->nr; i++) {
		const char *key = env_node_key(node, view->env[i].key);

		if (key && strcmp(key, "on") != 0)
			add_value(facts, key, view->env[i].value);
	}
	while (depth < MAX_DEPTH && (below = env_node_below(nodes, node, &place)))
		(void)json_array_append_new(on, node_json(view, nodes, below, depth + 1));
	(void)json_object_set_new(object, "facts", facts);
	(void)json_object_set_new(object, "on", on);
	return object;
}

json_t *env_show_json(const struct env_view *view, const char *of)
{
	json_t *root = json_pack("{s:s, s:i, s:o}", "schema", "regio.env", "version",
				 ENV_JSON_VERSION, "of", report_text(of));
	json_t *facts = json_object();
	json_t *stack = json_array();
	CLEANUP(env_nodes) struct env_nodes nodes = { .nr = 0 };

	env_nodes_init(&nodes, view);
	for (size_t i = 0; i < view->nr; i++) {
		if (strncmp(view->env[i].key, "fs.", 3) != 0 &&
		    strncmp(view->env[i].key, "disk.", 5) != 0)
			add_value(facts, view->env[i].key, view->env[i].value);
	}
	for (size_t i = 0; i < nodes.nr; i++) {
		if (!nodes.items[i].is_below)
			(void)json_array_append_new(stack,
						    node_json(view, &nodes, &nodes.items[i], 0));
	}
	(void)json_object_set_new(root, "facts", facts);
	(void)json_object_set_new(root, "stack", stack);
	return root;
}
