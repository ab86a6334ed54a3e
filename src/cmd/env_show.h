/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef REGIO_CMD_ENV_SHOW_H
#define REGIO_CMD_ENV_SHOW_H

/* One environment, whole: the machine by areas and the block stack as a tree. */

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "base/cleanup.h"

struct result_pair;

/* Borrowed. */
struct env_view {
	const struct result_pair *env;
	size_t nr;
};

/* ---- env_nodes.c: filesystems and disks among the facts ---- */

struct env_node {
	char *name;   /* "fs.1", "disk.sda" */
	char *on;     /* names of the nodes below, separated by blanks; NULL = none */
	int is_below; /* of some other node */
};

struct env_nodes {
	struct env_node *items; /* in the order of the facts */
	size_t nr;
};

void env_nodes_init(struct env_nodes *nodes, const struct env_view *view);
void env_nodes_release(struct env_nodes *nodes);
CLEANUP_DEFINE(env_nodes, struct env_nodes, env_nodes_release)
/* The key of a fact behind the name of the node: "model"; NULL if it is not of that node. */
const char *env_node_key(const struct env_node *node, const char *key);
/* The value of a fact of a node, NULL if there is none. */
const char *env_node_value(const struct env_view *view, const struct env_node *node,
			   const char *key);
/* The next node below, from *place on, which is 0 at first; NULL at the end. */
const struct env_node *env_node_below(const struct env_nodes *nodes, const struct env_node *node,
				      size_t *place);

/* ---- what is printed ---- */

/* width: columns, 0 = unlimited. */
void env_show_stack(const struct env_view *view, unsigned width, FILE *to);
void env_show_machine(const struct env_view *view, unsigned width, FILE *to);
/* Schema regio.env. The caller owns it. */
json_t *env_show_json(const struct env_view *view, const char *of);

/* A label, padded, and items behind it on as many lines as they need; bars stand before each. */
void env_show_line(const char *bars, const char *label, const char *items, unsigned width,
		   FILE *to);

#endif
