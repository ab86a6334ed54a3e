/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_MODEL_YAML_TREE_H
#define REGIO_MODEL_YAML_TREE_H

/*
 * A YAML text as a tree in which every node knows its line, for messages. Values are texts: what
 * they mean is left to readers. Anchors and aliases are refused, so the tree is as large as the
 * text; a key stands once in a mapping.
 */

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct err;

enum yaml_kind { YAML_TEXT, YAML_LIST, YAML_MAP };

struct yaml_node {
	enum yaml_kind kind;
	unsigned line;
	const char *text;	 /* YAML_TEXT; "" for nothing at all */
	bool is_plain;		 /* YAML_TEXT: without quotes */
	struct yaml_node *items; /* of a list; the values of a mapping */
	struct yaml_node *keys;	 /* of a mapping: texts */
	size_t nr;
};

#define YAML_MAX_BYTES (4U << 20)
#define YAML_MAX_NODES 1000000
#define YAML_MAX_DEPTH 32
#define YAML_MAX_DOCUMENTS 1000

struct yaml_text {
	const char *name; /* of the file, for messages */
	const char *text;
	size_t len;
};

/*
 * All documents of a text, in the arena. -ERR_INPUT with "name:line: ". Without any content
 * *ret_nr is 0.
 */
int yaml_tree_read(const struct yaml_text *text, struct arena *arena,
		   struct yaml_node **ret_documents, size_t *ret_nr, struct err *err);

/* The value of a key of a mapping; NULL if there is none. */
const struct yaml_node *yaml_tree_find(const struct yaml_node *map, const char *key);

#endif
