/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draft_yaml: layers from a YAML file: a list, or the list under the key `stack`. */
#include <string.h>

#include "base/err.h"
#include "model/yaml_tree.h"
#include "stack/draft.h"

static int refuse(const struct stack_draft *draft, const struct yaml_node *node, struct err *err)
{
	(void)err_prefix(err, "%s:%u", draft->stack->source, node->line);
	return -ERR_INPUT;
}

/* "key: value" or "key: [value, value]". */
static int read_option(struct stack_draft *draft, const char *key, const struct yaml_node *value,
		       struct err *err)
{
	int ret = 0;

	if (value->kind == YAML_TEXT)
		return stack_draft_add_option(draft, key, value->text, value->line, err);
	if (value->kind != YAML_LIST) {
		(void)err_set(err, ERR_INPUT, "%s is neither a value nor a list of values", key);
		return refuse(draft, value, err);
	}
	for (size_t i = 0; ret == 0 && i < value->nr; i++) {
		const struct yaml_node *item = &value->items[i];

		if (item->kind != YAML_TEXT) {
			(void)err_set(err, ERR_INPUT, "%s holds something that is no value", key);
			return refuse(draft, item, err);
		}
		ret = stack_draft_add_option(draft, key, item->text, item->line, err);
	}
	return ret;
}

static int read_mapping(struct stack_draft *draft, const struct yaml_node *map, struct err *err)
{
	const struct yaml_node *type = yaml_tree_find(map, "type");
	int ret;

	if (!type || type->kind != YAML_TEXT) {
		(void)err_set(err, ERR_INPUT, "a layer needs a type, such as type: loop");
		return refuse(draft, map, err);
	}
	ret = stack_draft_add_layer(draft, type->text, type->line, err);
	for (size_t i = 0; ret == 0 && i < map->nr; i++) {
		if (&map->items[i] != type)
			ret = read_option(draft, map->keys[i].text, &map->items[i], err);
	}
	return ret;
}

static int read_layer(struct stack_draft *draft, const struct yaml_node *node, struct err *err)
{
	if (node->kind == YAML_TEXT)
		return stack_draft_add_words(draft, node->text, node->line, err);
	if (node->kind == YAML_MAP)
		return read_mapping(draft, node, err);
	(void)err_set(err, ERR_INPUT, "a layer is a mapping such as {type: loop, size: 2G}");
	return refuse(draft, node, err);
}

int stack_draft_read_yaml(struct stack_draft *draft, const char *text, size_t len, struct err *err)
{
	const struct yaml_text file = { .name = draft->stack->source, .text = text, .len = len };
	const struct yaml_node *root;
	struct yaml_node *documents;
	size_t nr = 0;
	int ret = yaml_tree_read(&file, &draft->stack->arena, &documents, &nr, err);

	if (ret < 0)
		return ret;
	root = nr ? &documents[0] : NULL;
	if (root && root->kind == YAML_MAP && yaml_tree_find(root, "stack"))
		root = yaml_tree_find(root, "stack");
	if (!root || root->kind != YAML_LIST)
		return err_set(err, ERR_INPUT, "%s: there is no list of layers",
			       draft->stack->source);
	if (nr > 1) {
		(void)err_set(err, ERR_INPUT, "a second document: a stack is one");
		return refuse(draft, &documents[1], err);
	}
	for (size_t i = 0; ret == 0 && i < root->nr; i++)
		ret = read_layer(draft, &root->items[i], err);
	return ret;
}
