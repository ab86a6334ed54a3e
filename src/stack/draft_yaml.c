/* SPDX-License-Identifier: GPL-2.0-or-later */
/* draft_yaml: layers from a YAML file: a list, or the list under the key `stack`. */
#include <string.h>
#include <yaml.h>

#include "base/err.h"
#include "stack/draft.h"

struct reader {
	struct stack_draft *draft;
	yaml_document_t *document;
};

static unsigned line_of(const yaml_node_t *node)
{
	return (unsigned)node->start_mark.line + 1;
}

static int refuse(const struct reader *reader, const yaml_node_t *node, struct err *err)
{
	(void)err_prefix(err, "%s:%u", reader->draft->stack->source, line_of(node));
	return -ERR_INPUT;
}

/* Text of a scalar; NULL for anything else and for text with NUL bytes in it. */
static const char *scalar_text(const yaml_node_t *node)
{
	const char *text = (const char *)node->data.scalar.value;

	if (node->type != YAML_SCALAR_NODE || strlen(text) != node->data.scalar.length)
		return NULL;
	return text;
}

static yaml_node_t *node_at(const struct reader *reader, int index)
{
	return yaml_document_get_node(reader->document, index);
}

/* "key: value" or "key: [value, value]". */
static int read_option(const struct reader *reader, const char *key, const yaml_node_t *value,
		       struct err *err)
{
	const char *text = scalar_text(value);

	if (text)
		return stack_draft_add_option(reader->draft, key, text, line_of(value), err);
	if (value->type != YAML_SEQUENCE_NODE) {
		(void)err_set(err, ERR_INPUT, "%s is neither a value nor a list of values", key);
		return refuse(reader, value, err);
	}
	for (const yaml_node_item_t *item = value->data.sequence.items.start;
	     item < value->data.sequence.items.top; item++) {
		const yaml_node_t *one = node_at(reader, *item);
		int ret;

		text = scalar_text(one);
		if (!text) {
			(void)err_set(err, ERR_INPUT, "%s holds something that is no value", key);
			return refuse(reader, one, err);
		}
		ret = stack_draft_add_option(reader->draft, key, text, line_of(one), err);
		if (ret < 0)
			return ret;
	}
	return 0;
}

static const yaml_node_t *mapping_value(const struct reader *reader, const yaml_node_t *mapping,
					const char *name)
{
	for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
	     pair < mapping->data.mapping.pairs.top; pair++) {
		const char *key = scalar_text(node_at(reader, pair->key));

		if (key && !strcmp(key, name))
			return node_at(reader, pair->value);
	}
	return NULL;
}

static int read_mapping(const struct reader *reader, const yaml_node_t *mapping, struct err *err)
{
	const yaml_node_t *type = mapping_value(reader, mapping, "type");
	int ret;

	if (!type || !scalar_text(type)) {
		(void)err_set(err, ERR_INPUT, "a layer needs a type, such as type: loop");
		return refuse(reader, mapping, err);
	}
	ret = stack_draft_add_layer(reader->draft, scalar_text(type), line_of(type), err);
	for (const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
	     ret == 0 && pair < mapping->data.mapping.pairs.top; pair++) {
		const yaml_node_t *name = node_at(reader, pair->key);
		const char *key = scalar_text(name);

		if (!key) {
			(void)err_set(err, ERR_INPUT, "the name of an option is not plain text");
			return refuse(reader, name, err);
		}
		if (node_at(reader, pair->value) != type)
			ret = read_option(reader, key, node_at(reader, pair->value), err);
	}
	return ret;
}

static int read_layer(const struct reader *reader, const yaml_node_t *node, struct err *err)
{
	const char *words = scalar_text(node);

	if (words)
		return stack_draft_add_words(reader->draft, words, line_of(node), err);
	if (node->type == YAML_MAPPING_NODE)
		return read_mapping(reader, node, err);
	(void)err_set(err, ERR_INPUT, "a layer is a mapping such as {type: loop, size: 2G}");
	return refuse(reader, node, err);
}

static int read_root(const struct reader *reader, struct err *err)
{
	const yaml_node_t *root = yaml_document_get_root_node(reader->document);
	int ret = 0;

	if (root && root->type == YAML_MAPPING_NODE && mapping_value(reader, root, "stack"))
		root = mapping_value(reader, root, "stack");
	if (!root || root->type != YAML_SEQUENCE_NODE)
		return err_set(err, ERR_INPUT, "%s: there is no list of layers",
			       reader->draft->stack->source);
	for (const yaml_node_item_t *item = root->data.sequence.items.start;
	     ret == 0 && item < root->data.sequence.items.top; item++)
		ret = read_layer(reader, node_at(reader, *item), err);
	return ret;
}

int stack_draft_read_yaml(struct stack_draft *draft, const char *text, size_t len, struct err *err)
{
	yaml_parser_t parser;
	yaml_document_t document;
	struct reader reader = { .draft = draft, .document = &document };
	int ret;

	if (!yaml_parser_initialize(&parser))
		return err_set(err, ERR_SYSTEM, "out of memory");
	yaml_parser_set_input_string(&parser, (const unsigned char *)(len ? text : ""), len);
	if (!yaml_parser_load(&parser, &document)) {
		ret = err_set(err, ERR_INPUT, "%s:%zu: %s%s%s", draft->stack->source,
			      parser.problem_mark.line + 1,
			      parser.problem ? parser.problem : "no YAML",
			      parser.context ? " " : "", parser.context ? parser.context : "");
	} else {
		ret = read_root(&reader, err);
		yaml_document_delete(&document);
	}
	yaml_parser_delete(&parser);
	return ret;
}
