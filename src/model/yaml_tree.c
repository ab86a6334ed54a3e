/* SPDX-License-Identifier: GPL-2.0-or-later */
/* yaml_tree: libyaml's events as a tree. What a tree means is left to its readers. */
#include "model/yaml_tree.h"

#include <string.h>
#include <yaml.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/name_index.h"
#include "base/vec.h"

struct tree_reader {
	const struct yaml_text *text;
	struct arena *arena;
	yaml_parser_t parser;
	size_t nr_nodes;
	struct err *err;
};

/* A collection while it is being read. */
struct children {
	struct children_items VEC_BODY(struct yaml_node) items;
	struct children_keys VEC_BODY(struct yaml_node) keys;
	struct name_index seen;
};

static int refuse(const struct tree_reader *reader, size_t line, const char *what)
{
	return err_set(reader->err, ERR_INPUT, "%s:%zu: %s", reader->text->name, line, what);
}

/* libyaml's reasons, with the place. */
static int refuse_syntax(const struct tree_reader *reader)
{
	const yaml_parser_t *parser = &reader->parser;
	const char *problem = parser->problem ? parser->problem : "not YAML";

	if (parser->error == YAML_MEMORY_ERROR)
		return err_set(reader->err, ERR_SYSTEM, "out of memory");
	if (parser->error == YAML_READER_ERROR) /* it knows only the offset */
		return err_set(reader->err, ERR_INPUT, "%s:%zu: %s at byte %zu", reader->text->name,
			       parser->mark.line + 1, problem, parser->problem_offset);
	return err_set(reader->err, ERR_INPUT, "%s:%zu: %s", reader->text->name,
		       parser->problem_mark.line + 1, problem);
}

static int next_event(struct tree_reader *reader, yaml_event_t *ret_event)
{
	if (!yaml_parser_parse(&reader->parser, ret_event))
		return refuse_syntax(reader);
	return 0;
}

static int read_node(struct tree_reader *reader, const yaml_event_t *event, unsigned depth,
		     struct yaml_node *ret);

static int read_text(struct tree_reader *reader, const yaml_event_t *event, struct yaml_node *ret)
{
	const char *value = (const char *)event->data.scalar.value;

	if (strlen(value) != event->data.scalar.length)
		return refuse(reader, event->start_mark.line + 1, "a text with a NUL byte");
	ret->kind = YAML_TEXT;
	ret->text = arena_strdup(reader->arena, value);
	ret->is_plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	return 0;
}

static int add_child(struct tree_reader *reader, struct children *children, enum yaml_kind kind,
		     const struct yaml_node *node)
{
	size_t place = children->keys.nr;

	if (kind == YAML_LIST || children->keys.nr > children->items.nr) {
		vec_push(&children->items, *node);
		return 0;
	}
	if (node->kind != YAML_TEXT)
		return refuse(reader, node->line, "a key that is no text");
	if (*name_index_place(&children->seen, node->text, place) != place)
		return err_set(reader->err, ERR_INPUT, "%s:%u: '%s' stands twice in one mapping",
			       reader->text->name, node->line, node->text);
	vec_push(&children->keys, *node);
	return 0;
}

static int read_children(struct tree_reader *reader, enum yaml_kind kind, unsigned depth,
			 struct children *children)
{
	const yaml_event_type_t end =
		kind == YAML_LIST ? YAML_SEQUENCE_END_EVENT : YAML_MAPPING_END_EVENT;

	for (;;) {
		struct yaml_node node = { .kind = YAML_TEXT };
		yaml_event_t event;
		bool is_end;
		int ret = next_event(reader, &event);

		if (ret < 0)
			return ret;
		is_end = event.type == end;
		if (!is_end)
			ret = read_node(reader, &event, depth + 1, &node);
		yaml_event_delete(&event);
		if (is_end || ret < 0)
			return ret;
		ret = add_child(reader, children, kind, &node);
		if (ret < 0)
			return ret;
	}
}

static int read_collection(struct tree_reader *reader, enum yaml_kind kind, unsigned depth,
			   struct yaml_node *ret)
{
	struct children children = { .seen = { .nr = 0 } };
	int result = read_children(reader, kind, depth, &children);

	ret->kind = kind;
	ret->nr = children.items.nr;
	if (result == 0 && ret->nr) {
		ret->items = arena_memdup(reader->arena, children.items.items,
					  ret->nr * sizeof(*ret->items));
		if (kind == YAML_MAP)
			ret->keys = arena_memdup(reader->arena, children.keys.items,
						 ret->nr * sizeof(*ret->keys));
	}
	vec_release(&children.items);
	vec_release(&children.keys);
	name_index_release(&children.seen);
	return result;
}

static int read_node(struct tree_reader *reader, const yaml_event_t *event, unsigned depth,
		     struct yaml_node *ret)
{
	size_t line = event->start_mark.line + 1;

	ret->line = (unsigned)line;
	if (depth > YAML_MAX_DEPTH)
		return refuse(reader, line, "nested too deeply");
	if (++reader->nr_nodes > YAML_MAX_NODES)
		return refuse(reader, line, "more than a million values");
	switch (event->type) {
	case YAML_SCALAR_EVENT:
		if (event->data.scalar.anchor)
			break;
		return read_text(reader, event, ret);
	case YAML_SEQUENCE_START_EVENT:
		if (event->data.sequence_start.anchor)
			break;
		return read_collection(reader, YAML_LIST, depth, ret);
	case YAML_MAPPING_START_EVENT:
		if (event->data.mapping_start.anchor)
			break;
		return read_collection(reader, YAML_MAP, depth, ret);
	default:
		break;
	}
	return refuse(reader, line, "anchors and aliases ('&x', '*x') are not supported");
}

static int read_stream(struct tree_reader *reader, struct children *documents)
{
	for (;;) {
		struct yaml_node node = { .kind = YAML_TEXT };
		yaml_event_t event;
		bool is_end, is_content;
		int ret = next_event(reader, &event);

		if (ret < 0)
			return ret;
		is_end = event.type == YAML_STREAM_END_EVENT;
		is_content = !is_end && event.type != YAML_STREAM_START_EVENT &&
			     event.type != YAML_DOCUMENT_START_EVENT &&
			     event.type != YAML_DOCUMENT_END_EVENT;
		if (is_content)
			ret = read_node(reader, &event, 0, &node);
		if (ret == 0 && is_content && documents->items.nr == YAML_MAX_DOCUMENTS)
			ret = refuse(reader, node.line, "too many documents");
		yaml_event_delete(&event);
		if (is_end || ret < 0)
			return ret;
		if (is_content && !(node.kind == YAML_TEXT && !*node.text))
			vec_push(&documents->items, node);
	}
}

int yaml_tree_read(const struct yaml_text *text, struct arena *arena,
		   struct yaml_node **ret_documents, size_t *ret_nr, struct err *err)
{
	struct tree_reader reader = { .text = text, .arena = arena, .err = err };
	struct children documents = { .seen = { .nr = 0 } };
	int ret;

	if (text->len > YAML_MAX_BYTES)
		return err_set(err, ERR_INPUT, "%s: larger than %u MiB", text->name,
			       YAML_MAX_BYTES >> 20);
	if (!yaml_parser_initialize(&reader.parser))
		return err_set(err, ERR_SYSTEM, "out of memory");
	yaml_parser_set_input_string(
		&reader.parser, (const unsigned char *)(text->len ? text->text : ""), text->len);
	ret = read_stream(&reader, &documents);
	yaml_parser_delete(&reader.parser);
	if (ret == 0) {
		*ret_nr = documents.items.nr;
		*ret_documents =
			documents.items.nr
				? arena_memdup(arena, documents.items.items,
					       documents.items.nr * sizeof(*documents.items.items))
				: NULL;
	}
	vec_release(&documents.items);
	return ret;
}

const struct yaml_node *yaml_tree_find(const struct yaml_node *map, const char *key)
{
	for (size_t i = 0; map->kind == YAML_MAP && i < map->nr; i++) {
		if (!strcmp(map->keys[i].text, key))
			return &map->items[i];
	}
	return NULL;
}
