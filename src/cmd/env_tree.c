/* SPDX-License-Identifier: GPL-2.0-or-later */
/* env_tree: the block stack for people, each filesystem and disk under what lies on it. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "cmd/env_show.h"
#include "model/result.h"
#include "output/wrap.h"

#define LABEL_COLUMNS 12
#define MAX_DEPTH 32 /* facts of a stored result may say anything */

struct tree {
	const struct env_view *view;
	struct env_nodes nodes;
	unsigned width;
	FILE *to;
};

void env_show_line(const char *bars, const char *label, const char *items, unsigned width, FILE *to)
{
	unsigned start = wrap_columns(bars, strlen(bars)) + LABEL_COLUMNS;
	unsigned column = start;
	bool is_first = true;

	(void)fprintf(to, "%s%-*s", bars, LABEL_COLUMNS, label);
	for (const char *at = items; *at;) {
		size_t len = strcspn(at, "\n");
		unsigned columns = wrap_columns(at, len);

		if (!is_first && width && column + 2 + columns > width) {
			(void)fprintf(to, "\n%s%*s", bars, LABEL_COLUMNS, "");
			column = start;
		} else if (!is_first) {
			(void)fputs("  ", to);
			column += 2;
		}
		(void)fwrite(at, 1, len, to);
		column += columns;
		is_first = false;
		at += len + (at[len] == '\n');
	}
	(void)fputc('\n', to);
}

/* ---- heads ---- */

static void add_size(struct strbuf *head, const char *bytes)
{
	char text[UNITS_TEXT_LEN];
	uint64_t value;

	if (bytes && units_parse_u64(bytes, &value, NULL) == 0)
		strbuf_printf(head, ", %s", units_print_bytes(value, text, sizeof(text)));
}

static void add_word(struct strbuf *head, const char *front, const char *value)
{
	if (value)
		strbuf_printf(head, ", %s%s", front, value);
}

static void disk_head(const struct tree *tree, const struct env_node *node, struct strbuf *head)
{
	const struct env_view *view = tree->view;
	const char *kind = env_node_value(view, node, "kind");
	const char *driver = env_node_value(view, node, "driver");
	const char *rotational = env_node_value(view, node, "queue.rotational");

	strbuf_printf(head, "%s: %s", node->name + strlen("disk."), kind ? kind : "disk");
	if (driver && (!kind || strcmp(driver, kind) != 0))
		strbuf_printf(head, " (%s)", driver);
	add_word(head, "", env_node_value(view, node, "vendor"));
	add_word(head, "", env_node_value(view, node, "model"));
	add_word(head, "", env_node_value(view, node, "dm.name"));
	add_word(head, "", env_node_value(view, node, "md.level"));
	add_word(head, "on ", env_node_value(view, node, "loop.backing_file"));
	add_size(head, env_node_value(view, node, "size_bytes"));
	add_word(head, "scheduler ", env_node_value(view, node, "queue.scheduler"));
	add_word(head, "", env_node_value(view, node, "queue.write_cache"));
	if (rotational)
		add_word(head, "", !strcmp(rotational, "0") ? "not rotational" : "rotational");
}

static void fs_head(const struct tree *tree, const struct env_node *node, struct strbuf *head)
{
	const struct env_view *view = tree->view;
	const char *type = env_node_value(view, node, "type");
	const char *mount = env_node_value(view, node, "mount");

	strbuf_printf(head, "%s on %s", type ? type : "filesystem", mount ? mount : "?");
	add_size(head, env_node_value(view, node, "size_bytes"));
	add_word(head, "partition ", env_node_value(view, node, "partition"));
}

/* ---- the facts of a node ---- */

/* "queue" of "queue.scheduler"; "" for what stands alone. */
static size_t group_len(const char *key)
{
	const char *dot = strchr(key, '.');

	return dot ? (size_t)(dot - key) : 0;
}

static void add_item(struct strbuf *items, const char *key, const char *value)
{
	strbuf_printf(items, "%s%s=%s", items->len ? "\n" : "", key, value);
}

/* All facts of the group that the fact at `first` begins, unless an earlier one began it. */
static void show_group(const struct tree *tree, const struct env_node *node, const char *bars,
		       size_t first)
{
	CLEANUP(strbuf) struct strbuf items = STRBUF_INIT;
	const struct env_view *view = tree->view;
	const char *begin = env_node_key(node, view->env[first].key);
	size_t len = group_len(begin);
	CLEANUP(free) char *label = len ? xstrndup(begin, len) : xstrdup("device");

	for (size_t i = 0; i < view->nr; i++) {
		const char *key = env_node_key(node, view->env[i].key);

		if (!key || !strcmp(key, "on") || group_len(key) != len ||
		    strncmp(key, begin, len) != 0)
			continue;
		if (i < first)
			return;
		add_item(&items, key + len + (len != 0), view->env[i].value);
	}
	if (items.len)
		env_show_line(bars, label, strbuf_str(&items), tree->width, tree->to);
}

static void show_facts(const struct tree *tree, const struct env_node *node, const char *bars)
{
	bool is_fs = !strncmp(node->name, "fs.", 3);

	for (size_t i = 0; i < tree->view->nr; i++) {
		const char *key = env_node_key(node, tree->view->env[i].key);

		if (!key || !strcmp(key, "on"))
			continue;
		if (is_fs && strcmp(key, "type") != 0 && strcmp(key, "mount") != 0) {
			CLEANUP(free)
			char *item = xasprintf("%s=%s", key, tree->view->env[i].value);

			env_show_line(bars, "", item, 0, tree->to);
		} else if (!is_fs) {
			show_group(tree, node, bars, i);
		}
	}
}

/* ---- the tree ---- */

static void show_node(const struct tree *tree, const struct env_node *node, const char *bars,
		      const char *further, unsigned depth)
{
	CLEANUP(strbuf) struct strbuf head = STRBUF_INIT;
	const struct env_node *below;
	size_t place = 0;
	size_t nr = 0;
	size_t shown = 0;

	if (!strncmp(node->name, "fs.", 3))
		fs_head(tree, node, &head);
	else
		disk_head(tree, node, &head);
	(void)fprintf(tree->to, "%s%s\n", bars, strbuf_str(&head));
	while (env_node_below(&tree->nodes, node, &place))
		nr++;
	if (depth < MAX_DEPTH) {
		CLEANUP(free) char *front = xasprintf("%s%s", further, nr ? "│ " : "  ");

		show_facts(tree, node, front);
	}
	place = 0;
	while (depth < MAX_DEPTH && (below = env_node_below(&tree->nodes, node, &place))) {
		bool is_last = ++shown == nr;
		CLEANUP(free) char *own = xasprintf("%s%s", further, is_last ? "└─" : "├─");
		CLEANUP(free) char *next = xasprintf("%s%s", further, is_last ? "  " : "│ ");

		show_node(tree, below, own, next, depth + 1);
	}
}

void env_show_stack(const struct env_view *view, unsigned width, FILE *to)
{
	struct tree tree = { .view = view, .width = width, .to = to };

	env_nodes_init(&tree.nodes, view);
	for (size_t i = 0; i < tree.nodes.nr; i++) {
		if (!tree.nodes.items[i].is_below)
			show_node(&tree, &tree.nodes.items[i], "", "", 0);
	}
	env_nodes_release(&tree.nodes);
}
